// Depthwise 5x5 convolution: each channel of an image with 25 weights of its own; outside of the image are zeros.
//
// Started with a thread for each output: x along the channels, which lie side by side in memory, y along the columns, and
// one row for each blockIdx.z. As it stands only the middle weight counts.

__global__ void depthwise_conv(const float* x, const float* w, float* y, int height, int width, int channels) {
    const int c = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y * 8 + threadIdx.y, i = blockIdx.z;
    if (c >= channels || j >= width) return;
    const long long here = ((long long)i * width + j) * channels + c;

    // fill in: all 25 places (i + r - 2, j + s - 2) that lie inside the image, each with w[(r * 5 + s) * channels + c]
    float sum = w[12 * channels + c] * x[here];

    y[here] = sum;
}
