"""``peculiar cite``: what to cite."""

from __future__ import annotations

import click

from peculiar.cli.options import debug_option

EPILOG = """\
\b
Example:
  peculiar cite > peculiar.bib
"""


@click.command(epilog=EPILOG, short_help="BibTeX of the paper and of this package.")
@debug_option
def command() -> None:
    """Print BibTeX entries of the paper whose model is fitted, and of this package."""
    from peculiar.references import REFERENCES

    print("\n\n".join(REFERENCES.values()))
