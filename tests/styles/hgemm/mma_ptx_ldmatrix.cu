// ldmatrix and mma.m16n8k16 in PTX, one warp for 16 x 8.
#include <cuda_fp16.h>
//! launch hgemm<<<dim3(n / 8, m / 16), 32>>>(a, b, c, m, n, k)
__global__ void hgemm(const half* a, const half* b, float* c, int m, int n, int k) {
    __shared__ __align__(16) half u[16][24], v[8][24];
    int lane = threadIdx.x, row0 = blockIdx.y * 16, col0 = blockIdx.x * 8;
    float d[4] = {};
    for (int p = 0; p < k; p += 16) {
        *(uint4*)&u[lane / 2][lane % 2 * 8] = *(const uint4*)(a + (row0 + lane / 2) * k + p + lane % 2 * 8);
        if (lane < 16) *(uint4*)&v[lane / 2][lane % 2 * 8] = *(const uint4*)(b + (col0 + lane / 2) * k + p + lane % 2 * 8);
        __syncwarp();
        unsigned fa[4], fb[2];
        unsigned at = (unsigned)__cvta_generic_to_shared(&u[lane % 16][lane / 16 * 8]);
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3]) : "r"(at));
        at = (unsigned)__cvta_generic_to_shared(&v[lane % 8][lane / 8 % 2 * 8]);
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(fb[0]), "=r"(fb[1]) : "r"(at));
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                     : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]));
        __syncwarp();
    }
    float* to = c + (row0 + lane / 4) * n + col0 + lane % 4 * 2;
    to[0] = d[0], to[1] = d[1], to[8 * n] = d[2], to[8 * n + 1] = d[3];
}
