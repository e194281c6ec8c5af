// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace maskflow {

// What memory() reports: storage that is alive now.
struct MemoryInfo {
  std::int64_t tensors = 0;
  std::int64_t bytes = 0;
};
[[nodiscard]] MemoryInfo live_memory();

class Buffer;

// Rows of a table of floats, one after the other: what an embedding gives.
struct Lookup {
  std::shared_ptr<Buffer> table;
  std::size_t width = 0;  // of a row
  std::vector<std::int32_t> rows;
};

// Aligned storage, shared by the tensors that view it, counted while it lives.
class Buffer {
 public:
  explicit Buffer(std::size_t bytes);
  // Holds the numbers only once somebody reads them: recurrent layers do better with the lookup.
  explicit Buffer(Lookup lookup);
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  [[nodiscard]] std::byte* data() {
    if (data_ == nullptr) look_up();
    return data_;
  }
  // Null when the numbers are there.
  [[nodiscard]] const Lookup* lookup() const { return data_ == nullptr ? &lookup_ : nullptr; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  void look_up();

  std::byte* data_;
  std::size_t bytes_;
  Lookup lookup_;
};

}  // namespace maskflow
