"""Pickles with a checksum."""

from __future__ import annotations

import hashlib
import pickle
from typing import Any

from wald.errors import ForestFileError


class Checked:
    """A forest whose pickle has a checksum of its content.

    Unpickling damaged bytes could otherwise give a forest that predicts and measures other
    numbers. A checksum is no signature: as any pickle, it is to be read from people one trusts.
    """

    def __getstate__(self) -> dict[str, Any]:
        own = getattr(super(), "__getstate__", None)
        state = pickle.dumps(dict(self.__dict__) if own is None else own(), protocol=4)
        return {"state": state, "sha256": hashlib.sha256(state).hexdigest()}

    def __setstate__(self, checked: dict[str, Any]) -> None:
        state = checked.get("state") if isinstance(checked, dict) else None
        if not isinstance(state, bytes) or (
                hashlib.sha256(state).hexdigest() != checked.get("sha256")):
            raise ForestFileError(
                f"the pickled {type(self).__name__} is damaged: its checksum is wrong",
                help="pickle it again, or copy the file again from where it is whole")
        content = pickle.loads(state)
        own = getattr(super(), "__setstate__", None)
        if own is None:
            self.__dict__.update(content)
        else:
            own(content)
