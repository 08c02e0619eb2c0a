"""Questions about rows after a fit: all of them go through one object.

:class:`Population` holds the parameters and the model. Its methods take ``Observations`` and return plain results.

====================  ===========================================================================
``population``        the object that answers
``moments``           density, memberships, u, outlier probability and clean value of each row
``tail``              p-values: how often an ordinary object, measured as badly, would look as strange
``directions``        the rays along which these are integrated
``explain``           which feature makes an object strange, and on which side it lies
``tolerance``         by which factor the errors must be too small for an object to be ordinary
``groups``            which components are ordinary, and which are strange groups
``calibration``       how many small p-values there are, and should be
``discoveries``       which objects to believe, with a bounded rate of false ones
``in_parts``          the same, if their p-values are not in one place
``certificate``       a bound on the share of false ones that holds for every threshold at once
``sampling``          random rows
``stored``            model files
====================  ===========================================================================
"""

from peculiar.population.discoveries import Discoveries
from peculiar.population.explain import Explanation
from peculiar.population.moments import Moments
from peculiar.population.population import Population
from peculiar.population.tail import TailProbabilities

__all__ = ["Discoveries", "Explanation", "Moments", "Population", "TailProbabilities"]
