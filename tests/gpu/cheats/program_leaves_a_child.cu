// problem: none
// cited: 18
// allowed: ran
// A child of its own session keeps the card busy after the program said that it was done.
#include <cstdio>
#include <unistd.h>
__global__ void forever(volatile int* go) {
    while (*go == 0) {
    }
}
int main() {
    if (fork() == 0) {
        setsid();
        int* go;
        cudaMalloc(&go, sizeof(int));
        cudaMemset(go, 0, sizeof(int));
        forever<<<132, 256>>>(go);
        cudaDeviceSynchronize();
        _exit(0);
    }
    sleep(2);  // the child's kernel runs by now
    puts("done");
}
