"""All that the page about a ranked list shows, as data: the same for the report in a file and for the live page.

:func:`read_scene` makes a :class:`Scene` of a ranked list and, if there is one, of the model that made it. Nothing here
draws. What the list lacks is None in the scene, and ``Scene.absent`` says how to get it.
"""

from peculiar.report.scene.bulk import Bulk
from peculiar.report.scene.card import Card
from peculiar.report.scene.components import Components
from peculiar.report.scene.features import Features
from peculiar.report.scene.groups import GroupCard
from peculiar.report.scene.objects import Objects
from peculiar.report.scene.read import read_scene
from peculiar.report.scene.scene import Scene
from peculiar.report.scene.trust import Trust

__all__ = [
    "Bulk",
    "Card",
    "Components",
    "Features",
    "GroupCard",
    "Objects",
    "Scene",
    "Trust",
    "read_scene",
]
