// SPDX-License-Identifier: MIT
#include "kernels/copy.hpp"
#include "kernels/gemm_gradient.hpp"
#include "layers/convolution/conv_1d_transpose.hpp"
#include "layers/convolution/convolution_gradient.hpp"

namespace maskflow {
namespace {

// What each tap of each step was added to: [batch * time, taps * filters], zeros where it was cut.
kernels::Floats gathered(const Conv1DTranspose& layer, Dim time, const Tensor& g) {
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

Tensors back(const RecordedConvolution& call, const Tensor& g) {
  const Tensor& kernel = call.kernels.front();  // [taps, filters, channels]
  const std::size_t channels = at(kernel.shape()[2]);
  const std::size_t width = at(kernel.shape()[0] * kernel.shape()[1]);
  const std::size_t rows = at(call.x.shape()[0] * call.x.shape()[1]);
  const kernels::Floats parts =
      gathered(static_cast<Conv1DTranspose&>(call.layer), call.x.shape()[1], g);
  Tensor of_kernel = Tensor::zeros(DType::kFloat32, kernel.shape());
  kernels::add_outer({parts.data(), width}, {call.x.floats(), channels}, rows, width, channels,
                     of_kernel.mutable_floats(), channels);
  if (!call.needs_x) return {{}, of_kernel};
  Tensor of_x(DType::kFloat32, call.x.shape());
  kernels::matmul(parts.data(), kernel.floats(), of_x.mutable_floats(), rows, width, channels);
  return {of_x, of_kernel};
}

Structure rule(Layer& layer, const Args& args, Frame& frame, Tape& tape) {
  return record_convolution(static_cast<ConvolutionLayer&>(layer), args, frame, tape, back);
}

constexpr LayerGradient kGradients[] = {{"Conv1DTranspose", rule}};
const RegisterLayerGradients registration{kGradients};

}  // namespace
}  // namespace maskflow
