"""What to say where a package is missing."""

from __future__ import annotations


def how_to_install(extra: str) -> str:
    """The command that installs what a part of the package needs, as a clone has it.

    Parameters
    ----------
    extra : str
        One of the optional dependencies in ``pyproject.toml``.

    Examples
    --------
    >>> how_to_install("plot")
    "pip install '.[plot]', in the folder that you have cloned"
    """
    return f"pip install '.[{extra}]', in the folder that you have cloned"
