// SPDX-License-Identifier: MIT
#include "support/scarce_memory.hpp"

#include <cstdlib>
#include <new>

namespace {

constexpr std::int64_t kNever = -1;
std::int64_t remaining = kNever;
bool persistent = false;
bool has_failed = false;

void count() {
  if (remaining == kNever) return;
  if (remaining > 0) {
    --remaining;
    return;
  }
  has_failed = true;
  if (!persistent) remaining = kNever;
  throw std::bad_alloc();
}

void* checked(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

namespace maskflow::test {

FailingAllocation::FailingAllocation(std::int64_t allocations, How how) {
  remaining = allocations;
  persistent = how == How::kFromThenOn;
  has_failed = false;
}
FailingAllocation::~FailingAllocation() { remaining = kNever; }
bool FailingAllocation::failed() { return has_failed; }

}  // namespace maskflow::test

// These operators replace those of the whole program; the sanitizers still see malloc and free.
void* operator new(std::size_t size) {
  count();
  return checked(std::malloc(size == 0 ? 1 : size));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  count();
  const auto line = static_cast<std::size_t>(alignment);
  return checked(std::aligned_alloc(line, (size / line + 1) * line));
}
void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  try {
    return ::operator new(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void* operator new(std::size_t size, std::align_val_t alignment,
                   const std::nothrow_t& /*tag*/) noexcept {
  try {
    return ::operator new(size, alignment);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*size*/) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*size*/, std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}
