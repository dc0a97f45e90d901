"""What every measure is, in words."""

from __future__ import annotations

import json
from typing import Any

from wald import _native
from wald.errors import in_python


def measures() -> list[dict[str, Any]]:
    """Every measure: name, what it estimates, what to beware of, what it needs, its source.

    Returns
    -------
    list of dict
        Global measures (``importance``) and local ones (``explain``); ``kind`` tells which.
    """
    both = (("importance", _native.measures()), ("explain", _native.explanations()))
    return [{"kind": kind, **_said(info)} for kind, text in both for info in json.loads(text)]


def _said(info: dict[str, Any]) -> dict[str, Any]:
    return {key: in_python(value) if isinstance(value, str) else value
            for key, value in info.items()}
