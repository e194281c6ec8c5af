// SPDX-License-Identifier: MIT
// Functions of one or two numbers that are computed in double and rounded to float32, as data of
// the table entries of elementwise ops.
#pragma once

#include "kernels/elementwise.hpp"

namespace maskflow {

template <double (*F)(double)>
void each_number(const void* const* in, void* out, std::size_t n) {
  const float* const x = static_cast<const float*>(in[0]);
  float* const to = static_cast<float*>(out);
  for (std::size_t i = 0; i < n; ++i) to[i] = static_cast<float>(F(static_cast<double>(x[i])));
}
template <double (*F)(double, double)>
void each_pair(const void* const* in, void* out, std::size_t n) {
  const float* const x = static_cast<const float*>(in[0]);
  const float* const y = static_cast<const float*>(in[1]);
  float* const to = static_cast<float*>(out);
  for (std::size_t i = 0; i < n; ++i) {
    to[i] = static_cast<float>(F(static_cast<double>(x[i]), static_cast<double>(y[i])));
  }
}

template <double (*F)(double)>
constexpr kernels::Elementwise kOne{each_number<F>};
template <double (*F)(double, double)>
constexpr kernels::Elementwise kTwo{each_pair<F>};

}  // namespace maskflow
