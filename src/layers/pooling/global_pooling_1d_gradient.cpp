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

// 1 for the steps that count, in the rank of the input; no handle: all do.
Tensor kept_steps(const Args& args, Dim axis) {
  const MaskPtr mask = args.mask && !args.mask->empty() ? args.mask->front() : nullptr;
  if (mask == nullptr) return {};
  const Shape& input = args.inputs.front().shape();
  Dict shape;
  shape["shape"] = List{input[0], input[static_cast<int>(axis)]};
  const Tensor kept = apply_op1("BroadcastTo", {&mask->values(), 1}, shape);
  return ops::expand_dims(kept, axis == 1 ? 2 : 1);
}

// Selected, not multiplied: what is behind the mask may be NaN.
Structure average(Layer& layer, const Args& args, Frame& /*frame*/, Tape& /*tape*/) {
  const Settings settings(layer);
  const Tensor& x = args.inputs.front();
  const std::array<Dim, 1> axes{settings.axis};
  const Tensor kept = kept_steps(args, settings.axis);
  if (kept.empty_handle()) return {ops::mean(x, axes, settings.keepdims)};
  const Tensor sum =
      ops::sum(ops::where(kept, x, Tensor::scalar(DType::kFloat32, 0)), axes, settings.keepdims);
  const Tensor count = ops::sum(ops::cast(kept, DType::kFloat32), axes, settings.keepdims);
  return {ops::divide(sum, count)};
}

Structure largest(Layer& layer, const Args& args, Frame& /*frame*/, Tape& /*tape*/) {
  const Settings settings(layer);
  Dict attributes;
  attributes["axis"] = static_cast<double>(settings.axis);
  attributes["keepdims"] = settings.keepdims;
  return {apply_op1("Max", {&args.inputs.front(), 1}, attributes)};
}

constexpr LayerGradient kGradients[] = {{"GlobalAveragePooling1D", average},
                                        {"GlobalMaxPooling1D", largest}};
const RegisterLayerGradients registration{kGradients};

}  // namespace
}  // namespace maskflow
