"""The venv in which the peers live, apart from ours."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
VENV = ROOT / ".venv-peers"
REQUIREMENTS = Path(__file__).with_name("peers.txt")
STAMP = VENV / ".installed"
SECONDS = 900


def say(message: str) -> None:
    """A line of progress."""
    print(message, file=sys.stderr, flush=True)


def peers_python(venv: Path = VENV) -> Path:
    """The interpreter of the venv, whether it exists or not."""
    return venv / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def ensure_peers() -> Path | None:
    """The peers' interpreter, installing what is missing; None, and a message, if that is impossible."""
    wanted = stamp_text()
    if STAMP.exists() and STAMP.read_text() == wanted and peers_python().exists():
        return peers_python()
    say(f"Installing the peers ({', '.join(pinned())}) into {VENV.name}, once ...")
    try:
        _run(sys.executable, "-m", "venv", "--clear", str(VENV))
        _run(str(peers_python()), "-m", "pip", "install", "--quiet", "-r", str(REQUIREMENTS))
    except (OSError, subprocess.SubprocessError) as error:
        say(f"The peers could not be installed: {_reason(error)}")
        say("Their rows will say 'not installed'. Is there a network? The rest goes on.")
        return None
    STAMP.write_text(wanted)
    return peers_python()


def pinned() -> list[str]:
    """The requirements, without comments."""
    lines = REQUIREMENTS.read_text().splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def stamp_text() -> str:
    """Changes with the requirements and with the Python they were installed for."""
    text = f"{sys.version}\n" + "\n".join(pinned())
    return hashlib.sha256(text.encode()).hexdigest()


def _run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True, text=True, timeout=SECONDS)


def _reason(error: Exception) -> str:
    lines = (getattr(error, "stderr", None) or "").strip().splitlines()
    return lines[-1] if lines else str(error)
