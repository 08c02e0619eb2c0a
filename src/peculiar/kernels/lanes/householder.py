"""Reflections H = 1 - tau v v' that turn the axes so that y is one number and B is tridiagonal."""

from __future__ import annotations

from typing import Any

_LEAST_SQUARE = 1e-290
"""A vector whose square is smaller counts as zero, and is not reflected."""


def make_reflector(code: Any, p: int, first: Any, z: Any, v: Any, at: Any) -> tuple[Any, Any]:
    """Fill v[at, first:p] so that H sends the vector z(i), first <= i < p, to (head, 0, 0, ...); give tau and head."""
    square = code.total(first, p, lambda i: z(i) * z(i))
    norm = code.sqrt(square)
    top = z(first)
    signed = code.where(top < 0.0, -norm, norm)
    for i in code.span(first + 1, p):
        v[at, i] = z(i)
    v[at, first] = top + signed
    return code.where(square > _LEAST_SQUARE, 1.0 / (square + signed * top), 0.0), -signed


def reflect(code: Any, p: int, low: Any, first: Any, a: Any, v: Any, at: Any, tau: Any) -> None:
    """Replace the symmetric a (lower triangle, axes low to p) by H a H; v is zero before ``first``."""
    w = code.array(p)
    for i in code.span(low, first):
        w[i] = tau * code.total(first, p, lambda j, i=i: a[j, i] * v[at, j])
    for i in code.span(first, p):
        before = code.total(first, i + 1, lambda j, i=i: a[i, j] * v[at, j])
        w[i] = tau * (before + code.total(i + 1, p, lambda j, i=i: a[j, i] * v[at, j]))
    half = 0.5 * tau * code.total(first, p, lambda i: w[i] * v[at, i])
    for i in code.span(first, p):
        w[i] = w[i] - half * v[at, i]
    for i in code.span(first, p):
        for j in code.span(low, first):
            a[i, j] = a[i, j] - v[at, i] * w[j]
        for j in code.span(first, i + 1):
            a[i, j] = a[i, j] - v[at, i] * w[j] - w[i] * v[at, j]


def reflect_vector(code: Any, p: int, first: Any, x: Any, v: Any, at: Any, tau: Any) -> None:
    """Replace x by H x."""
    along = tau * code.total(first, p, lambda i: x[i] * v[at, i])
    for i in code.span(first, p):
        x[i] = x[i] - along * v[at, i]
