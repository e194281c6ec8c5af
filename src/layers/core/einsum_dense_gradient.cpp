// SPDX-License-Identifier: MIT
#include "layer/layer_gradient.hpp"
#include "layers/core/einsum_dense.hpp"
#include "ops/activation_gradient.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

Structure rule(Layer& layer, const Args& args, Frame& /*frame*/, Tape& tape) {
  const auto& dense = static_cast<EinsumDense&>(layer);
  const Tensor x = ops::cast(args.inputs.front(), DType::kFloat32);
  Tensor y = ops::einsum(dense.equation(), std::array{x, dense.kernel()->value()});
  if (dense.bias()) y = ops::add(y, dense.bias()->value());
  return {activate(tape, dense.activation(), y)};
}

constexpr LayerGradient kGradients[] = {{"EinsumDense", rule}};
const RegisterLayerGradients registration{kGradients};

}  // namespace
}  // namespace maskflow
