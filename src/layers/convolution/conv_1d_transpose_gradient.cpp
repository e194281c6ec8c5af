// SPDX-License-Identifier: MIT
#include "kernels/copy.hpp"
#include "kernels/gemm_gradient.hpp"
#include "layers/convolution/conv_1d_transpose.hpp"
#include "layers/convolution/convolution_gradient.hpp"

namespace maskflow {
namespace {

// Returns the cotangents of the output rows that each tap of each step was added to,
// [batch * time, taps * filters]; zeros for rows that were cut off.
kernels::Floats gather(const Conv1DTranspose& layer, Dim time, const Tensor& g) {
  const Window& window = layer.window();
  const Dim steps = g.shape()[1];
  const std::size_t width = at(g.shape()[2]);
  kernels::Floats parts((Count(g.shape()[0] * time) * window.taps() * width).of<float>());
  float* to = parts.data();
  const float* from = g.floats();
  for (Dim batch = 0; batch < g.shape()[0]; ++batch, from += at(steps) * width) {
    for (Dim t = 0; t < time; ++t) {
      for (Dim tap = 0; tap < window.kernel_size[0]; ++tap, to += width) {
        const Dim step = t * window.stride() + tap * window.dilation() - layer.cut();
        if (step >= 0 && step < steps) {
          kernels::copy(from + at(step) * width, to, width);
        } else {
          kernels::clear(to, width);
        }
      }
    }
  }
  return parts;
}

Tensors gradients_of(const RecordedConvolution& call, const Tensor& g) {
  const Tensor& kernel = call.kernels.front();  // [taps, filters, channels]
  const std::size_t channels = at(kernel.shape()[2]);
  const std::size_t width = at(kernel.shape()[0] * kernel.shape()[1]);
  const std::size_t rows = at(call.x.shape()[0] * call.x.shape()[1]);
  const kernels::Floats parts =
      gather(static_cast<Conv1DTranspose&>(call.layer), call.x.shape()[1], g);
  Tensor kernel_gradient = Tensor::zeros(DType::kFloat32, kernel.shape());
  kernels::add_outer({parts.data(), width}, {call.x.floats(), channels}, rows, width, channels,
                     kernel_gradient.mutable_floats(), channels);
  if (!call.needs_x) return {{}, kernel_gradient};
  Tensor x_gradient(DType::kFloat32, call.x.shape());
  kernels::matmul(parts.data(), kernel.floats(), x_gradient.mutable_floats(), rows, width,
                  channels);
  return {x_gradient, kernel_gradient};
}

Structure rule(Layer& layer, const Args& args, Frame& frame, Tape& tape) {
  return record_convolution(static_cast<ConvolutionLayer&>(layer), args, frame, tape, gradients_of);
}

constexpr LayerGradient kGradients[] = {{"Conv1DTranspose", rule}};
const RegisterLayerGradients registration{kGradients};

}  // namespace
}  // namespace maskflow
