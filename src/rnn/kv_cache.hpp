// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string>
#include <vector>

#include "tensor/mask.hpp"

namespace maskflow {

class Frame;

// What an attention layer of a stream keeps: the keys and values of the kept steps of each row, and
// the sum of all its inputs, whose mean is what a query gets that may see no key.
class KvCache {
 public:
  // Kept steps of a row; with 128 features, keys and values take 64 MB then.
  static constexpr Dim kMostKeys = 65536;
  // Steps in all, so that their numbers are floats.
  static constexpr Dim kMostSteps = Dim{1} << 24;

  // Makes room for so many steps, before anything of the call runs. StateError, naming the layer,
  // beyond the limits.
  void reserve(Dim steps, const std::string& layer);
  // The next steps: rows of keys and values [batch, steps], of which both masks keep some, and what
  // the values were made of, [batch, steps, features]. `window`: steps after which nobody looks at
  // a key, 0: never. Steps whose numbers are not all finite are not kept: see `propagate_nan`.
  void append(const std::array<MaskPtr, 2>& masks, const Tensor& keys, const Tensor& values,
              const Tensor& inputs, Dim window);

  // Keys and values lie in [batch, capacity] rows.
  [[nodiscard]] Dim capacity() const { return rows_[0].shape()[1]; }
  [[nodiscard]] const float* keys() const { return rows_[0].floats(); }
  [[nodiscard]] const float* values() const { return rows_[1].floats(); }
  // Steps so far, masked ones too.
  [[nodiscard]] Dim seen() const { return seen_; }
  // Which keys the last steps see, those of them that `asked` keeps: bool [batch, 1, steps,
  // capacity].
  [[nodiscard]] Tensor allowed(const MaskPtr& asked, Dim steps) const;
  // How many keys the last step sees, where these are all that one sequence has kept; else 0: ask
  // for `allowed`.
  [[nodiscard]] Dim seen_by_one(const MaskPtr& asked, Dim steps) const;
  // Scores [batch, ..., capacity] as [batch, ..., steps so far].
  [[nodiscard]] Tensor spread(const Tensor& scores) const;
  // Sets the results [batch, steps, ...] of the last steps to NaN from the first step of each row
  // whose key or value is not finite, masked or not. In predict, a weight of 0 times such a number
  // has the same effect.
  void propagate_nan(Tensor& results) const;
  // The mean of all inputs so far, [batch, features].
  [[nodiscard]] Tensor means() const;

  // All of it, for the state of a stream: keys and values [batch, longest, width], the numbers of
  // their steps [batch, longest, 1] (the first is 1; 0: there is none), sums [batch, features], and
  // how many steps there were [1].
  [[nodiscard]] Tensors tensors() const;
  void check(const Tensors& tensors, const std::string& layer) const;
  void set(const Tensors& tensors);
  // Nothing has been seen; the memory stays.
  void reset();

 private:
  [[nodiscard]] Dim longest() const;
  void open(Dim batch, const std::array<Dim, 3>& widths, Dim features);
  void forget();
  void grow(Dim capacity);

  Dim window_ = 0;
  Dim seen_ = 0;
  std::vector<Dim> counts_;     // of kept steps, by row; none before the first call
  std::array<Tensor, 3> rows_;  // keys, values, numbers
  std::vector<Dim> finite_steps_;  // steps of each row before the first that is not finite
  Tensor sums_;
};

// What the attention layer that is called keeps, if it runs in a stream, or null.
[[nodiscard]] KvCache* take_kv_cache(Frame& frame);

}  // namespace maskflow
