// enum class, if with an initialiser, attributes.
enum class Side : unsigned char { kLeft, kRight };
using Number = float;
template <Side side>
[[nodiscard]] __device__ constexpr Number pick(Number u, Number v) { return side == Side::kLeft ? u : v; }
__global__ void vector_add(const Number* a, const Number* b, Number* c, int n) {
    if (const int i = blockIdx.x * blockDim.x + threadIdx.x; i < n) {
        [[maybe_unused]] auto twice = 2 * i;
        c[i] = pick<Side::kLeft>(a[i], b[i]) + pick<Side::kRight>(a[i], b[i]);
    }
}
