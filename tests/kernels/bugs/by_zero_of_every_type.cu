// expect: integer-division
// compare: exact
// buffer a: i32 64 integers -8 9 const
// buffer b: u32 64 integers 0 9 const
// buffer c: i64 64 integers -8 9 const
// buffer d: u64 64 integers 0 9 const
// buffer p: i32 128 uninitialized
// buffer q: u32 128 uninitialized
// buffer r: i64 128 uninitialized
// buffer s: u64 128 uninitialized
//! launch k<<<1, 64>>>(a, b, c, d, p, q, r, s, 0)
extern "C" __global__ void k(const int* a, const unsigned* b, const long long* c, const unsigned long long* d,
                             int* p, unsigned* q, long long* r, unsigned long long* s, int zero) {
    int i = threadIdx.x;
    long long wide = zero;
    asm volatile("div.s32 %0, %1, %2;" : "=r"(p[i]) : "r"(a[i]), "r"(zero));  // BUG
    asm volatile("rem.s32 %0, %1, %2;" : "=r"(p[64 + i]) : "r"(a[i]), "r"(zero));  // BUG
    asm volatile("div.u32 %0, %1, %2;" : "=r"(q[i]) : "r"(b[i]), "r"(zero));  // BUG
    asm volatile("rem.u32 %0, %1, %2;" : "=r"(q[64 + i]) : "r"(b[i]), "r"(zero));  // BUG
    asm volatile("div.s64 %0, %1, %2;" : "=l"(r[i]) : "l"(c[i]), "l"(wide));  // BUG
    asm volatile("rem.s64 %0, %1, %2;" : "=l"(r[64 + i]) : "l"(c[i]), "l"(wide));  // BUG
    asm volatile("div.u64 %0, %1, %2;" : "=l"(s[i]) : "l"(d[i]), "l"(wide));  // BUG
    asm volatile("rem.u64 %0, %1, %2;" : "=l"(s[64 + i]) : "l"(d[i]), "l"(wide));  // BUG
}
