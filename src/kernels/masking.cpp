// SPDX-License-Identifier: MIT
#include "kernels/masking.hpp"

#include "kernels/copy.hpp"
#include "kernels/simd.hpp"

namespace maskflow::kernels {
namespace {

template <class T>
bool differs(const T* x, const T* value, std::size_t n) {
  using Batch = xsimd::batch<T>;
  const auto differs_at = [&](std::size_t i) {
    return xsimd::any(Batch::load_unaligned(x + i) != Batch::load_unaligned(value + i));
  };
  if (n < Batch::size) {
    unsigned any = 0;
    for (std::size_t i = 0; i < n; ++i) any |= static_cast<unsigned>(x[i] != value[i]);
    return any != 0;
  }
  for (std::size_t i = 0; i < n - Batch::size; i += Batch::size) {
    if (differs_at(i)) return true;
  }
  return differs_at(n - Batch::size);  // may overlap the vector before it
}

template <class T>
void steps(const T* x, std::size_t rows, std::size_t features, const T* value, T* out,
           std::uint8_t* keep) {
  for (std::size_t row = 0; row < rows; ++row, x += features) {
    keep[row] = static_cast<std::uint8_t>(differs(x, value, features));
    if (out == nullptr) continue;
    if (keep[row] != 0) {
      copy(x, out, features);
    } else {
      clear(out, features);
    }
    out += features;
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

bool add_kept(const std::uint8_t* row, std::size_t n, std::uint8_t* keep) {
  std::uint8_t any = 0;
  for (std::size_t i = 0; i < n; ++i) {
    any |= row[i];
    keep[i] |= row[i];
  }
  return any != 0;
}

}  // namespace maskflow::kernels
