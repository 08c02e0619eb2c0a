"""The law of the latent scale u: one small interface, and the laws behind it.

===================  =====================================================  =================================
law                  u of an object in component k                          parameters
===================  =====================================================  =================================
Student              Gamma(dof/2, rate dof/2)                               dof: :class:`EstimatedDofs`,
                                                                            :class:`SharedDof`,
                                                                            :class:`FixedDofs`
Gaussian             1                                                      none: ``FixedDofs((inf,))``
either, and wild     the same with probability 1 - eps, else log-uniform    eps: :class:`WithWild`
                     from 1e-4 to 0.1
===================  =====================================================  =================================
"""

from peculiar.model.prior.base import Scale, ScalePrior
from peculiar.model.prior.student import EstimatedDofs, FixedDofs, SharedDof
from peculiar.model.prior.wild import WithWild

__all__ = ["EstimatedDofs", "FixedDofs", "Scale", "ScalePrior", "SharedDof", "WithWild"]
