"""Rows in partitions of Dask, which may be on other machines. Dask is imported in functions only."""

from peculiar.backends.dask.backend import DaskBackend

__all__ = ["DaskBackend"]
