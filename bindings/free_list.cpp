// SPDX-License-Identifier: MIT
// Keeps freed blocks of memory for the next request of their size. A prediction allocates the same
// sizes every time; from the second one on, it does not call the allocator.
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
constexpr std::size_t kCacheLine = 64;
constexpr std::size_t kSmall = 512;       // Largest size in bytes that has a shelf.
constexpr unsigned kMaxShelfBlocks = 64;  // Largest number of free blocks of one small size.
constexpr std::size_t kLargest = std::size_t{8} << 20;  // Largest block that is kept, in bytes.
// Largest total of free large blocks, in bytes.
constexpr std::size_t kMaxLargeBytes = std::size_t{16} << 20;

struct FreeBlock {
  FreeBlock* next;
};
struct Shelf {
  FreeBlock* first = nullptr;
  unsigned count = 0;
};
// One shelf for each multiple of the grain. All blocks are aligned to the grain.
struct Shelves {
  std::size_t grain;
  std::array<Shelf, kSmall / kGrain + 1> shelves = {};
};
struct LargeBlock {
  void* address = nullptr;  // Null marks an empty entry.
  std::size_t size = 0;
};

constinit Shelves plain{kGrain};
constinit Shelves aligned{kCacheLine};
std::array<LargeBlock, 64> large_blocks;
std::size_t large_bytes = 0;
std::size_t last_evicted = 0;  // Index of the block in large_blocks that was evicted last.
std::uint32_t allocations = 0;

void return_to_allocator(LargeBlock& block) {
  std::free(block.address);
  large_bytes -= block.size;
  block = {};
}

// Evicts in turn; that is the oldest block if blocks come and go in the same order.
LargeBlock* evict() {
  last_evicted = (last_evicted + 1) % large_blocks.size();
  return_to_allocator(large_blocks[last_evicted]);
  return &large_blocks[last_evicted];
}

void* allocate(std::size_t size, std::size_t alignment) {
  ++allocations;
  void* address = std::aligned_alloc(alignment, size);
  if (address != nullptr) return address;
  for (LargeBlock& block : large_blocks) return_to_allocator(block);
  address = std::aligned_alloc(alignment, size);
  if (address == nullptr) throw std::bad_alloc();
  return address;
}

void* take_small(std::size_t size, Shelves& shelves) {
  Shelf& shelf = shelves.shelves[size / shelves.grain];
  if (shelf.first == nullptr) return allocate(size, shelves.grain);
  FreeBlock* const block = shelf.first;
  shelf.first = block->next;
  --shelf.count;
  return block;
}

// Returns the smallest free block above this size to the allocator. The blocks of a batch that is
// smaller than the previous ones fit no free block; this lets them reuse memory instead of growing
// the heap.
void evict_larger(std::size_t size) {
  LargeBlock* smallest = nullptr;
  for (LargeBlock& block : large_blocks) {
    if (block.size > size && (smallest == nullptr || block.size < smallest->size)) {
      smallest = &block;
    }
  }
  if (smallest != nullptr) return_to_allocator(*smallest);
}

void* take_large(std::size_t size, std::size_t alignment) {
  for (LargeBlock& block : large_blocks) {
    const bool fits = block.size >= size && block.size - size <= size / 8 &&
                      reinterpret_cast<std::uintptr_t>(block.address) % alignment == 0;
    if (!fits) continue;
    void* const address = block.address;
    large_bytes -= block.size;
    block = {};
    return address;
  }
  evict_larger(size);
  return allocate(size, alignment);
}

void* take(std::size_t size, Shelves& shelves) {
  // Above PTRDIFF_MAX, sizes would wrap here and in the allocator.
  if (size > PTRDIFF_MAX) throw std::bad_alloc();
  const std::size_t grain = shelves.grain;
  const std::size_t whole = (std::max(size, std::size_t{1}) + grain - 1) / grain * grain;
  return whole <= kSmall ? take_small(whole, shelves) : take_large(whole, grain);
}

void put_back(void* address, Shelves& shelves) {
  if (address == nullptr) return;
  // The size may exceed the requested size by less than a grain.
  const std::size_t size = malloc_usable_size(address);
  if (size < kSmall + shelves.grain) {
    Shelf& shelf = shelves.shelves[size / shelves.grain];
    if (shelf.count == kMaxShelfBlocks) return std::free(address);
    ++shelf.count;
    shelf.first = new (address) FreeBlock{shelf.first};
    return;
  }
  if (size > kLargest) return std::free(address);
  while (large_bytes + size > kMaxLargeBytes) evict();
  auto place = std::ranges::find(large_blocks, nullptr, &LargeBlock::address);
  if (place == large_blocks.end()) place = evict();
  *place = {address, size};
  large_bytes += size;
}

}  // namespace

void* operator new(std::size_t size) { return take(size, plain); }
// No type and no buffer of the core is aligned to more than a cache line.
void* operator new(std::size_t size, std::align_val_t /*alignment*/) { return take(size, aligned); }
void operator delete(void* block) noexcept { put_back(block, plain); }
void operator delete(void* block, std::size_t /*size*/) noexcept { put_back(block, plain); }
void operator delete(void* block, std::align_val_t /*alignment*/) noexcept {
  put_back(block, aligned);
}
void operator delete(void* block, std::size_t /*size*/, std::align_val_t /*alignment*/) noexcept {
  put_back(block, aligned);
}

// Grows the memory once by what later requests will need in parts; otherwise it grows by a fifth
// at a time. Does nothing beyond the limit: the request itself will be refused. The pointer is
// volatile, because the compiler would remove malloc and free.
extern "C" EMSCRIPTEN_KEEPALIVE void make_room(std::size_t bytes) {
  void* volatile block = maskflow::memory_fits(bytes) ? std::malloc(bytes) : nullptr;
  std::free(block);
}

// Number of calls of the allocator, for tests.
extern "C" EMSCRIPTEN_KEEPALIVE std::uint32_t blocks_asked() { return allocations; }
