// expect: clean
// compare: exact
// buffer x: i32 256 integers -9 9 const
// buffer o: i32 1 zeros
//! launch k<<<1, 256>>>(x, o)
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(const int* x, int* o) {
    if (x[threadIdx.x] > 0) {
        auto g = cg::coalesced_threads();
        if (g.thread_rank() == 0) atomicAdd(o, (int)g.size());
    }
}
