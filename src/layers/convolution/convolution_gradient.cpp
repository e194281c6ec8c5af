// SPDX-License-Identifier: MIT
#include "layers/convolution/convolution_gradient.hpp"

#include "kernels/gemm_gradient.hpp"
#include "ops/activation_gradient.hpp"
#include "ops/ops.hpp"

namespace maskflow {

Structure record_convolution(ConvolutionLayer& layer, const Args& args, Frame& frame, Tape& tape,
                             ConvolutionGradient gradient) {
  const Tensor x = layer.swapped(ops::cast(args.inputs.front(), DType::kFloat32));
  const Tensor y =
      tape.unrecorded([&] { return layer.convolve(x, layer.output_steps(x.shape()[1]), frame); });
  Tensors kernels;
  Tensors inputs{x};
  for (const VariablePtr& weight : layer.own_weights()) {
    inputs.push_back(weight->value());
    if (weight->name() != "bias") kernels.push_back(weight->value());
  }
  const bool has_bias = kernels.size() + 1 < inputs.size();
  tape.record(
      inputs, {&y, 1},
      [self = layer.shared_from_this(), x, kernels, has_bias, gradient,
       needs_x = tape.tracks(x)](const Tensors& cotangents) {
        const Tensor& g = cotangents[0];
        auto& convolution = static_cast<ConvolutionLayer&>(*self);
        Tensors gradients = gradient({convolution, x, kernels, needs_x}, g);
        if (!has_bias) return gradients;
        const std::size_t width = at(g.shape().back());
        Tensor bias = Tensor::zeros(DType::kFloat32, {g.shape().back()});
        kernels::add_rows({g.floats(), width}, g.size() / width, width, bias.mutable_floats());
        gradients.push_back(bias);
        return gradients;
      });
  return {activate(tape, layer.activation(), layer.swapped(y))};
}

}  // namespace maskflow
