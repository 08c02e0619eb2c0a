"""Which objects are really strange, and how sure that is.

====================  ===========================================================================
``tail``              how often an ordinary object, measured as badly, would look as strange: p-values
``directions``        the rays along which they are integrated
====================  ===========================================================================
"""
