// SPDX-License-Identifier: MIT
// Sizes before memory is asked for, and the limit on what may be held.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace maskflow {

// Of a tensor or of one of its axes, so that the number of an element is an int32 everywhere.
constexpr std::int64_t kMostElements = 2147483647;

// A number of elements or bytes that is about to be asked for. It has 64 bits on every machine
// (std::size_t has 32 in wasm), and what would overflow stays too many.
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
  // As the size of an array of T; StateError when that may not be asked for.
  template <class T>
  [[nodiscard]] std::size_t of() const {
    return items(sizeof(T));
  }

 private:
  static constexpr std::uint64_t kTooMany = std::uint64_t{1} << 62;
  [[nodiscard]] std::size_t items(std::size_t width) const;
  std::uint64_t n_;
};

// Bytes that may be held at once: set by ready({ maxBytes }).
constexpr std::uint64_t kUsualMostBytes = std::uint64_t{1} << 30;
void set_memory_limit(std::uint64_t bytes);
[[nodiscard]] bool memory_fits(Count bytes);

// While it lives, at most so many bytes more than now may be held; whoever needs them is told the
// remedy.
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
// The StateError for what does not fit; `what` needs those bytes.
[[noreturn]] void refuse_memory(std::string_view what, Count bytes);

// Memory for numbers, which begins with a cache line, counted while it is held. StateError when the
// limit forbids it or there is no more.
[[nodiscard]] void* take_memory(std::size_t bytes);
void give_memory(void* memory, std::size_t bytes) noexcept;

}  // namespace maskflow
