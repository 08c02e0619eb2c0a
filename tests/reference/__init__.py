"""Slow, obvious twins of the library: each reads like the maths and shares no code with it.

==================  ==============================================================================
``scale``           the integral over the latent scale u for one row and component, in mpmath
``rows``            one exact EM step on data: dense matrices, loops over rows and components
``structured``      the structured variational EM step of the paper, with its literal Q1 ... Q6
``factorized``      the fully factorial variational EM step: one q(w) q(u) q(z) for all components
``map_scale``       a point estimate of u for each row and component
``gibbs``           the Gibbs sampler of one row, with the standard errors of its estimates
``xd``              extreme deconvolution: Gaussian components, noise of each object known
``t_mixture``       the plain Student-t mixture: no noise
``problems``        random rows and mixtures on which twins are tried against each other
``cases``           rows (e, b, dof) on which engines are tried, and how their errors count
==================  ==============================================================================
"""
