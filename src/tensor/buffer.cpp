// SPDX-License-Identifier: MIT
#include "tensor/buffer.hpp"

#include <cstring>
#include <new>
#include <utility>

#include "base/error.hpp"

namespace maskflow {
namespace {

constexpr std::align_val_t kAlignment{64};
MemoryInfo live;

std::byte* allocate(std::size_t bytes) {
  void* data = ::operator new(bytes, kAlignment, std::nothrow);
  if (data == nullptr) {
    state_error("out of memory: ", bytes,
                " bytes are not to be had; dispose of "
                "tensors that are no longer needed, or use smaller batches");
  }
  return static_cast<std::byte*>(data);
}

}  // namespace

MemoryInfo live_memory() { return live; }

Buffer::Buffer(std::size_t bytes) : data_(allocate(bytes)), bytes_(bytes) {
  ++live.tensors;
  live.bytes += static_cast<std::int64_t>(bytes_);
}

Buffer::Buffer(Lookup lookup)
    : data_(nullptr),
      bytes_(lookup.rows.size() * lookup.width * sizeof(float)),
      lookup_(std::move(lookup)) {
  ++live.tensors;
  live.bytes += static_cast<std::int64_t>(bytes_);
}

void Buffer::look_up() {
  data_ = allocate(bytes_);
  const Lookup lookup = std::exchange(lookup_, {});
  const std::size_t row_bytes = lookup.width * sizeof(float);
  std::byte* to = data_;
  for (const std::int32_t row : lookup.rows) {
    std::memcpy(to, lookup.table->data() + static_cast<std::size_t>(row) * row_bytes, row_bytes);
    to += row_bytes;
  }
}

Buffer::~Buffer() {
  ::operator delete(data_, kAlignment);
  --live.tensors;
  live.bytes -= static_cast<std::int64_t>(bytes_);
}

}  // namespace maskflow
