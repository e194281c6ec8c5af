// SPDX-License-Identifier: MIT
#include "kernels/masking.hpp"

#include "kernels/copy.hpp"
#include "kernels/simd.hpp"

namespace maskflow::kernels {
namespace {

template <class T>
bool differs(const T* x, const T* value, std::size_t n) {
  using Batch = xsimd::batch<T>;
  std::size_t i = 0;
  for (; i + Batch::size <= n; i += Batch::size) {
    if (xsimd::any(Batch::load_unaligned(x + i) != Batch::load_unaligned(value + i))) return true;
  }
  for (; i < n; ++i) {
    if (x[i] != value[i]) return true;
  }
  return false;
}

template <class T>
void steps(const T* x, std::size_t rows, std::size_t features, const T* value, T* out,
           std::uint8_t* keep) {
  for (std::size_t row = 0; row < rows; ++row, x += features, out += features) {
    keep[row] = static_cast<std::uint8_t>(differs(x, value, features));
    if (keep[row] != 0) {
      copy(x, out, features);
    } else {
      clear(out, features);
    }
  }
}

}  // namespace

void mask_steps(const float* x, std::size_t rows, std::size_t features, const float* value,
                float* out, std::uint8_t* keep) {
  steps(x, rows, features, value, out, keep);
}

void mask_steps(const std::int32_t* x, std::size_t rows, std::size_t features,
                const std::int32_t* value, std::int32_t* out, std::uint8_t* keep) {
  steps(x, rows, features, value, out, keep);
}

}  // namespace maskflow::kernels
