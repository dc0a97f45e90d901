"""Pictures of results in scikit-learn's manner: displays with ``ax_`` and ``figure_``."""
