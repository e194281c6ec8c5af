// SPDX-License-Identifier: MIT
// Gradients computed by the tape and by finite differences.
#pragma once

#include <functional>

#include "layer/layer.hpp"
#include "support/random.hpp"

namespace maskflow::test {

// A computation on `variables`, which a MakeComputation can create again for other variables.
struct Computation {
  Tensors variables;  // float32
  std::function<Tensors(Frame& frame)> run;
};
using MakeComputation = std::function<Computation(const Tensors& variables)>;

// Random cotangents of the float results; empty handles for other results.
[[nodiscard]] Tensors random_cotangents(Rng& rng, const Tensors& results);

// Gradients of the variables by the tape; an empty handle for a variable without a gradient.
[[nodiscard]] Tensors gradients_of(const Computation& computation, const Tensors& cotangents);

// Compares the gradients with central differences along random directions and describes the first
// difference; empty if there is none. Near a kink of a function, one of several step sizes agrees.
[[nodiscard]] std::string check_gradients(const MakeComputation& make, const Tensors& variables,
                                          Rng& rng);

}  // namespace maskflow::test
