// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/version.hpp"

namespace maskflow {

// What memory() reports: storage that is alive now.
struct MemoryInfo {
  std::int64_t tensors = 0;
  std::int64_t bytes = 0;
};
[[nodiscard]] MemoryInfo live_memory();
// For what stands in place of storage.
void count_memory(std::int64_t bytes);

class Buffer;
class Tracker;

// Writes the `width` floats that a row stands for.
using RowReader = void (*)(const std::byte* row, std::size_t width, float* to);

struct Table {
  std::shared_ptr<Buffer> buffer;
  std::size_t width = 0;      // floats of a row
  std::size_t row_bytes = 0;  // of a row in the buffer
  RowReader read = nullptr;   // null: rows are those floats
};

// Rows of a table, one after the other: what an embedding gives.
struct Lookup {
  Table table;
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
  [[nodiscard]] const std::byte* data() {
    if (data_ == nullptr) look_up();
    return data_;
  }
  // For writing: gives the numbers a new version.
  [[nodiscard]] std::byte* mutable_data();
  [[nodiscard]] const Version& version() const { return version_; }
  // Null when the numbers are there.
  [[nodiscard]] const Lookup* lookup() const { return data_ == nullptr ? &lookup_ : nullptr; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

  // Who differentiates with respect to these numbers (ops/tracker.hpp), and their number there.
  Tracker* tracker = nullptr;
  std::int32_t tracked_as = -1;

 private:
  void look_up();

  std::byte* data_;
  std::size_t bytes_;
  Version version_;
  Lookup lookup_;
};

}  // namespace maskflow
