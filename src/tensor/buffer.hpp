// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace maskflow {

// What memory() reports: storage that is alive now.
struct MemoryInfo {
  std::int64_t tensors = 0;
  std::int64_t bytes = 0;
};
[[nodiscard]] MemoryInfo live_memory();

// Aligned storage, shared by the tensors that view it, counted while it lives.
class Buffer {
 public:
  explicit Buffer(std::size_t bytes);
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  [[nodiscard]] std::byte* data() { return data_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  std::byte* data_;
  std::size_t bytes_;
};

}  // namespace maskflow
