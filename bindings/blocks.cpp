// SPDX-License-Identifier: MIT
// Blocks of memory that were given back wait here for the next of their size: a prediction makes
// the same ones every time, so that after the first it asks the allocator for none.
#include <emscripten/emscripten.h>
#include <malloc.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace {

constexpr std::size_t kGrain = 16;   // small blocks are multiples of this …
constexpr std::size_t kSmall = 512;  // … up to this
constexpr unsigned kMostSmall = 64;  // that wait, of one size
constexpr std::size_t kLargest = std::size_t{8} << 20;
constexpr std::size_t kMostBytes = std::size_t{16} << 20;  // of large blocks that wait

struct Waiting {
  Waiting* next;
};
struct Shelf {
  Waiting* first = nullptr;
  unsigned count = 0;
};
using Shelves = std::array<Shelf, kSmall / kGrain + 1>;
struct Large {
  void* block = nullptr;
  std::size_t size = 0;
};

Shelves plain;
Shelves lines;  // blocks that begin with a cache line
std::array<Large, 16> large;
std::size_t large_bytes = 0;
std::size_t oldest = 0;  // of the large ones
std::uint32_t asked = 0;

void drop(Large& one) {
  std::free(one.block);
  large_bytes -= one.size;
  one = {};
}

void* ask(std::size_t size, std::size_t alignment) {
  ++asked;
  void* block = std::aligned_alloc(alignment, size);
  if (block != nullptr) return block;
  for (Large& one : large) drop(one);
  block = std::aligned_alloc(alignment, size);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

void* take_small(std::size_t size, std::size_t alignment, Shelves& shelves) {
  Shelf& shelf = shelves[size / kGrain];
  if (shelf.first == nullptr) return ask(size, alignment);
  Waiting* const block = shelf.first;
  shelf.first = block->next;
  --shelf.count;
  return block;
}

void* take_large(std::size_t size, std::size_t alignment) {
  for (Large& one : large) {
    const bool fits = one.size >= size && one.size - size <= size / 8 &&
                      reinterpret_cast<std::uintptr_t>(one.block) % alignment == 0;
    if (!fits) continue;
    void* const block = one.block;
    large_bytes -= one.size;
    one = {};
    return block;
  }
  return ask(size, alignment);
}

void* take(std::size_t size, std::size_t alignment, Shelves& shelves) {
  const std::size_t whole =
      (std::max(size, std::size_t{1}) + alignment - 1) / alignment * alignment;
  return whole <= kSmall ? take_small(whole, alignment, shelves) : take_large(whole, alignment);
}

void give(void* block, Shelves& shelves) {
  if (block == nullptr) return;
  const std::size_t size = malloc_usable_size(block);
  if (size < kSmall + kGrain) {
    Shelf& shelf = shelves[size / kGrain];
    if (shelf.count == kMostSmall) return std::free(block);
    ++shelf.count;
    shelf.first = new (block) Waiting{shelf.first};
    return;
  }
  if (size > kLargest) return std::free(block);
  oldest = (oldest + 1) % large.size();
  drop(large[oldest]);
  large[oldest] = {block, size};
  large_bytes += size;
  for (std::size_t i = 1; large_bytes > kMostBytes; ++i) drop(large[(oldest + i) % large.size()]);
}

}  // namespace

void* operator new(std::size_t size) { return take(size, kGrain, plain); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return take(size, static_cast<std::size_t>(alignment), lines);
}
void operator delete(void* block) noexcept { give(block, plain); }
void operator delete(void* block, std::size_t /*size*/) noexcept { give(block, plain); }
void operator delete(void* block, std::align_val_t /*alignment*/) noexcept { give(block, lines); }
void operator delete(void* block, std::size_t /*size*/, std::align_val_t /*alignment*/) noexcept {
  give(block, lines);
}

// How many blocks the allocator was asked for: tests count them.
extern "C" EMSCRIPTEN_KEEPALIVE std::uint32_t blocks_asked() { return asked; }
