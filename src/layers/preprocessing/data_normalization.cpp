// SPDX-License-Identifier: MIT
#include <algorithm>

#include "layer/layer.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

void append_numbers(const Value& value, std::vector<float>& numbers) {
  if (!value.is_list()) {
    numbers.push_back(static_cast<float>(value.as_number("mean and variance")));
    return;
  }
  for (const Value& item : value.as_list("")) append_numbers(item, numbers);
}
// Converts a number, or nested lists of numbers, to a tensor.
Tensor tensor_of(const Value& value) {
  Shape shape;
  for (const Value* list = &value; list->is_list() && !list->as_list("").empty();
       list = &list->as_list("").front()) {
    shape.push_back(std::ssize(list->as_list("")));
  }
  std::vector<float> numbers;
  append_numbers(value, numbers);
  if (std::ssize(numbers) != shape.size()) {
    config_error("'mean' and 'variance' must have rows of equal length");
  }
  return Tensor::from<float>(shape, numbers);
}

// Computes (x - mean) / sqrt(variance), where mean and variance are known in advance.
class Normalization final : public Layer {
 public:
  Normalization() { supports_masking_ = true; }
  void describe(Fields& fields) override {
    Layer::describe(fields);
    fields.field("axis", axes_,
                 "Axis or axes with a mean for each index; null or []: one mean for all values.");
    fields.field("mean", mean_, TypeScript{"NumberLists | null"},
                 "A number or nested lists of numbers; null: a weight.");
    fields.field("variance", variance_, TypeScript{"NumberLists | null"},
                 "A number or nested lists of numbers; null: a weight.");
    fields.field("invert", invert_, "Compute the inverse instead: x * sqrt(variance) + mean.");
    if (!axes_) axes_.emplace();
  }
  void check_config() const override {
    if (mean_.is_null() != variance_.is_null()) {
      config_error("'", mean_.is_null() ? "mean" : "variance",
                   "' is missing; set both mean and variance, or neither");
    }
    if (mean_.is_null()) return;
    const Shape mean = tensor_of(mean_).shape();
    const Shape variance = tensor_of(variance_).shape();
    if (mean != variance) {
      config_error("'mean' has shape ", mean, " but 'variance' has ", variance,
                   "; they must be equal");
    }
  }
  void build(const std::vector<Shape>& inputs) override {
    const Shape& input = inputs.front();
    Shape weight_shape;
    full_ = input;
    for (int axis = 0; axis < input.rank(); ++axis) {
      if (is_kept(axis)) {
        weight_shape.push_back(input[axis]);
      } else {
        full_.set(axis, 1);
      }
    }
    if (!mean_.is_null()) return;
    const auto zeros = Initializer("zeros");
    mean_weight_ = add_weight("mean", weight_shape, zeros, false);
    variance_weight_ = add_weight("variance", weight_shape, Initializer("ones"), false);
    add_weight("count", {}, zeros, false, DType::kInt32);
  }
  [[nodiscard]] Streaming streaming(const Shape&) const override {
    return each_step_unless(is_kept(1));
  }
  Structure call(const Args& args, Frame& /*frame*/) override {
    const Tensor x = ops::cast(args.inputs.front(), DType::kFloat32);
    const Tensor mean = on_kept_axes(mean_weight_ ? mean_weight_->value() : tensor_of(mean_));
    const Tensor variance =
        on_kept_axes(variance_weight_ ? variance_weight_->value() : tensor_of(variance_));
    const Tensor deviation =
        ops::maximum(ops::sqrt(variance), Tensor::scalar(DType::kFloat32, 1e-7));
    if (invert_) return {ops::add(mean, ops::multiply(x, deviation))};
    return {ops::divide(ops::subtract(x, mean), deviation)};
  }
  OutputSpecs output_specs(const Args& args) override {
    return {{args.inputs.front().shape(), DType::kFloat32}};
  }

 private:
  // Reshapes `numbers` to broadcast to the input: its axes become the kept axes, aligned at the
  // last one, and all other axes have size 1.
  [[nodiscard]] Tensor on_kept_axes(const Tensor& numbers) const {
    Shape shape;
    int next = numbers.rank();
    for (int axis = full_.rank() - 1; axis >= 0; --axis) {
      const bool kept = next > 0 && is_kept(axis);
      shape.insert(0, kept ? numbers.shape()[--next] : 1);
    }
    if (next > 0 || !broadcasts_to(shape, full_)) {
      shape_error("mean and variance have shape ", numbers.shape(), " but must fit ", full_,
                  ": the size of the input along 'axis', 1 elsewhere");
    }
    return numbers.reshaped(shape);
  }
  // True for the axes of the setting `axis`, which keep their size in mean and variance.
  [[nodiscard]] bool is_kept(int axis) const {
    return std::ranges::any_of(
        *axes_, [&](int kept) { return normalize_axis(kept, full_.rank()) == axis; });
  }

  std::optional<std::vector<int>> axes_{{-1}};
  Value mean_, variance_;
  bool invert_ = false;
  Shape full_;  // Shape of the input, with size 1 on all but the kept axes.
  VariablePtr mean_weight_, variance_weight_;
};

const RegisterLayer<Normalization> registration{
    "Normalization",
    "(x - mean) / sqrt(variance). Mean and variance come from the config or are weights, which "
    "adapt() computes. Passes the mask through.",
    {.composed = true}};

}  // namespace
}  // namespace maskflow
