// SPDX-License-Identifier: MIT
// Keras's activation functions. The Activation class, the ops and recurrent gates share them.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "base/doc.hpp"
#include "base/name.hpp"

namespace maskflow::kernels {

// Parameters of a function, such as slope and threshold, in the order of `names`.
using ActivationParameters = std::array<float, 3>;

struct ActivationFunction {
  std::string_view name;  // Keras's name
  Doc doc;
  // A function has one of these: `pointwise` changes n values in place, `row` one row of n values
  // along the axis. glu, which halves its row, has neither.
  void (*pointwise)(float* x, std::size_t n, const ActivationParameters& p) = nullptr;
  void (*row)(float* x, std::size_t n) = nullptr;
  std::array<Name, 3> names{};
  ActivationParameters defaults{};
};

[[nodiscard]] std::span<const ActivationFunction> activation_functions();

// out = tanh(in); both may be the same.
void tanh_row(const float* in, float* out, std::size_t n);

}  // namespace maskflow::kernels
