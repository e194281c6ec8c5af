// SPDX-License-Identifier: MIT
#include "kernels/depthwise.hpp"
#include "kernels/gemm_gradient.hpp"
#include "layers/convolution/convolution_gradient.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

// The depthwise part of a call: x with its padding, each channel repeated as often as it is used,
// and a kernel [taps, width].
struct Depthwise {
  Depthwise(const RecordedConvolution& call, Dim output_steps)
      : window(call.layer.window()),
        kernel(call.kernels.front()),
        padded(window.padded(call.x, 1)),
        width(at(kernel.shape()[1] * kernel.shape()[2])),
        time(call.x.shape()[1]),
        steps(output_steps) {
    repeated = ops::repeat(padded, kernel.shape()[2], 2);
    first = window.starts(at(padded.shape()[0]), padded.shape()[1], steps);
  }
  [[nodiscard]] std::size_t step() const { return at(window.dilation()) * width; }

  [[nodiscard]] Tensor result() const {
    Tensor y(DType::kFloat32, {padded.shape()[0], steps, static_cast<Dim>(width)});
    float* to = y.mutable_floats();
    for (const std::int32_t row : first) {
      kernels::depthwise(repeated.floats() + at(row) * width, step(), kernel.floats(),
                         window.taps(), nullptr, to, width);
      to += width;
    }
    return y;
  }

  // Returns the gradients of x and of the kernel.
  [[nodiscard]] Tensors gradients(const Tensor& cotangent) const {
    Tensor kernel_gradient = Tensor::zeros(DType::kFloat32, kernel.shape());
    Tensor repeated_gradient = Tensor::zeros(DType::kFloat32, repeated.shape());
    const float* const x = repeated.floats();
    const float* const w = kernel.floats();
    const float* g = cotangent.floats();
    float* const dx = repeated_gradient.mutable_floats();
    float* const dw = kernel_gradient.mutable_floats();
    for (const std::int32_t row : first) {
      std::size_t from = at(row) * width;
      for (std::size_t tap = 0; tap < window.taps(); ++tap, from += step()) {
        for (std::size_t i = 0; i < width; ++i) {
          dw[tap * width + i] += x[from + i] * g[i];
          dx[from + i] += w[tap * width + i] * g[i];
        }
      }
      g += width;
    }
    // The gradient of a channel is the sum over its repetitions.
    const Shape& shape = padded.shape();
    const Tensor repetitions =
        repeated_gradient.reshaped({shape[0], shape[1], shape[2], kernel.shape()[2]});
    const Tensor padded_gradient = ops::sum(repetitions, {3});
    const Dim before = window.padded_before(time);
    return {ops::slice_axis(padded_gradient, 1, before, before + time), kernel_gradient};
  }

  const Window& window;
  const Tensor& kernel;
  Tensor padded, repeated;
  std::size_t width;
  Dim time, steps;
  std::vector<std::int32_t> first;
};

Tensors depthwise_gradients(const RecordedConvolution& call, const Tensor& g) {
  return Depthwise(call, g.shape()[1]).gradients(g);
}

Tensors separable_gradients(const RecordedConvolution& call, const Tensor& g) {
  const Depthwise depthwise(call, g.shape()[1]);
  const Tensor& kernel = call.kernels[1];  // [1, width, filters]
  const std::size_t filters = at(g.shape()[2]);
  const std::size_t rows = at(g.shape()[0] * g.shape()[1]);
  Tensor middle = depthwise.result();
  Tensor kernel_gradient = Tensor::zeros(DType::kFloat32, kernel.shape());
  kernels::add_outer({middle.floats(), depthwise.width}, {g.floats(), filters}, rows,
                     depthwise.width, filters, kernel_gradient.mutable_floats(), filters);
  kernels::multiply_transposed({g.floats(), filters}, rows, kernel.floats(), depthwise.width,
                               filters, middle.mutable_floats());
  Tensors gradients = depthwise.gradients(middle);
  gradients.push_back(kernel_gradient);
  return gradients;
}

template <ConvolutionGradient kGradient>
Structure rule(Layer& layer, const Args& args, Frame& frame, Tape& tape) {
  return record_convolution(static_cast<ConvolutionLayer&>(layer), args, frame, tape, kGradient);
}

constexpr LayerGradient kGradients[] = {{"DepthwiseConv1D", rule<depthwise_gradients>},
                                        {"SeparableConv1D", rule<separable_gradients>}};
const RegisterLayerGradients registration{kGradients};

}  // namespace
}  // namespace maskflow
