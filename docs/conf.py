"""How Sphinx builds these pages, which ask no network for anything.

One script of the gallery needs a real catalogue, which is looked for in the folder `PECULIAR_DATA`, and fetched if that
is not set.
"""

from importlib.metadata import distribution
from pathlib import Path
from shutil import copyfile

from peculiar import __version__

project = "peculiar"
author = "the peculiar developers"
copyright = "2026, the peculiar developers"
release = __version__
version = ".".join(__version__.split(".")[:2])

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["_build", "_templates", "draw_tutorials.py"]
templates_path = ["_templates"]

# Reference pages: one per public name, written by autosummary from docs/_templates.
autosummary_generate = True
autodoc_typehints = "none"  # the docstrings give shapes and meanings; the annotations are for mypy
numpydoc_show_class_members = False  # the template lists them, without scikit-learn's set_*_request

myst_enable_extensions = ["amsmath", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

# One file with all glyphs in it, copied into the pages: nothing is fetched when they are read.
MATHJAX = "mathjax/tex-svg.js"
mathjax_path = MATHJAX


def _copy_mathjax(app, failure) -> None:
    if failure is None and app.builder.format == "html":
        package = distribution("sphinx-mathjax-offline")
        source = package.locate_file(f"sphinx-mathjax-offline/static/{MATHJAX}")
        target = Path(app.outdir) / "_static" / MATHJAX
        target.parent.mkdir(exist_ok=True)
        copyfile(source, target)


def setup(app) -> None:
    """What Sphinx calls first."""
    app.connect("build-finished", _copy_mathjax)


def _scripts_that_run() -> str:
    """Pattern of the gallery's scripts that can run here: one needs a real catalogue, and is only shown without it."""
    from peculiar.datasets import load_dr3_quasars
    from peculiar.errors import MissingDataError

    try:
        load_dr3_quasars()
    except MissingDataError:
        return r"/plot_(?!strange_groups)"
    return r"/plot_"


sphinx_gallery_conf = {
    "filename_pattern": _scripts_that_run(),
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "thumbnail_size": (480, 336),  # at half of that, axes can be read
    "doc_module": ("peculiar",),
    "reference_url": {"peculiar": None},
    "backreferences_dir": None,
    "show_memory": False,
    "show_signature": False,
    "write_computation_times": False,
    "download_all_examples": False,
    "abort_on_example_error": True,
}

html_theme = "pydata_sphinx_theme"
html_title = "peculiar"
html_static_path = ["_static"]  # with the page that `peculiar reproduce` wrote, and all its numbers
html_show_sourcelink = False
html_css_files = ["custom.css"]
# They have no pages below them.
html_sidebars = {"index": [], "command_line": [], "report": [], "python": []}
html_theme_options = {
    "logo": {"text": "peculiar"},
    "header_links_before_dropdown": 8,  # the command line is not behind "More"
    "show_prev_next": False,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}
