// SPDX-License-Identifier: MIT
#include "layer/layer_gradient.hpp"
#include "layers/pooling/pooling_1d.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

// Adds the gradient of the maximum of one window of rows. Of equal values, the first gets it.
void add_max(const float* x, std::size_t rows, std::size_t width, const float* g, float* dx) {
  for (std::size_t i = 0; i < width; ++i) {
    std::size_t best = 0;
    for (std::size_t row = 1; row < rows; ++row) {
      if (x[row * width + i] > x[best * width + i]) best = row;
    }
    dx[best * width + i] += g[i];
  }
}
// Adds the gradient of the mean of one window of rows.
void add_mean(std::size_t rows, std::size_t width, const float* g, float* dx) {
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < width; ++i) {
      dx[row * width + i] += g[i] / static_cast<float>(rows);
    }
  }
}

Tensor gradient(const Pooling1D& layer, const Tensor& x, const Tensor& g) {
  Tensor result = Tensor::zeros(DType::kFloat32, x.shape());
  const Dim time = x.shape()[1];
  const std::size_t width = at(x.shape()[2]);
  const float* from = x.floats();
  const float* cotangent = g.floats();
  float* to = result.mutable_floats();
  for (Dim b = 0; b < x.shape()[0]; ++b) {
    for (Dim step = 0; step < g.shape()[1]; ++step, cotangent += width) {
      const auto [first, last] = layer.window(step, time, g.shape()[1]);
      const std::size_t start = at(first) * width;
      const std::size_t rows = at(last - first);
      if (layer.is_max()) {
        add_max(from + start, rows, width, cotangent, to + start);
      } else {
        add_mean(rows, width, cotangent, to + start);
      }
    }
    from += at(time) * width;
    to += at(time) * width;
  }
  return result;
}

Structure rule(Layer& layer, const Args& args, Frame& frame, Tape& tape) {
  const Structure results = tape.unrecorded([&] { return layer.call(args, frame); });
  const Tensor& x = args.inputs.front();
  tape.record(
      {&x, 1}, results.tensors, [self = layer.shared_from_this(), x](const Tensors& g) -> Tensors {
        const auto& pooling = static_cast<Pooling1D&>(*self);
        return {pooling.swapped(gradient(pooling, pooling.swapped(x), pooling.swapped(g[0])))};
      });
  return results;
}

constexpr LayerGradient kGradients[] = {{"AdaptiveAveragePooling1D", rule},
                                        {"AdaptiveMaxPooling1D", rule},
                                        {"AveragePooling1D", rule},
                                        {"MaxPooling1D", rule}};
const RegisterLayerGradients registration{kGradients};

}  // namespace
}  // namespace maskflow
