// SPDX-License-Identifier: MIT
#include "ops/activation_gradient.hpp"

#include "layer/layer_gradient.hpp"
#include "layers/activation/activation.hpp"

namespace maskflow {
namespace {

Structure activation(Layer& layer, const Args& args, Frame& frame, Tape& tape) {
  const auto& self = static_cast<ActivationLayer&>(layer);
  const Tensor& x = args.inputs.front();
  // Integers have no derivative.
  if (self.result_dtype(x.dtype()) != DType::kFloat32) return layer.call(args, frame);
  return {activate(tape, self.activation(), ops::cast(x, DType::kFloat32))};
}

constexpr LayerGradient kGradients[] = {{"Activation", activation}};
const RegisterLayerGradients registration{kGradients};

}  // namespace
}  // namespace maskflow
