"""From data to units of the scatter: y = L^-1 (x - mu) and B = L^-1 S L^-T, L the factor of a component's scatter."""

from __future__ import annotations

from typing import Any

from peculiar.kernels.lanes.frames import triangle


def whiten_values(code: Any, p: int, x: Any, location: Any, inverse: Any) -> Any:
    """The residual y."""
    y, centred = code.array(p), code.array(p)
    for i in code.span(0, p):
        centred[i] = x[i] - location[i]
        y[i] = code.total(0, i + 1, lambda j, i=i: inverse[i, j] * centred[j])
    return y


def whiten_variances(code: Any, p: int, variances: Any, inverse: Any) -> Any:
    """B (lower triangle) of independent errors."""
    b, scaled = code.array(p, p), code.array(p)
    for j in code.span(0, p):
        for n in code.span(0, j + 1):
            scaled[n] = inverse[j, n] * variances[n]
        for i in code.span(j, p):
            b[i, j] = code.total(0, j + 1, lambda n, i=i: inverse[i, n] * scaled[n])
    return b


def whiten_covariances(code: Any, p: int, covariances: Any, inverse: Any) -> Any:
    """B (lower triangle) of correlated errors, whose covariances are given as a lower triangle, row by row."""
    b, part = code.array(p, p), code.array(p)
    for i in code.span(0, p):
        for j in code.span(0, i + 1):  # row i of L^-1 S
            before = code.total(
                0, j, lambda n, i=i, j=j: inverse[i, n] * covariances[triangle(j, n)]
            )
            after = code.total(
                j, i + 1, lambda n, i=i, j=j: inverse[i, n] * covariances[triangle(n, j)]
            )
            part[j] = before + after
        for j in code.span(0, i + 1):
            b[i, j] = code.total(0, j + 1, lambda n, j=j: inverse[j, n] * part[n])
    return b


def whiten_aligned(
    code: Any, p: int, x: Any, variances: Any, location: Any, inverse: Any
) -> tuple[Any, Any]:
    """The residual y and the diagonal of B, for independent errors and a diagonal scatter."""
    y, b = code.array(p), code.array(p)
    for i in code.span(0, p):
        y[i] = inverse[i, i] * (x[i] - location[i])
        b[i] = inverse[i, i] * inverse[i, i] * variances[i]
    return y, b
