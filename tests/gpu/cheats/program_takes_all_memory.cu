// problem: none
// cited: 56
// allowed: ran runtime_error
// Takes what memory the card has and ends without giving it back.
#include <cstdio>
int main() {
    size_t taken = 0;
    void* piece;
    for (size_t size = size_t(64) << 30; size >= size_t(1) << 20; size /= 2) {
        while (cudaMalloc(&piece, size) == cudaSuccess) taken += size;
    }
    printf("%zu MiB taken\n", taken >> 20);
}
