// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/version.hpp"

namespace maskflow {

// The storage that is in use now, as memory() reports it.
struct MemoryInfo {
  std::int64_t tensors = 0;
  std::int64_t bytes = 0;
};
[[nodiscard]] MemoryInfo live_memory();
// Adds to the reported bytes, for data that replaces storage of tensors.
void count_memory(std::int64_t bytes);

class Buffer;
class Tracker;

// Decodes a row of a table into `width` floats.
using RowReader = void (*)(const std::byte* row, std::size_t width, float* to);

struct Table {
  std::shared_ptr<Buffer> buffer;
  std::size_t width = 0;      // Number of floats per row.
  std::size_t row_bytes = 0;  // Number of bytes per row in the buffer.
  RowReader read = nullptr;   // Decodes the rows; null if they are plain floats.
};

// Rows of a table, one after the other: the output of an embedding.
struct Lookup {
  Table table;
  std::vector<std::int32_t> rows;
};

// Aligned storage of numbers, shared by the tensors that view it and counted while it lives.
class Buffer {
 public:
  explicit Buffer(std::size_t bytes);
  // Creates storage whose numbers are looked up when they are first read, because recurrent layers
  // use the lookup instead.
  explicit Buffer(Lookup lookup);
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  [[nodiscard]] const std::byte* data() {
    if (data_ == nullptr) look_up();
    return data_;
  }
  // Returns the data for writing, and renews the version.
  [[nodiscard]] std::byte* mutable_data();
  [[nodiscard]] const Version& version() const { return version_; }
  // Returns the lookup; null once the numbers have been looked up.
  [[nodiscard]] const Lookup* lookup() const { return data_ == nullptr ? &lookup_ : nullptr; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

  // The tape that records computations with these numbers (ops/tracker.hpp), and their index in it.
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
