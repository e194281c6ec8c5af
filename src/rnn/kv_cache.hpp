// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string>
#include <vector>

#include "tensor/mask.hpp"

namespace maskflow {

class Frame;

// The state of an attention layer in a stream: the keys and values of the kept steps of each row,
// and the sum of all inputs. Their mean is the result of a query that sees no key.
class KvCache {
 public:
  // Largest number of kept steps of a row. With 128 features, its keys and values take 64 MB.
  static constexpr Dim kMaxKeys = 65536;
  // Largest number of steps, masked ones included, so that floats can count them.
  static constexpr Dim kMaxSteps = Dim{1} << 24;

  // Makes room for `steps` more steps before any part of the call runs. Throws StateError, naming
  // the layer, beyond the limits.
  void reserve(Dim steps, const std::string& layer);
  // Appends the next steps. Of the keys and values [batch, steps, width] it keeps those that both
  // masks keep and that are finite; propagate_nan() handles the others. The values were computed
  // from the inputs [batch, steps, features]. A query sees a key for `window` steps, or without a
  // limit if it is 0.
  void append(const std::array<MaskPtr, 2>& masks, const Tensor& keys, const Tensor& values,
              const Tensor& inputs, Dim window);

  // Returns the number of steps for which keys and values, [batch, capacity, width], have room.
  [[nodiscard]] Dim capacity() const { return rows_[0].shape()[1]; }
  [[nodiscard]] const float* keys() const { return rows_[0].floats(); }
  [[nodiscard]] const float* values() const { return rows_[1].floats(); }
  // Returns the number of steps so far, masked ones included.
  [[nodiscard]] Dim seen() const { return seen_; }
  // Returns which keys each of the last steps sees, bool [batch, 1, steps, capacity]. Steps that
  // `query_mask` masks see none.
  [[nodiscard]] Tensor allowed(const MaskPtr& query_mask, Dim steps) const;
  // Returns how many keys the last step sees if the batch is one row that sees all its keys.
  // Otherwise 0: call allowed().
  [[nodiscard]] Dim seen_by_one(const MaskPtr& query_mask, Dim steps) const;
  // Spreads scores [batch, ..., capacity] over all steps so far, [batch, ..., seen].
  [[nodiscard]] Tensor spread(const Tensor& scores) const;
  // Sets the results [batch, steps, ...] of the last steps to NaN from the first step of each row
  // whose key or value is not finite, masked or not. In predict, a weight of 0 times such a number
  // has the same effect.
  void propagate_nan(Tensor& results) const;
  // Returns the mean of all inputs so far, [batch, features].
  [[nodiscard]] Tensor means() const;

  // Returns the whole cache as tensors: keys and values [batch, longest, width]; the numbers of
  // their steps [batch, longest, 1], counted from 1, with 0 for an unused place; sums of the inputs
  // [batch, features]; the number of steps so far [1].
  [[nodiscard]] Tensors tensors() const;
  // Throws ShapeError or ValueError, naming the layer, unless set() can read these tensors.
  void check(const Tensors& tensors, const std::string& layer) const;
  void set(const Tensors& tensors);
  // Forgets all steps; the memory stays allocated.
  void reset();

 private:
  [[nodiscard]] Dim longest() const;
  void open(Dim batch, const std::array<Dim, 3>& widths, Dim features);
  // Removes keys that no later step sees.
  void remove_old();
  void grow(Dim capacity);

  Dim window_ = 0;
  Dim seen_ = 0;
  std::vector<Dim> counts_;     // Number of kept steps of each row; empty before the first call.
  std::array<Tensor, 3> rows_;  // Keys, values and step numbers.
  // Number of steps of each row before the first that is not finite.
  std::vector<Dim> finite_steps_;
  Tensor sums_;
};

// Returns the cache of the attention layer that is being called; null outside a stream.
[[nodiscard]] KvCache* take_kv_cache(Frame& frame);

}  // namespace maskflow
