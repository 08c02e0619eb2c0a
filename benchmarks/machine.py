"""Where the numbers come from: processor, cores, versions."""

from __future__ import annotations

import datetime as dt
import importlib.metadata
import os
import platform
import subprocess
from pathlib import Path

from benchmarks.peers_venv import pinned

PACKAGES = ("peculiar", "numpy", "scipy", "numba", "llvmlite", "scikit-learn")


def describe_machine(peers: Path | None) -> dict[str, str]:
    """What a reader needs to know about a run, in words."""
    ours = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in PACKAGES)
    theirs = ", ".join(pinned()).replace("==", " ") if peers else "not installed"
    return {
        "date": dt.datetime.now(tz=dt.UTC).date().isoformat(),
        "processor": f"{processor()}, {os.cpu_count()} cores",
        "system": f"{platform.system()} {platform.machine()}, Python {platform.python_version()}",
        "revision": revision(),
        "ours": ours,
        "peers": theirs,
    }


def processor() -> str:
    """The processor's name, as far as the system tells it."""
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def revision() -> str:
    """The commit that was measured, with a plus if files had been changed since."""
    root = Path(__file__).parents[1]
    command = ["git", "describe", "--always", "--dirty=+", "--exclude=*"]
    try:
        done = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return done.stdout.strip()
