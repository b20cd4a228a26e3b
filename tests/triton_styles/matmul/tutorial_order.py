# Pointers that move along k, rows taken modulo m, groups of tiles.

#! launch mm[(cdiv(m, 32) * cdiv(n, 32),)](a, b, c, m, n, k, k, 1, n, 1, n, 1, M=32, N=32, K=16, GROUP=4)

import triton
import triton.language as tl


@triton.jit
def mm(a_ptr, b_ptr, c_ptr, m, n, k, am, ak, bk, bn, cm, cn, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, GROUP: tl.constexpr):
    pid = tl.program_id(axis=0)
    num_m = tl.cdiv(m, M)
    num_n = tl.cdiv(n, N)
    in_group = GROUP * num_n
    first_m = pid // in_group * GROUP
    group_m = min(num_m - first_m, GROUP)
    pid_m = first_m + (pid % in_group) % group_m
    pid_n = (pid % in_group) // group_m
    offs_m = (pid_m * M + tl.arange(0, M)) % m
    offs_n = (pid_n * N + tl.arange(0, N)) % n
    offs_k = tl.arange(0, K)
    a_ptrs = a_ptr + (offs_m[:, None] * am + offs_k[None, :] * ak)
    b_ptrs = b_ptr + (offs_k[:, None] * bk + offs_n[None, :] * bn)
    acc = tl.zeros((M, N), dtype=tl.float32)
    for step in range(0, tl.cdiv(k, K)):
        a = tl.load(a_ptrs, mask=offs_k[None, :] < k - step * K, other=0.0)
        b = tl.load(b_ptrs, mask=offs_k[:, None] < k - step * K, other=0.0)
        acc = tl.dot(a, b, acc, input_precision="ieee")
        a_ptrs += K * ak
        b_ptrs += K * bk
    offs_cm = pid_m * M + tl.arange(0, M)
    offs_cn = pid_n * N + tl.arange(0, N)
    mask = (offs_cm[:, None] < m) & (offs_cn[None, :] < n)
    tl.store(c_ptr + cm * offs_cm[:, None] + cn * offs_cn[None, :], acc, mask=mask)
