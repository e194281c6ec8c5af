// SPDX-License-Identifier: MIT
// Gradients computed by the tape and by finite differences.
#pragma once

#include <functional>

#include "layer/layer.hpp"
#include "support/random.hpp"

namespace maskflow::test {

// A computation on `variables`. A MakeComputation creates it again for other variables.
struct Computation {
  Tensors variables;  // float32
  std::function<Tensors(Frame& frame)> run;
};
using MakeComputation = std::function<Computation(const Tensors& variables)>;

// Returns random cotangents of the float results, and empty handles for other results.
[[nodiscard]] Tensors random_cotangents(Rng& rng, const Tensors& results);

// Returns the tape's gradients of the variables, and an empty handle for a variable without one.
[[nodiscard]] Tensors gradients_of(const Computation& computation, const Tensors& cotangents);

// Compares the gradients with central differences along random directions and describes the first
// difference; empty if there is none. Near a kink of a function, one of several step sizes agrees.
[[nodiscard]] std::string check_gradients(const MakeComputation& make, const Tensors& variables,
                                          Rng& rng);

}  // namespace maskflow::test
