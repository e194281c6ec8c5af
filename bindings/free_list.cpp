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

#include "base/memory.hpp"

namespace {

constexpr std::size_t kGrain = 16;
constexpr std::size_t kLine = 64;    // of the cache
constexpr std::size_t kSmall = 512;  // the largest block for which there is a shelf
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
// One shelf for each multiple of the grain, to which all their blocks are aligned.
struct Shelves {
  std::size_t grain;
  std::array<Shelf, kSmall / kGrain + 1> shelves = {};
};
struct Large {
  void* block = nullptr;
  std::size_t size = 0;
};

constinit Shelves plain{kGrain};
constinit Shelves lines{kLine};
std::array<Large, 64> large;
std::size_t large_bytes = 0;
std::size_t oldest = 0;  // of the large ones
std::uint32_t asked = 0;

void drop(Large& one) {
  std::free(one.block);
  large_bytes -= one.size;
  one = {};
}

// Round and round: where blocks come and go in one order that is the oldest.
Large* drop_oldest() {
  oldest = (oldest + 1) % large.size();
  drop(large[oldest]);
  return &large[oldest];
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

void* take_small(std::size_t size, Shelves& of) {
  Shelf& shelf = of.shelves[size / of.grain];
  if (shelf.first == nullptr) return ask(size, of.grain);
  Waiting* const block = shelf.first;
  shelf.first = block->next;
  --shelf.count;
  return block;
}

// Gives the allocator the smallest block that waits and has room for this: a batch that is smaller
// than those before it, whose blocks fit none that wait, is to find its memory there and not in a
// larger heap.
void drop_roomy(std::size_t size) {
  Large* roomy = nullptr;
  for (Large& one : large) {
    if (one.size > size && (roomy == nullptr || one.size < roomy->size)) roomy = &one;
  }
  if (roomy != nullptr) drop(*roomy);
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
  drop_roomy(size);
  return ask(size, alignment);
}

void* take(std::size_t size, Shelves& of) {
  // (Beyond, sizes would wrap here and in the allocator.)
  if (size > PTRDIFF_MAX) throw std::bad_alloc();
  const std::size_t whole = (std::max(size, std::size_t{1}) + of.grain - 1) / of.grain * of.grain;
  return whole <= kSmall ? take_small(whole, of) : take_large(whole, of.grain);
}

void give(void* block, Shelves& of) {
  if (block == nullptr) return;
  const std::size_t size = malloc_usable_size(block);
  // (It may be a little larger than it was asked for.)
  if (size < kSmall + of.grain) {
    Shelf& shelf = of.shelves[size / of.grain];
    if (shelf.count == kMostSmall) return std::free(block);
    ++shelf.count;
    shelf.first = new (block) Waiting{shelf.first};
    return;
  }
  if (size > kLargest) return std::free(block);
  while (large_bytes + size > kMostBytes) drop_oldest();
  auto place = std::ranges::find(large, nullptr, &Large::block);
  if (place == large.end()) place = drop_oldest();
  *place = {block, size};
  large_bytes += size;
}

}  // namespace

void* operator new(std::size_t size) { return take(size, plain); }
// All that is aligned by its type or by us needs a line at most.
void* operator new(std::size_t size, std::align_val_t /*alignment*/) { return take(size, lines); }
void operator delete(void* block) noexcept { give(block, plain); }
void operator delete(void* block, std::size_t /*size*/) noexcept { give(block, plain); }
void operator delete(void* block, std::align_val_t /*alignment*/) noexcept { give(block, lines); }
void operator delete(void* block, std::size_t /*size*/, std::align_val_t /*alignment*/) noexcept {
  give(block, lines);
}

// Lets the memory grow once to what will be asked for in parts; else it grows by fifths. What the
// limit forbids is refused where it is asked for. (Volatile, or nothing would be left of it.)
extern "C" EMSCRIPTEN_KEEPALIVE void make_room(std::size_t bytes) {
  void* volatile block = maskflow::memory_fits(bytes) ? std::malloc(bytes) : nullptr;
  std::free(block);
}

// How many blocks the allocator was asked for: tests count them.
extern "C" EMSCRIPTEN_KEEPALIVE std::uint32_t blocks_asked() { return asked; }
