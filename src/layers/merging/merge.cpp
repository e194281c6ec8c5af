// SPDX-License-Identifier: MIT
#include <algorithm>

#include "layer/layer.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

// Puts tensors together element by element; the class name is that of the op that does it. Smaller
// shapes broadcast, lower ranks are filled up behind the batch.
class Merge final : public Layer {
 public:
  Merge() {
    supports_masking_ = true;
    streaming_ = Streaming::kEachStep;
  }

  [[nodiscard]] bool takes_list() const override { return true; }
  // Products, the largest and the least look at masks.
  [[nodiscard]] bool each_row_alone() const override {
    return class_name() == "Add" || class_name() == "Subtract" || class_name() == "Average";
  }
  Structure call(const Args& args, Frame& /*frame*/) override {
    check(args);
    const int rank = highest_rank(args.inputs);
    Tensors inputs;
    for (const Tensor& input : args.inputs) {
      // A new shape is a new tensor: it has no mask.
      inputs.push_back(input.rank() == rank ? input : input.reshaped(filled(input.shape(), rank)));
    }
    if (class_name() == "Multiply") return {product(inputs)};
    if (class_name() == "Maximum" || class_name() == "Minimum") return {extreme(inputs)};
    const bool average = class_name() == "Average";
    Tensor result = inputs.front();
    for (std::size_t i = 1; i < inputs.size(); ++i) {
      result = ops::binary(average ? "Add" : class_name().c_str(), result, inputs[i]);
    }
    // Of one tensor the result is that very tensor, as in Keras.
    if (!average) return {result};
    const auto count = static_cast<double>(inputs.size());
    return {ops::divide(result, Tensor::scalar(DType::kFloat32, count))};
  }

  OutputSpecs output_specs(const Args& args) override {
    check(args);
    const int rank = highest_rank(args.inputs);
    TensorSpec spec{filled(args.inputs.front().shape(), rank), args.inputs.front().dtype()};
    for (const Tensor& input : args.inputs) {
      spec.shape = broadcast(spec.shape, filled(input.shape(), rank));
      spec.dtype = std::max(spec.dtype, input.dtype());
    }
    if (class_name() == "Average") spec.dtype = DType::kFloat32;
    return {spec};
  }

  // A step is kept when one input keeps it; without a mask all of them are, which needs no mask.
  Masks compute_mask(const Tensors&, const Masks& masks) override {
    if (masks.empty() || std::ranges::count(masks, nullptr) > 0) return {};
    MaskPtr result = masks.front();
    for (std::size_t i = 1; i < masks.size(); ++i) {
      // The very same mask keeps its compiled plan. Graphs get the op, as in Keras.
      if (masks[i] == result && !result->values().is_symbolic()) continue;
      result = make_mask(ops::binary("LogicalOr", result->values(), masks[i]->values()));
    }
    return {result};
  }

 private:
  void check(const Args& args) const {
    const std::size_t count = args.inputs.size();
    if (!args.list || !args.keys.empty())
      value_error(class_name(),
                  " takes a list of tensors, not a single one; nested arrays are one, so call "
                  "tensor() on each");
    if (class_name() == "Subtract" && count != 2) {
      value_error("Subtract takes 2 tensors but was given ", count);
    }
    Dim batch = kUnknown;
    for (const Tensor& input : args.inputs) {
      const Dim other = input.rank() == 0 ? kUnknown : input.shape()[0];
      if (batch == kUnknown) batch = other;
      if (batch != other && other != kUnknown) {
        shape_error("the batches of ", args.inputs.front().shape(), " and ", input.shape(),
                    " differ: ", batch, " and ", other, "; they must be equal");
      }
    }
  }
  static int highest_rank(const Tensors& inputs) {
    int rank = 0;
    for (const Tensor& input : inputs) rank = std::max(rank, input.rank());
    return rank;
  }
  static Shape filled(Shape shape, int rank) {
    while (shape.rank() < rank) shape.insert(1, 1);
    return shape;
  }
  // The mask of x for each of its elements; no handle when it has none.
  static Tensor keep_of(const Tensor& x) {
    if (x.mask() == nullptr) return {};
    const Tensor keep = ops::expand_dims(x.mask()->values(), -1);
    if (!broadcasts_to(keep.shape(), x.shape())) {
      shape_error("the mask has shape ", x.mask()->shape(), " for an input of shape ", x.shape(),
                  "; it must have all its dimensions but the last");
    }
    return keep;
  }

  // What is masked counts as 1, and as 0 where it is masked in all inputs.
  Tensor product(const Tensors& inputs) {
    Tensor result;
    for (const Tensor& x : inputs) {
      const Tensor keep = keep_of(x);
      const Tensor factor =
          keep.empty_handle() ? x : ops::where(keep, x, Tensor::scalar(x.dtype(), 1));
      result = result.empty_handle() ? factor : ops::multiply(result, factor);
    }
    const Masks merged = compute_mask(inputs, masks_of(inputs));
    if (merged.empty()) return result.with_mask(nullptr);
    const Tensor kept = ops::expand_dims(merged.front()->values(), -1);
    return ops::where(kept, result, Tensor::scalar(result.dtype(), 0)).with_mask(merged.front());
  }

  // What is masked does not compete.
  Tensor extreme(const Tensors& inputs) const {
    Tensor result = inputs.front();
    if (inputs.size() == 1) return result;  // (again that very tensor)
    Tensor kept = keep_of(result);
    for (std::size_t i = 1; i < inputs.size(); ++i) {
      Tensor x = inputs[i];
      const Tensor keep = keep_of(x);
      if (!keep.empty_handle()) x = ops::where(keep, x, result);
      if (!kept.empty_handle()) result = ops::where(kept, result, x);
      if (keep.empty_handle() || kept.empty_handle()) {
        kept = {};
      } else {
        kept = ops::binary("LogicalOr", kept, keep);
      }
      result = ops::binary(class_name().c_str(), result, x);
    }
    return result.with_mask(nullptr);
  }
};

// All of them hand on the OR of the masks, and none if an input has none.
const RegisterLayer<Merge> add{
    "Add",
    "The sum of a list of tensors. The result is masked where all of them are; it has no mask if "
    "one of them has none."};
const RegisterLayer<Merge> subtract{
    "Subtract",
    "The first of two tensors minus the second. The result is masked where both are; it has no "
    "mask if one of them has none."};
const RegisterLayer<Merge> multiply{
    "Multiply",
    "The product of a list of tensors. What is masked counts as 1; the result is 0 and masked "
    "where all of them are masked, and has no mask if one of them has none."};
const RegisterLayer<Merge> average{
    "Average",
    "The mean of a list of tensors. The result is masked where all of them are; it has no mask if "
    "one of them has none."};
const RegisterLayer<Merge> maximum{
    "Maximum",
    "The largest of a list of tensors, element by element. What is masked does not compete. The "
    "result is masked where all of them are, and has no mask if one of them has none."};
const RegisterLayer<Merge> minimum{
    "Minimum",
    "The smallest of a list of tensors, element by element. What is masked does not compete. The "
    "result is masked where all of them are, and has no mask if one of them has none."};

}  // namespace
}  // namespace maskflow
