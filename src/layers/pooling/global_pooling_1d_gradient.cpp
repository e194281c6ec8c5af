// SPDX-License-Identifier: MIT
#include "layer/layer_gradient.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

struct Settings {
  explicit Settings(Layer& layer) {
    const Dict config = layer.get_config();
    axis = config.find("data_format")->as_string("data_format") == "channels_first" ? 2 : 1;
    keepdims = config.find("keepdims")->as_bool("keepdims");
  }
  Dim axis;
  bool keepdims;
};

// Returns the mask in the rank of the input, or an empty handle without a mask.
Tensor broadcast_mask(const Args& args, Dim axis) {
  const MaskPtr mask = args.mask && !args.mask->empty() ? args.mask->front() : nullptr;
  if (mask == nullptr) return {};
  const Shape& input = args.inputs.front().shape();
  const Tensor broadcast =
      ops::broadcast_to(mask->values(), {input[0], input[static_cast<int>(axis)]});
  return ops::expand_dims(broadcast, axis == 1 ? 2 : 1);
}

// Masked steps are selected away instead of multiplied by 0, because they may be NaN.
Structure average(Layer& layer, const Args& args, Frame& /*frame*/, Tape& /*tape*/) {
  const Settings settings(layer);
  const Tensor& x = args.inputs.front();
  const std::array<Dim, 1> axes{settings.axis};
  const Tensor mask = broadcast_mask(args, settings.axis);
  if (mask.empty_handle()) return {ops::mean(x, axes, settings.keepdims)};
  const Tensor sum =
      ops::sum(ops::where(mask, x, Tensor::scalar(DType::kFloat32, 0)), axes, settings.keepdims);
  const Tensor count = ops::sum(ops::cast(mask, DType::kFloat32), axes, settings.keepdims);
  return {ops::divide(sum, count)};
}

Structure largest(Layer& layer, const Args& args, Frame& /*frame*/, Tape& /*tape*/) {
  const Settings settings(layer);
  return {ops::max(args.inputs.front(), settings.axis, settings.keepdims)};
}

constexpr LayerGradient kGradients[] = {{"GlobalAveragePooling1D", average},
                                        {"GlobalMaxPooling1D", largest}};
const RegisterLayerGradients registration{kGradients};

}  // namespace
}  // namespace maskflow
