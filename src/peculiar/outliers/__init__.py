"""Which objects are really strange, how sure that is, and why.

====================  ===========================================================================
``tail``              how often an ordinary object, measured as badly, would look as strange: p-values
``directions``        the rays along which they are integrated
``discoveries``       which objects to believe, with a bounded rate of false ones
``explain``           which feature betrays an object
``tolerance``         by which factor its errors must be wrong for it to be ordinary
``measured``          rows with their noise, as all of these take them
====================  ===========================================================================
"""

from peculiar.outliers.discoveries import Discoveries
from peculiar.outliers.explain import Explanation

__all__ = ["Discoveries", "Explanation"]
