// SPDX-License-Identifier: MIT
#include "base/memory.hpp"

#include <new>

#include "base/error.hpp"

namespace maskflow {
namespace {

constexpr std::align_val_t kLine{64};
std::uint64_t limit = kUsualMostBytes;
std::uint64_t held = 0;
const char* const kUsualRemedy =
    "dispose of what is no longer needed, use smaller batches, or allow more with "
    "ready({ maxBytes })";
const char* remedy = kUsualRemedy;

}  // namespace

void set_memory_limit(std::uint64_t bytes) { limit = bytes; }

bool memory_fits(Count bytes) {
  return bytes.value() <= static_cast<std::size_t>(PTRDIFF_MAX) && (bytes + held).value() <= limit;
}

void refuse_memory(std::string_view what, Count bytes) {
  state_error("out of memory: ", what, " needs ", bytes.value(), " bytes, but ", held,
              " of at most ", limit, " bytes are in use; ", remedy);
}

MemoryRoom::MemoryRoom(std::uint64_t bytes, const char* remedy_here)
    : limit_before_(limit), remedy_before_(remedy) {
  if (held + bytes >= limit) return;
  limit = held + bytes;
  remedy = remedy_here;
}

MemoryRoom::~MemoryRoom() {
  limit = limit_before_;
  remedy = remedy_before_;
}

std::size_t Count::items(std::size_t width) const {
  const Count bytes = *this * width;
  if (!memory_fits(bytes)) refuse_memory("the computation", bytes);
  return static_cast<std::size_t>(n_);
}

void* take_memory(std::size_t bytes) {
  void* const memory = memory_fits(bytes) ? ::operator new(bytes, kLine, std::nothrow) : nullptr;
  if (memory == nullptr) refuse_memory("the computation", bytes);
  held += bytes;
  return memory;
}

void give_memory(void* memory, std::size_t bytes) noexcept {
  if (memory == nullptr) return;
  held -= bytes;
  ::operator delete(memory, kLine);
}

}  // namespace maskflow
