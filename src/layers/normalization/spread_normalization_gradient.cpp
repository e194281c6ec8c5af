// SPDX-License-Identifier: MIT
#include "layer/layer_gradient.hpp"
#include "layers/normalization/normalization.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

Structure rule(Layer& layer, const Args& args, Frame& /*frame*/, Tape& /*tape*/) {
  const auto& normalization = static_cast<const SpreadNormalization&>(layer);
  return {normalization.normalize_with_ops(ops::cast(args.inputs.front(), DType::kFloat32))};
}

constexpr LayerGradient kGradients[] = {{"LayerNormalization", rule}, {"RMSNormalization", rule}};
const RegisterLayerGradients registration{kGradients};

}  // namespace
}  // namespace maskflow
