// SPDX-License-Identifier: MIT
#include "base/memory.hpp"

#include <new>

#include "base/error.hpp"
#include "base/error_codes.hpp"

namespace maskflow {
namespace {

constexpr std::align_val_t kLine{64};
std::uint64_t limit = kUsualMaxBytes;
std::uint64_t allocated = 0;
const char* remedy =
    "dispose of unused tensors and models, use smaller batches, or raise the limit: "
    "ready({ maxBytes })";

}  // namespace

void set_memory_limit(std::uint64_t bytes) { limit = bytes; }

bool memory_fits(Count bytes) {
  return bytes.value() <= static_cast<std::size_t>(PTRDIFF_MAX) &&
         (bytes + allocated).value() <= limit;
}

void refuse_memory(std::string_view what, Count bytes) {
  fail_with(kOutOfMemory, "out of memory: ", what, " needs ", bytes.value(), " bytes, but ",
            allocated, " of at most ", limit, " bytes are in use; ", remedy);
}

MemoryRoom::MemoryRoom(std::uint64_t bytes, const char* remedy_here)
    : limit_before_(limit), remedy_before_(remedy) {
  if (allocated + bytes >= limit) return;
  limit = allocated + bytes;
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

void* allocate_memory(std::size_t bytes) {
  void* const memory = memory_fits(bytes) ? ::operator new(bytes, kLine, std::nothrow) : nullptr;
  if (memory == nullptr) refuse_memory("the computation", bytes);
  allocated += bytes;
  return memory;
}

void free_memory(void* memory, std::size_t bytes) noexcept {
  if (memory == nullptr) return;
  allocated -= bytes;
  ::operator delete(memory, kLine);
}

}  // namespace maskflow
