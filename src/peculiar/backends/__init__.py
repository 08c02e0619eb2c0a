"""Where rows live, and how their sums are added. A backend is a place, not an algorithm."""

from peculiar.backends.base import Backend
from peculiar.backends.memory import MemoryBackend
from peculiar.backends.parts import PartsBackend

__all__ = ["Backend", "MemoryBackend", "PartsBackend"]
