// SPDX-License-Identifier: MIT
#include "layer/layer_gradient.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

// Keras multiplies by the mask, so the gradient of a masked step is zero.
Structure rule(Layer& layer, const Args& args, Frame& frame, Tape& tape) {
  const Structure results = tape.unrecorded([&] { return layer.call(args, frame); });
  const MaskPtr mask = results.tensors.front().mask();
  const Tensor keep = ops::expand_dims(mask->values(), -1);
  const Tensor zero = Tensor::scalar(DType::kFloat32, 0);
  return {ops::where(keep, args.inputs.front(), zero).with_mask(mask)};
}

constexpr LayerGradient kGradients[] = {{"Masking", rule}};
const RegisterLayerGradients registration{kGradients};

}  // namespace
}  // namespace maskflow
