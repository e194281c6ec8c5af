// SPDX-License-Identifier: MIT
#include "layers/layer.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

class GlobalAveragePooling1D final : public Layer {
 public:
  GlobalAveragePooling1D() { supports_masking_ = true; }
  void describe(Fields& fields) override {
    Layer::describe(fields);
    fields.field("data_format", data_format_,
                 "'channels_last' [batch, time, features] or 'channels_first'.");
    fields.field("keepdims", keepdims_, "Keep the time axis with size 1.");
  }
  [[nodiscard]] bool takes_mask() const override { return true; }
  [[nodiscard]] bool folds_time(bool) const override { return true; }
  [[nodiscard]] int min_rank() const override { return 3; }

  Tensors call(const Args& args) override {
    const Tensor x = ops::cast(args.inputs.front(), DType::kFloat32);
    const Dim axis = time_axis();
    const MaskPtr mask = args.mask && !args.mask->empty() ? args.mask->front() : nullptr;
    const std::array<Dim, 1> axes{axis};
    if (mask == nullptr) return {ops::mean(x, axes, keepdims_)};
    // NaN where nothing is kept: 0 / 0, as in Keras. Masked values are chosen away, not multiplied,
    // except that Keras multiplies: a NaN behind the mask shows there too.
    const Tensor weights = ops::expand_dims(ops::cast(mask->values(), DType::kFloat32), 3 - axis);
    const Tensor sum = ops::sum(ops::multiply(x, weights), axes, keepdims_);
    return {ops::divide(sum, ops::sum(weights, axes, keepdims_))};
  }
  std::vector<TensorSpec> output_specs(const Args& args) override {
    Shape shape = args.inputs.front().shape();
    const int axis = static_cast<int>(time_axis());
    if (keepdims_) {
      shape.set(axis, 1);
    } else {
      shape.erase(axis);
    }
    return {{shape, DType::kFloat32}};
  }
  Masks compute_mask(const Tensors&, const Masks&) override { return {}; }

 private:
  [[nodiscard]] Dim time_axis() const { return data_format_ == "channels_first" ? 2 : 1; }
  std::optional<std::string> data_format_ = "channels_last";
  bool keepdims_ = false;
};

const RegisterLayer<GlobalAveragePooling1D> registration{
    "GlobalAveragePooling1D",
    "Mean over time: of the kept steps when there is a mask (NaN where none is kept). The result "
    "has no mask.",
    "GlobalAvgPool1D"};

}  // namespace
}  // namespace maskflow
