"""What was measured, from the table to the lanes of a block, in the units of the kernels."""

from __future__ import annotations

from peculiar.kernels._jit import kernel
from peculiar.kernels.lanes.kernels import WIDTH
from peculiar.kernels.structs import LANES


@kernel
def _load_variances(rows, first, last, features, p, out):
    order, std, per_unit = rows.layout.order, rows.std, rows.units.per_unit
    for m in range(min(LANES, last - first + WIDTH - 1)):
        row = order[min(first + m, last - 1)]
        for j in range(p):
            scaled = std[row, features[j]] * per_unit[features[j]]
            out[j, m] = scaled * scaled


@kernel
def _load_covariances(rows, first, last, features, p, out):
    order, cov, per_unit = rows.layout.order, rows.cov, rows.units.per_unit
    for m in range(min(LANES, last - first + WIDTH - 1)):
        given = cov[order[min(first + m, last - 1)]]
        place = 0
        for i in range(p):
            for j in range(i + 1):
                unit = per_unit[features[i]] * per_unit[features[j]]
                out[place, m] = given[features[i], features[j]] * unit
                place += 1


@kernel
def load_block(rows, first, last, features, p, space):
    """Values, noise and weights of a block, scaled. What fills the last vector repeats the last row, without weight."""
    order, values, units = rows.layout.order, rows.values, rows.units
    for m in range(min(LANES, last - first + WIDTH - 1)):
        row = order[min(first + m, last - 1)]
        for j in range(p):
            f = features[j]
            space.x[j, m] = (values[row, f] - units.shift[f]) * units.per_unit[f]
    for m in range(LANES):
        space.weight[m] = rows.weights[order[first + m]] if first + m < last else 0.0
    if rows.cov.shape[0] > 0:
        _load_covariances(rows, first, last, features, p, space.noise)
    elif rows.std.shape[0] > 0:
        _load_variances(rows, first, last, features, p, space.noise)
    for j in range(p):
        place = j * (j + 3) // 2 if rows.cov.shape[0] > 0 else j
        space.largest[j] = 0.0
        for m in range(last - first):
            space.largest[j] = max(space.largest[j], space.noise[place, m])
