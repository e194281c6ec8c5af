// SPDX-License-Identifier: MIT
// All of Keras's activation functions, each once: for the Activation class, the ops, and recurrent
// gates.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "base/doc.hpp"
#include "base/name.hpp"

namespace maskflow::kernels {

// The numbers of a function that has some (slope, threshold, …), in the order of `names`.
using ActivationParameters = std::array<float, 3>;

struct ActivationFunction {
  std::string_view name;  // Keras's
  Doc doc;
  // One of these: n values in place, or one row of n values of the axis. glu, which halves its row,
  // has neither.
  void (*pointwise)(float* x, std::size_t n, const ActivationParameters& p) = nullptr;
  void (*row)(float* x, std::size_t n) = nullptr;
  std::array<Name, 3> names{};
  ActivationParameters defaults{};
};

[[nodiscard]] std::span<const ActivationFunction> activation_functions();

}  // namespace maskflow::kernels
