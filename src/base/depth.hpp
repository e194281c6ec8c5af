// SPDX-License-Identifier: MIT
// Limits the recursion over layers inside layers and settings inside settings: an error must come
// before the stack overflows, which has 1 MB in wasm.
#pragma once

#include <new>
#include <utility>
#include <vector>

namespace maskflow {

// Counts one level of recursion while it lives; throws ConfigError if there are too many.
class Depth {
 public:
  // Levels that a call of a layer counts as, because it needs more stack than a value.
  static constexpr int kLayer = 4;
  static constexpr int kMaxLayers = 64;  // Largest number of levels of nested layers.
  explicit Depth(int weight = 1) : weight_(weight) {
    if (taken_ + weight > kMaxLayers * kLayer) refuse();
    taken_ += weight;
  }
  ~Depth() { taken_ -= weight_; }
  Depth(const Depth&) = delete;
  Depth& operator=(const Depth&) = delete;
  [[noreturn]] static void refuse();

 private:
  int weight_;
  static thread_local int taken_;
};

// Destroys `last`. Objects whose destructors call this function again are destroyed one after the
// other, without recursion: a chain of thousands would exhaust the stack.
template <class T>
void destroy_in_turn(T last) noexcept {
  thread_local std::vector<T>* waiting = nullptr;
  try {
    if (waiting != nullptr) {
      waiting->push_back(std::move(last));
      return;
    }
    std::vector<T> chain;
    chain.push_back(std::move(last));
    waiting = &chain;
    while (!chain.empty()) {
      const T next = std::move(chain.back());
      chain.pop_back();
    }
    waiting = nullptr;
  } catch (const std::bad_alloc&) {
    // If there is no memory for the list, `last` is destroyed here, recursively.
  }
}

}  // namespace maskflow
