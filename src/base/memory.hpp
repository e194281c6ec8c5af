// SPDX-License-Identifier: MIT
// Checked sizes of allocations, and the limit on allocated memory.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace maskflow {

// Largest element count of a tensor, so that an index always fits in an int32.
constexpr std::int64_t kMaxElements = 2147483647;

// Number of elements or bytes of an allocation. It has 64 bits on every platform, unlike
// std::size_t, which has 32 in wasm. It saturates: after an overflow it exceeds every limit.
class Count {
 public:
  constexpr Count(std::integral auto n)
      : n_(n < 0 || static_cast<std::uint64_t>(n) > kTooMany ? kTooMany
                                                             : static_cast<std::uint64_t>(n)) {}
  friend constexpr Count operator*(Count a, Count b) {
    return b.n_ != 0 && a.n_ > kTooMany / b.n_ ? Count(kTooMany) : Count(a.n_ * b.n_);
  }
  friend constexpr Count operator+(Count a, Count b) { return Count(a.n_ + b.n_); }
  [[nodiscard]] constexpr std::uint64_t value() const { return n_; }
  // Returns the size of an array of T; throws StateError if the memory limit forbids it.
  template <class T>
  [[nodiscard]] std::size_t of() const {
    return items(sizeof(T));
  }

 private:
  static constexpr std::uint64_t kTooMany = std::uint64_t{1} << 62;
  [[nodiscard]] std::size_t items(std::size_t width) const;
  std::uint64_t n_;
};

// Default limit on allocated bytes; ready({ maxBytes }) sets another.
constexpr std::uint64_t kUsualMaxBytes = std::uint64_t{1} << 30;
void set_memory_limit(std::uint64_t bytes);
[[nodiscard]] bool memory_fits(Count bytes);

// While it lives, allows at most `bytes` of further allocations; the error quotes `remedy`.
class MemoryRoom {
 public:
  MemoryRoom(std::uint64_t bytes, const char* remedy);
  ~MemoryRoom();
  MemoryRoom(const MemoryRoom&) = delete;
  MemoryRoom& operator=(const MemoryRoom&) = delete;

 private:
  std::uint64_t limit_before_;
  const char* remedy_before_;
};
// Throws the StateError for `what`, which needs `bytes`.
[[noreturn]] void refuse_memory(std::string_view what, Count bytes);

// Allocates memory for numbers, aligned to a cache line of 64 bytes, and counts it until it is
// freed. Throws StateError if the limit forbids it or the system has no more.
[[nodiscard]] void* allocate_memory(std::size_t bytes);
void free_memory(void* memory, std::size_t bytes) noexcept;

}  // namespace maskflow
