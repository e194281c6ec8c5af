// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <new>
#include <vector>

#include "base/memory.hpp"

namespace maskflow::kernels {

// Allocates counted memory at the start of a cache line. A vector that straddles two lines is
// loaded twice: products with one row, which mostly load, were a fifth slower at unaligned
// addresses.
template <class T>
struct LineAllocator {
  using value_type = T;
  LineAllocator() = default;
  template <class U>
  explicit LineAllocator(const LineAllocator<U>& /*other*/) {}

  [[nodiscard]] T* allocate(std::size_t n) {
    return static_cast<T*>(allocate_memory(Count(n).of<T>() * sizeof(T)));
  }
  void deallocate(T* memory, std::size_t n) { free_memory(memory, n * sizeof(T)); }
  // resize() without a value leaves new elements uninitialised, because they are written next.
  template <class U>
  void construct(U* at) {
    ::new (static_cast<void*>(at)) U;
  }
  template <class U, class... Args>
  void construct(U* at, const Args&... args) {
    ::new (static_cast<void*>(at)) U(args...);
  }
  bool operator==(const LineAllocator& /*other*/) const { return true; }
};

using Floats = std::vector<float, LineAllocator<float>>;

// Returns `size` as the next size of the vector. Throws StateError if the vector would have to
// allocate and the memory limit forbids it.
template <class Vector>
[[nodiscard]] std::size_t size_within(const Vector& vector, Count size) {
  const bool fits = size.value() <= vector.capacity();
  return fits ? static_cast<std::size_t>(size.value()) : size.of<typename Vector::value_type>();
}

}  // namespace maskflow::kernels
