// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace maskflow::kernels {

// Memory that starts with a cache line. A vector that straddles two lines is loaded twice: products
// with one row, which do little but load, were a fifth slower where malloc gave any address.
template <class T>
struct LineAllocator {
  using value_type = T;
  static constexpr std::size_t kLine = 64;
  LineAllocator() = default;
  template <class U>
  explicit LineAllocator(const LineAllocator<U>& /*other*/) {}

  [[nodiscard]] T* allocate(std::size_t n) {
    return static_cast<T*>(::operator new(n * sizeof(T), std::align_val_t{kLine}));
  }
  void deallocate(T* memory, std::size_t /*n*/) {
    ::operator delete(memory, std::align_val_t{kLine});
  }
  // resize() without a value leaves new elements as they are: they are about to be written.
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

}  // namespace maskflow::kernels
