"""A hub for the tests of SAMP."""

from tests.triage.hub import hub, no_hub, programs

__all__ = ["hub", "no_hub", "programs"]
