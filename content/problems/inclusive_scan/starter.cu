// Inclusive scan: y[i] = x[0] + ... + x[i].
//
// Started as inclusive_scan<<<1, 256>>>(x, y, n). The loop over tiles of 256 elements and the carry from tile to tile
// are there; the scan within a tile is missing, so the results are wrong from the second element on.

__global__ void inclusive_scan(const int* x, int* y, int n) {
    __shared__ int tile[256];
    int carry = 0;  // sum of all earlier tiles
    for (int start = 0; start < n; start += 256) {
        int i = start + threadIdx.x;
        tile[threadIdx.x] = i < n ? x[i] : 0;
        __syncthreads();

        // fill in: make tile[t] the sum of tile[0..t]; in step d every element adds the one d places to its left

        if (i < n) {
            y[i] = carry + tile[threadIdx.x];
        }
        carry += tile[255];
        __syncthreads();  // nobody refills the tile before everybody has read it
    }
}
