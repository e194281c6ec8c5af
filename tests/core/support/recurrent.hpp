// SPDX-License-Identifier: MIT
// A recurrent layer with random weights on a random batch with a random mask.
#pragma once

#include "support/layers.hpp"
#include "support/naive_rnn.hpp"

namespace maskflow::test {

using Keep = std::vector<std::uint8_t>;

struct RecurrentCase {
  Kind kind;
  int batch, time, features, units;
  Tensor x;
  Keep keep;
  LayerPtr layer;

  // Creates a case with random sizes, which are small but on both sides of every vector width.
  RecurrentCase(Kind kind, Rng& rng, Entries settings);
  // Returns a layer with the same weights and other settings.
  [[nodiscard]] LayerPtr with(Entries settings) const;
  // Returns the outputs of `layer` on x with the mask.
  [[nodiscard]] Tensors masked_call() const { return call(*layer, masked(x, keep)); }
  [[nodiscard]] Tensors weights() const;
  [[nodiscard]] Tensors random_states(Rng& rng) const;
  [[nodiscard]] bool kept(int row, int t) const {
    return keep[static_cast<std::size_t>(row * time + t)] != 0;
  }
};

// Returns x with `value` in all masked steps.
[[nodiscard]] Tensor with_masked_steps(const Tensor& x, const Keep& keep, float value);
// Returns rows [first, first + count) of the first axis.
[[nodiscard]] Tensor batch_rows(const Tensor& x, int first, int count);
// Returns x [batch, time, ...] with time reversed.
[[nodiscard]] Tensor reversed_time(const Tensor& x);
// Returns step t of x [batch, time, ...], as [batch, ...].
[[nodiscard]] Tensor time_step(const Tensor& x, int t);

}  // namespace maskflow::test
