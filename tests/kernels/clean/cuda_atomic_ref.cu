// expect: clean
// compare: exact
// buffer o: i32 2 zeros
//! launch k<<<2, 64>>>(o)
#include <cuda/atomic>
extern "C" __global__ void k(int* o) {
    cuda::atomic_ref<int, cuda::thread_scope_device> r(o[0]);
    r.fetch_add(2, cuda::memory_order_relaxed);
    cuda::atomic_ref<int, cuda::thread_scope_device> m(o[1]);
    m.fetch_max((int)threadIdx.x, cuda::memory_order_acq_rel);
}
