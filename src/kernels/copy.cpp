// SPDX-License-Identifier: MIT
#include "kernels/copy.hpp"

#include <cstring>

#include "kernels/simd.hpp"

namespace maskflow::kernels {
namespace {

// From this length on, memcpy and memset are as fast or faster.
constexpr std::size_t kLong = 2048;

template <class T>
void copy_row(const T* from, T* to, std::size_t n) {
  using Batch = xsimd::batch<T>;
  if (n >= kLong) {
    std::memcpy(to, from, n * sizeof(T));
    return;
  }
  if (n < Batch::size) {
    for (std::size_t i = 0; i < n; ++i) to[i] = from[i];
    return;
  }
  // The last vector may overlap the one before it.
  for (std::size_t i = 0; i < n - Batch::size; i += Batch::size) {
    Batch::load_unaligned(from + i).store_unaligned(to + i);
  }
  Batch::load_unaligned(from + n - Batch::size).store_unaligned(to + n - Batch::size);
}

template <class T>
void clear_row(T* to, std::size_t n) {
  using Batch = xsimd::batch<T>;
  if (n >= kLong) {
    std::memset(to, 0, n * sizeof(T));
    return;
  }
  if (n < Batch::size) {
    for (std::size_t i = 0; i < n; ++i) to[i] = T{0};
    return;
  }
  for (std::size_t i = 0; i < n - Batch::size; i += Batch::size) {
    Batch(T{0}).store_unaligned(to + i);
  }
  Batch(T{0}).store_unaligned(to + n - Batch::size);
}

}  // namespace

void copy(const float* from, float* to, std::size_t n) { copy_row(from, to, n); }
void copy(const std::int32_t* from, std::int32_t* to, std::size_t n) { copy_row(from, to, n); }
void clear(float* to, std::size_t n) { clear_row(to, n); }
void clear(std::int32_t* to, std::size_t n) { clear_row(to, n); }

void add(const float* from, float* to, std::size_t n) {
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    (Vec::load_unaligned(from + i) + Vec::load_unaligned(to + i)).store_unaligned(to + i);
  }
  for (; i < n; ++i) to[i] += from[i];
}

}  // namespace maskflow::kernels
