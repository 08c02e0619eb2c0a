"""What to cite, in BibTeX."""

from __future__ import annotations

from peculiar._version import __version__

REFERENCES = {
    "sun2007robust": """\
@inproceedings{sun2007robust,
  author    = {Sun, Jianyong and Kab{\\'a}n, Ata and Raychaudhury, Somak},
  title     = {Robust mixtures in the presence of measurement errors},
  booktitle = {Proceedings of the 24th International Conference on Machine Learning},
  series    = {ICML '07},
  year      = {2007},
  pages     = {847--854},
  eprint    = {0709.0928},
  archivePrefix = {arXiv},
}""",
    "peculiar": f"""\
@software{{peculiar,
  author  = {{{{the peculiar developers}}}},
  title   = {{peculiar: finds the objects in a catalogue that are really strange, not merely badly measured}},
  version = {{{__version__}}},
}}""",
}
"""BibTeX by key; engines have the keys of what they come from."""
