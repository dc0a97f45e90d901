"""Tables and forests on their way to workers: each worker unpacks and ranks them once."""

from __future__ import annotations

import hashlib
import io
import pickle
from collections import OrderedDict
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import RLock
from typing import Any

import wald._native as _native

# What may be large; everything else goes with each part.
LARGE = (_native.Dataset, _native.Table, _native.Forest)

# Tables and forests that a process keeps for the next part, the latest last. One part needs at most
# its table, its forest, and rows for testing and comparing.
KEPT = 4

_kept: OrderedDict[str, Any] = OrderedDict()
# Parts that begin at the same time in one process wait for the first one to unpack.
_unpacking = RLock()


class Parcel:
    """An object as bytes, or as a file that holds them. Unpickling a parcel gives the object, which
    a process makes once and keeps under the hash of its bytes."""

    def __init__(self, content: bytes | str, key: str) -> None:
        self.content = content
        self.key = key

    @classmethod
    def of(cls, packed: Any) -> Parcel:
        """The bytes of a table or a forest."""
        content = pickle.dumps(packed, protocol=5)
        return cls(content, hashlib.blake2b(content, digest_size=16).hexdigest())

    def in_folder(self, folder: Path) -> Parcel:
        """The same with the bytes in a file, which every worker can read."""
        path = folder / self.key
        path.write_bytes(self.opened_bytes())
        return Parcel(str(path), self.key)

    def opened_bytes(self) -> bytes:
        """What was packed, as bytes."""
        return self.content if isinstance(self.content, bytes) else Path(self.content).read_bytes()

    def unpacked(self) -> Any:
        """The object; it is made where this process does not keep it yet."""
        with _unpacking:
            if self.key not in _kept:
                _kept[self.key] = pickle.loads(self.opened_bytes())
            _kept.move_to_end(self.key)
            found = _kept[self.key]
            while len(_kept) > KEPT:
                _kept.popitem(last=False)
            return found

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return _unpack, (self.content, self.key)


def _unpack(content: bytes | str, key: str) -> Any:
    return Parcel(content, key).unpacked()


class _Packer(pickle.Pickler):
    """Sets large objects aside."""

    def __init__(self, file: io.BytesIO) -> None:
        super().__init__(file, protocol=5)
        self.large: list[Any] = []

    def persistent_id(self, obj: Any) -> Any:
        if not isinstance(obj, LARGE):
            return None
        for place, other in enumerate(self.large):
            if other is obj:
                return place
        self.large.append(obj)
        return len(self.large) - 1


class _Unpacker(pickle.Unpickler):
    """Puts large objects back."""

    def __init__(self, file: io.BytesIO, large: Sequence[Any]) -> None:
        super().__init__(file)
        self.large = large

    def persistent_load(self, pid: Any) -> Any:
        return self.large[pid]


def packed(call: Any) -> tuple[bytes, list[Any]]:
    """Something as bytes, and the large objects in it."""
    file = io.BytesIO()
    packer = _Packer(file)
    packer.dump(call)
    return file.getvalue(), packer.large


def unpacked(content: Any, large: Sequence[Any]) -> Any:
    """What was packed, or what was handed over in one process as it is, parcels included."""
    if not isinstance(content, bytes):
        return content
    whole = [one.unpacked() if isinstance(one, Parcel) else one for one in large]
    return _Unpacker(io.BytesIO(content), whole).load()
