"""The page about a ranked list: the same scene in a file to send, and live in a browser.

One page is made for both. Bokeh draws the plots; scripts in ``static`` link them with the table, the cards and the
sentences, and work in the browser alone:

- :func:`make_page` turns a :class:`~peculiar.report.scene.Scene` into a :class:`Page`: the plots, the template with its
  scripts, and the content that the scripts read (:mod:`peculiar.explore.content`).
- :func:`write_report` writes it into one file that needs no network.
- Where the live page differs, it gives :func:`make_page` other scripts: ``marks_in_browser.js`` keeps marks in the
  browser, and whoever has a server brings a script with the same functions that keeps them there. Python finds the
  plots and their data by the names in :mod:`peculiar.explore.names`.

Nothing on the page is made with ``eval`` (no ``CustomJS``), so that its security policy can forbid it.
"""

from peculiar.explore.page import SCRIPTS, Page, make_page
from peculiar.explore.report import write_report

__all__ = ["SCRIPTS", "Page", "make_page", "write_report"]
