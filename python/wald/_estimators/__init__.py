"""Estimators in the manner of scikit-learn, and what every fitted forest can measure."""
