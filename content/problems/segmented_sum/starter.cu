// Sums of segments: out[s] = the sum of all x[i] with segment[i] == s. The segments stand in ascending order.
//
// Started with one thread for each segment. Finding the first number of the segment is done; adding up is missing, so
// every sum is 0.

__global__ void segmented_sum(const float* x, const int* segment, float* out, int n, int segments) {
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= segments) return;
    int low = 0, high = n;  // the first i with segment[i] >= s lies in low .. high
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (segment[middle] < s) low = middle + 1; else high = middle;
    }
    float sum = 0.0f;

    // fill in: add x[low], x[low + 1] ... as long as they belong to segment s

    out[s] = sum;
}
