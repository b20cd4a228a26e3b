// Bilinear resize: y has height x width pixels, each mixed from the four pixels of x around its place.
//
// Started with 32 x 8 threads, one for each output. As it stands it takes the pixel above and to the left, without mixing.

__global__ void resize_bilinear(const float* x, float* y, int in_height, int in_width, int height, int width) {
    const int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y;
    if (i >= height || j >= width) return;
    // The place in x, times twice the new size: whole numbers are exact where a float is not.
    const int down = max((2 * i + 1) * in_height - height, 0), across = max((2 * j + 1) * in_width - width, 0);
    const int row = down / (2 * height), col = across / (2 * width);

    // fill in: the pixels below, to the right and across, each with its share
    y[(long long)i * width + j] = x[(long long)row * in_width + col];
}
