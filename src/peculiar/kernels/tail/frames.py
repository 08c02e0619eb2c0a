"""The frames of the rows of a block, for the tail probabilities."""

from __future__ import annotations

from typing import NamedTuple

from peculiar.arrays import Floats
from peculiar.kernels._jit import row_kernel
from peculiar.kernels.careful.row import turn_row
from peculiar.kernels.shared.block import prepare_block


class TailFrames(NamedTuple):
    """Rows of one block in the frame of every component (see ``frame``)."""

    e: Floats  # (rows, K, d): residual
    b: Floats  # (rows, K, d): noise
    q: Floats  # (rows, K, d, d): axes, in the columns


@row_kernel
def frame_rows(components, rows, block, work, frames):
    """Write the frames of the rows of a layout that has one block; ``block`` keeps the factors of the scatters."""
    layout = rows.layout
    features = layout.features[layout.pattern[0]]
    p = layout.size[layout.pattern[0]]
    prepare_block(components, rows.units, features, p, block)
    for m in range(layout.last[0] - layout.first[0]):
        row = layout.order[layout.first[0] + m]
        for k in range(components.log_weights.size):
            turn_row(components, rows, row, k, features, p, block.inverse[k], work)
            for i in range(p):
                frames.e[m, k, i] = work.e[k, i]
                frames.b[m, k, i] = work.b[k, i]
                for j in range(p):
                    frames.q[m, k, i, j] = work.q[k, i, j] if work.turned[k] else 0.0
                if not work.turned[k]:
                    frames.q[m, k, i, i] = 1.0
