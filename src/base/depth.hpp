// SPDX-License-Identifier: MIT
// Recursions over what callers nest: layers inside layers, settings inside settings. They end in an
// error before the stack does, which is 1 MB in wasm.
#pragma once

#include <new>
#include <utility>
#include <vector>

namespace maskflow {

// One level of such a recursion while it lives; ConfigError when there are too many.
class Depth {
 public:
  static constexpr int kLayer = 4;        // a call of a layer takes more of the stack than a value
  static constexpr int kMostLayers = 64;  // inside each other
  explicit Depth(int weight = 1) : weight_(weight) {
    if (taken_ + weight > kMostLayers * kLayer) refuse();
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

// Destroys `last`, and what is destroyed with it by this same function, one after the other: a
// chain of thousands that each destroyed the next would exhaust the stack.
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
    // Then it goes now, with all below it.
  }
}

}  // namespace maskflow
