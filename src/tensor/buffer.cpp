// SPDX-License-Identifier: MIT
#include "tensor/buffer.hpp"

#include <cstring>
#include <utility>

#include "base/index.hpp"
#include "base/memory.hpp"

namespace maskflow {
namespace {

MemoryInfo live;

std::byte* allocate(std::size_t bytes) { return static_cast<std::byte*>(allocate_memory(bytes)); }

}  // namespace

MemoryInfo live_memory() { return live; }
void count_memory(std::int64_t bytes) { live.bytes += bytes; }

Buffer::Buffer(std::size_t bytes) : data_(allocate(bytes)), bytes_(bytes) {
  ++live.tensors;
  live.bytes += static_cast<std::int64_t>(bytes_);
}

Buffer::Buffer(Lookup lookup)
    : data_(nullptr),
      bytes_((Count(lookup.rows.size()) * lookup.table.width).of<float>() * sizeof(float)),
      lookup_(std::move(lookup)) {
  ++live.tensors;
  live.bytes += static_cast<std::int64_t>(bytes_);
}

std::byte* Buffer::mutable_data() {
  if (data_ == nullptr) look_up();
  version_.renew();
  return data_;
}

void Buffer::look_up() {
  data_ = allocate(bytes_);
  const Lookup lookup = std::exchange(lookup_, {});
  const Table& table = lookup.table;
  std::byte* to = data_;
  for (const std::int32_t row : lookup.rows) {
    const std::byte* from = table.buffer->data() + at(row) * table.row_bytes;
    if (table.read == nullptr) {
      std::memcpy(to, from, table.row_bytes);
    } else {
      table.read(from, table.width, reinterpret_cast<float*>(to));
    }
    to += table.width * sizeof(float);
  }
}

Buffer::~Buffer() {
  free_memory(data_, bytes_);
  --live.tensors;
  live.bytes -= static_cast<std::int64_t>(bytes_);
}

}  // namespace maskflow
