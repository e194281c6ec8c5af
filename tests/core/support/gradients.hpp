// SPDX-License-Identifier: MIT
// Gradients by the tape, and by finite differences.
#pragma once

#include <functional>

#include "layer/layer.hpp"
#include "support/random.hpp"

namespace maskflow::test {

// A computation that can be run anew: with `variables` in place of those that it was made with.
struct Computation {
  Tensors variables;  // float32
  std::function<Tensors(Frame& frame)> run;
};
using MakeComputation = std::function<Computation(const Tensors& variables)>;

// Random cotangents of the float results; no handle for others.
[[nodiscard]] Tensors random_cotangents(Rng& rng, const Tensors& results);

// By the tape; no handle where there is none.
[[nodiscard]] Tensors gradients_of(const Computation& computation, const Tensors& cotangents);

// What is wrong with the gradients: empty when they agree with central differences along random
// directions. Where a function has kinks they agree for one of several step sizes.
[[nodiscard]] std::string check_gradients(const MakeComputation& make, const Tensors& variables,
                                          Rng& rng);

}  // namespace maskflow::test
