// SPDX-License-Identifier: MIT
#include "kernels/depthwise.hpp"
#include "kernels/gemm_gradient.hpp"
#include "layers/convolution/convolution_gradient.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

// The part of a call that mixes no channels: x with its padding, each channel as often as it is
// used, under a kernel [taps, width].
struct Depthwise {
  Depthwise(const RecordedConvolution& call, Dim output_steps)
      : window(call.layer.window()),
        kernel(call.kernels.front()),
        padded(window.padded(call.x, 1)),
        width(at(kernel.shape()[1] * kernel.shape()[2])),
        time(call.x.shape()[1]),
        steps(output_steps) {
    Dict repeats;
    repeats["repeats"] = kernel.shape()[2];
    repeats["axis"] = 2;
    repeated = apply_op1("Repeat", {&padded, 1}, repeats);
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

  // Those of x and of the kernel.
  [[nodiscard]] Tensors gradients(const Tensor& cotangent) const {
    Tensor of_kernel = Tensor::zeros(DType::kFloat32, kernel.shape());
    Tensor of_repeated = Tensor::zeros(DType::kFloat32, repeated.shape());
    const float* const x = repeated.floats();
    const float* const w = kernel.floats();
    const float* g = cotangent.floats();
    float* const dx = of_repeated.mutable_floats();
    float* const dw = of_kernel.mutable_floats();
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
    // Added up over the uses of a channel.
    const Shape& shape = padded.shape();
    const Tensor uses = of_repeated.reshaped({shape[0], shape[1], shape[2], kernel.shape()[2]});
    const Tensor of_padded = ops::sum(uses, std::array<Dim, 1>{3}, false);
    const Dim before = window.padded_before(time);
    return {ops::slice_axis(of_padded, 1, before, before + time), of_kernel};
  }

  const Window& window;
  const Tensor& kernel;
  Tensor padded, repeated;
  std::size_t width;
  Dim time, steps;
  std::vector<std::int32_t> first;
};

Tensors depthwise_back(const RecordedConvolution& call, const Tensor& g) {
  return Depthwise(call, g.shape()[1]).gradients(g);
}

Tensors separable_back(const RecordedConvolution& call, const Tensor& g) {
  const Depthwise depthwise(call, g.shape()[1]);
  const Tensor& kernel = call.kernels[1];  // [1, width, filters]
  const std::size_t filters = at(g.shape()[2]);
  const std::size_t rows = at(g.shape()[0] * g.shape()[1]);
  Tensor middle = depthwise.result();
  Tensor of_kernel = Tensor::zeros(DType::kFloat32, kernel.shape());
  kernels::add_outer({middle.floats(), depthwise.width}, {g.floats(), filters}, rows,
                     depthwise.width, filters, of_kernel.mutable_floats(), filters);
  kernels::multiply_transposed({g.floats(), filters}, rows, kernel.floats(), depthwise.width,
                               filters, middle.mutable_floats());
  Tensors gradients = depthwise.gradients(middle);
  gradients.push_back(of_kernel);
  return gradients;
}

template <ConvolutionBack kBack>
Structure rule(Layer& layer, const Args& args, Frame& frame, Tape& tape) {
  return record_convolution(static_cast<ConvolutionLayer&>(layer), args, frame, tape, kBack);
}

constexpr LayerGradient kGradients[] = {{"DepthwiseConv1D", rule<depthwise_back>},
                                        {"SeparableConv1D", rule<separable_back>}};
const RegisterLayerGradients registration{kGradients};

}  // namespace
}  // namespace maskflow
