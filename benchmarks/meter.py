"""What a process has used so far: CPU, wall time, memory. Needs nothing but Python."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

MB = 1e6
_RSS_UNIT = 1 if sys.platform == "darwin" else 1024


class Cost(NamedTuple):
    """Seconds; CPU is that of all threads, and of child processes that have ended."""

    cpu: float
    wall: float

    def minus(self, other: Cost) -> Cost:
        """What this cost more than the other."""
        return Cost(self.cpu - other.cpu, self.wall - other.wall)

    def over(self, n: float) -> Cost:
        """One n-th of it."""
        return Cost(self.cpu / n, self.wall / n)


def used() -> Cost:
    """Since the process began (CPU), since some moment (wall)."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = time.process_time() + children.ru_utime + children.ru_stime
    return Cost(cpu, time.perf_counter())


def timed(work: Callable[[], Any]) -> tuple[Any, Cost]:
    """The result of some work, and its cost."""
    before = used()
    result = work()
    return result, used().minus(before)


def peak_mb() -> float:
    """Largest memory so far, of this process or the largest child, in MB.

    On Linux ``ru_maxrss`` survives exec, so that a small program started by a large one looks large; the peak in
    /proc belongs to the program alone.
    """
    own = _proc_peak_kb() or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _RSS_UNIT / 1024
    child = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * _RSS_UNIT / 1024
    return max(own, child) * 1024 / MB


def _proc_peak_kb() -> float:
    status = Path("/proc/self/status")
    if not status.exists():
        return 0.0
    lines = [line for line in status.read_text().splitlines() if line.startswith("VmHWM:")]
    return float(lines[0].split()[1]) if lines else 0.0
