"""Fixtures and settings that all tests share."""

from hypothesis import HealthCheck, settings

# The first call of a kernel compiles it, which no deadline survives; the machines are shared and slow at times.
settings.register_profile(
    "peculiar", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("peculiar")
