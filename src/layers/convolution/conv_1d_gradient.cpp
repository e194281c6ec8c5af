// SPDX-License-Identifier: MIT
#include "layers/convolution/convolution_gradient.hpp"
#include "layers/convolution/window_product_gradient.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

Tensors gradients_of(const RecordedConvolution& call, const Tensor& g) {
  const Window& window = call.layer.window();
  const Tensor& kernel = call.kernels.front();
  const Dim time = call.x.shape()[1];
  const Tensor padded = window.padded(call.x, 1);
  Tensors gradients{{}, Tensor::zeros(DType::kFloat32, kernel.shape())};
  Tensor padded_gradient;
  if (call.needs_x) padded_gradient = Tensor::zeros(DType::kFloat32, padded.shape());
  const WindowProductGradient gradient{kernel, window.dilation(),
                                       at(padded.shape()[2] / kernel.shape()[1])};
  gradient(padded.floats(), window.starts(at(g.shape()[0]), padded.shape()[1], g.shape()[1]),
           g.floats(), call.needs_x ? padded_gradient.mutable_floats() : nullptr,
           gradients[1].mutable_floats());
  if (call.needs_x) {
    const Dim before = window.padded_before(time);
    gradients[0] = ops::slice_axis(padded_gradient, 1, before, before + time);
  }
  return gradients;
}

Structure rule(Layer& layer, const Args& args, Frame& frame, Tape& tape) {
  return record_convolution(static_cast<ConvolutionLayer&>(layer), args, frame, tape, gradients_of);
}

constexpr LayerGradient kGradients[] = {{"Conv1D", rule}};
const RegisterLayerGradients registration{kGradients};

}  // namespace
}  // namespace maskflow
