// SPDX-License-Identifier: MIT
#include "support/naive_conv.hpp"

#include <algorithm>

#include "support/layers.hpp"

namespace maskflow::test {
namespace {

std::size_t at(Dim n) { return static_cast<std::size_t>(n); }

// Returns the number of padding steps before the input, and the number of outputs.
std::pair<Dim, Dim> extent(Dim time, Dim span, const NaiveWindow& w) {
  if (w.padding == "valid") return {0, (time - span) / w.stride + 1};
  const Dim steps = (time + w.stride - 1) / w.stride;
  if (w.padding == "causal") return {span - 1, steps};
  return {std::max<Dim>(0, (steps - 1) * w.stride + span - time) / 2, steps};
}

}  // namespace

Tensor naive_conv(const Tensor& x, const Tensor& kernel, const Tensor& bias, const NaiveWindow& w) {
  const Dim batch = x.shape()[0];
  const Dim time = x.shape()[1];
  const Dim channels = x.shape()[2];
  const Dim taps = kernel.shape()[0];
  const Dim depth = kernel.shape()[1];
  const Dim filters = kernel.shape()[2];
  const auto [before, steps] = extent(time, (taps - 1) * w.dilation + 1, w);
  const std::vector<double> in = numbers(x);
  const std::vector<double> weights = numbers(kernel);
  const std::vector<double> start =
      bias.empty_handle() ? std::vector<double>(at(filters), 0.0) : numbers(bias);
  Tensor result(DType::kFloat32, {batch, steps, filters});
  float* out = result.mutable_floats();
  for (Dim b = 0; b < batch; ++b) {
    for (Dim t = 0; t < steps; ++t) {
      for (Dim f = 0; f < filters; ++f) {
        const Dim group = f / (filters / w.groups);
        double sum = start[at(f)];
        for (Dim k = 0; k < taps; ++k) {
          const Dim from = t * w.stride + k * w.dilation - before;
          if (from < 0 || from >= time) continue;
          for (Dim c = 0; c < depth; ++c) {
            sum += in[at((b * time + from) * channels + group * depth + c)] *
                   weights[at((k * depth + c) * filters + f)];
          }
        }
        *out++ = static_cast<float>(sum);
      }
    }
  }
  return result;
}

Tensor swapped(const Tensor& x) {
  return apply_op1("Transpose", {&x, 1}, dict({{"axes", list({0, 2, 1})}}));
}

}  // namespace maskflow::test
