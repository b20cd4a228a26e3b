# verdict: wrong_answer
# The second launch goes along the rows as well.

#! scratch mid float32 height * width
#! launch along[(cdiv(width, 128), cdiv(height, 4))](x, w, mid, height, width, DI=0, DJ=1, H=4, W=128)
#! launch along[(cdiv(width, 128), cdiv(height, 4))](mid, w, y, height, width, DI=0, DJ=1, H=4, W=128)

import triton
import triton.language as tl


@triton.jit
def along(x, w, y, height, width, DI: tl.constexpr, DJ: tl.constexpr, H: tl.constexpr, W: tl.constexpr):
    i = tl.program_id(1) * H + tl.arange(0, H)
    j = tl.program_id(0) * W + tl.arange(0, W)
    acc = tl.zeros((H, W), tl.float32)
    for t in range(-5, 6):
        row = tl.minimum(tl.maximum(i + t * DI, 0), height - 1)
        col = tl.minimum(tl.maximum(j + t * DJ, 0), width - 1)
        acc += tl.load(w + t + 5) * tl.load(x + row[:, None] * width + col[None, :])
    inside = (i < height)[:, None] & (j < width)[None, :]
    tl.store(y + i[:, None] * width + j[None, :], acc, mask=inside)
