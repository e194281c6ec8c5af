// SPDX-License-Identifier: MIT
#include <algorithm>

#include "layer/layer.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

class Softmax final : public Layer {
 public:
  Softmax() { supports_masking_ = true; }
  void describe(Fields& fields) override {
    Layer::describe(fields);
    fields.field("axis", axes_, "Axis, or axes, along which the result sums to 1.");
  }
  [[nodiscard]] Streaming streaming(const Shape& input) const override {
    const auto is_time = [&](int axis) { return normalize_axis(axis, input.rank()) == 1; };
    return each_step_unless(std::ranges::any_of(axes_, is_time));
  }
  [[nodiscard]] bool takes_mask() const override { return true; }

  Structure call(const Args& args, Frame& /*frame*/) override {
    const Tensor x = ops::cast(args.inputs.front(), DType::kFloat32);
    const MaskPtr mask = args.mask && !args.mask->empty() ? args.mask->front() : nullptr;
    if (mask == nullptr) return {along_axes(x)};
    check_mask(mask->shape(), x.shape());
    // Keras rounds a float mask here; in all other layers, any number but 0 marks data.
    const Tensor half = Tensor::scalar(DType::kFloat32, 0.5);
    const Tensor keep = ops::greater(mask->original(), half);
    const auto number = [](double value) { return Tensor::scalar(DType::kFloat32, value); };
    return {ops::where(keep, along_axes(ops::where(keep, x, number(-1e9))), number(0))};
  }

  [[nodiscard]] Dict get_config() override {
    Dict config = Layer::get_config();
    if (axes_.size() == 1) config["axis"] = axes_.front();
    return config;
  }

 private:
  static void check_mask(const Shape& mask, const Shape& input) {
    if (!broadcasts_to(mask, input)) {
      shape_error("the mask has shape ", mask, " for an input of shape ", input,
                  "; Softmax aligns the last axes, so each dimension must be equal or 1");
    }
  }

  [[nodiscard]] Tensor along_axes(const Tensor& x) const { return ops::softmax(x, axes_); }

  std::vector<int> axes_{-1};
};

const RegisterLayer<Softmax> registration{
    "Softmax",
    "Softmax along an axis. A mask, broadcast to the input from the last axes, sets the "
    "probability of masked elements to 0.",
    {.composed = true, .built_at_init = true, .in_tfjs = true}};

}  // namespace
}  // namespace maskflow
