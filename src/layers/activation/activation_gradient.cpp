// SPDX-License-Identifier: MIT
#include "ops/activation_gradient.hpp"

#include "layer/layer_gradient.hpp"
#include "layers/activation/activation.hpp"

namespace maskflow {
namespace {

Structure activation(Layer& layer, const Args& args, Frame&, Tape& tape) {
  return {activate(tape, static_cast<ActivationLayer&>(layer).activation(),
                   ops::cast(args.inputs.front(), DType::kFloat32))};
}

constexpr LayerGradient kGradients[] = {{"Activation", activation}};
const RegisterLayerGradients registration{kGradients};

}  // namespace
}  // namespace maskflow
