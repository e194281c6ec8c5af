// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kernels/gemm.hpp"
#include "tensor/tensor.hpp"

namespace maskflow {

// What an attention layer of a stream keeps: the keys and values of the kept steps of each row, and
// the sum of all its inputs, whose mean is what a query gets that may see no key.
class StreamPast {
 public:
  // Kept steps of a row; with 128 features, keys and values take 64 MB then.
  static constexpr std::size_t kMostKeys = 65536;

  struct Widths {
    std::size_t key = 0, value = 0, features = 0;
  };
  // The first call says how large everything is. `window`: steps after which nobody looks at a key,
  // 0: never.
  void open(std::size_t batch, const Widths& widths, std::size_t window);
  // Makes room for so many steps, before anything of the call runs. StateError, naming the layer,
  // beyond kMostKeys.
  void reserve(std::size_t steps, const std::string& layer);
  // The next steps: `kept` has a byte for each of [batch, steps], `keys` and `values` a row for
  // each that is not 0, and `x` is all that they were made of, [batch, steps, features].
  void append(std::span<const std::uint8_t> kept, const kernels::Rows& keys,
              const kernels::Rows& values, const float* x);

  [[nodiscard]] std::size_t batch() const { return batch_; }
  // Steps so far, masked ones too.
  [[nodiscard]] std::size_t seen() const { return seen_; }
  // Of row b, how many keys there are, at which steps they were (rising), and where they lie: one
  // after the other, like the values.
  [[nodiscard]] std::size_t count(std::size_t b) const { return counts_[b]; }
  [[nodiscard]] const std::size_t* places(std::size_t b) const { return &places_[b * capacity_]; }
  [[nodiscard]] const float* keys(std::size_t b) const;
  [[nodiscard]] const float* values(std::size_t b) const;
  // The mean of all inputs so far, [batch, features].
  [[nodiscard]] Tensor means() const;

  // All of it, for the state of a stream: keys and values [batch, longest, width], how many steps
  // ago they were [batch, longest] (0: there is none), sums [batch, features], steps so far [1].
  [[nodiscard]] Tensors tensors() const;
  void check(const Tensors& tensors, const std::string& layer) const;
  void set(const Tensors& tensors);
  // Nothing has been seen; the memory stays.
  void reset();

 private:
  [[nodiscard]] std::size_t longest() const;
  void forget();
  void grow(std::size_t capacity);

  std::size_t batch_ = 0;
  Widths widths_;
  std::size_t window_ = 0;
  std::size_t capacity_ = 0;
  std::size_t seen_ = 0;
  std::vector<std::size_t> counts_, places_;
  Tensor keys_, values_, sums_;
};

}  // namespace maskflow
