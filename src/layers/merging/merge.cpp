// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "kernels/elementwise.hpp"
#include "layer/layer.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

enum class MergeKind : std::uint8_t { kAdd, kSubtract, kAverage, kMultiply, kMaximum, kMinimum };

// The op that combines two tensors; Average divides the sum at the end.
constexpr const char* kOps[] = {"Add", "Subtract", "Add", "Multiply", "Maximum", "Minimum"};

// Combines tensors element by element. Shapes broadcast; a tensor of lower rank first gets axes of
// size 1 after the batch axis.
class Merge final : public Layer {
 public:
  explicit Merge(MergeKind kind) : kind_(kind) {
    supports_masking_ = true;
    streaming_ = Streaming::kEachStep;
  }

  [[nodiscard]] bool takes_list() const override { return true; }
  // As in Keras, only the first call compares the batch sizes: a graph, whose batch is unknown, may
  // add positions [1, time, features].
  void build(const std::vector<Shape>& inputs) override {
    Dim batch = kUnknown;
    for (const Shape& input : inputs) {
      const Dim other = input.rank() == 0 ? kUnknown : input[0];
      if (batch == kUnknown) batch = other;
      if (batch == other || other == kUnknown) continue;
      shape_error("the batch sizes of ", inputs.front(), " and ", input, " differ: ", batch,
                  " and ", other, "; they must be equal");
    }
  }
  // Returns false for Multiply, Maximum and Minimum: they use the masks, which may differ between
  // equal rows.
  [[nodiscard]] bool each_row_alone() const override { return kind_ <= MergeKind::kAverage; }
  Structure call(const Args& args, Frame& /*frame*/) override {
    check(args);
    const int rank = highest_rank(args.inputs);
    Tensors inputs;
    for (const Tensor& input : args.inputs) {
      // A reshaped input is a new tensor, without a mask.
      inputs.push_back(input.rank() == rank ? input
                                            : input.reshaped(extended(input.shape(), rank)));
    }
    for (std::size_t i = 0; args.mask && i < inputs.size() && i < args.mask->size(); ++i) {
      inputs[i] = inputs[i].with_mask((*args.mask)[i]);
    }
    if (kind_ == MergeKind::kMultiply) return {product(inputs)};
    if (kind_ >= MergeKind::kMaximum) return {extreme(inputs)};
    Tensor result = inputs.front();
    for (std::size_t i = 1; i < inputs.size(); ++i) result = ops::binary(op(), result, inputs[i]);
    // As in Keras, a single input is returned as is, except by Average.
    if (kind_ != MergeKind::kAverage) return {result};
    const auto count = static_cast<double>(inputs.size());
    return {ops::divide(result, Tensor::scalar(DType::kFloat32, count))};
  }

  bool write_rows(const RowCall& rows) override {
    if (kind_ > MergeKind::kSubtract || rows.inputs.size() != 2) return false;
    const auto& function = kind_ == MergeKind::kAdd ? kernels::kAdd : kernels::kSubtract;
    const std::array<const void*, 2> operands{rows.inputs[0], rows.inputs[1]};
    function.floats(operands.data(), rows.output, rows.count * rows.width);
    return true;
  }

  OutputSpecs output_specs(const Args& args) override {
    check(args);
    const int rank = highest_rank(args.inputs);
    TensorSpec spec{extended(args.inputs.front().shape(), rank), args.inputs.front().dtype()};
    for (const Tensor& input : args.inputs) {
      spec.shape = broadcast(spec.shape, extended(input.shape(), rank));
      spec.dtype = std::max(spec.dtype, input.dtype());
    }
    if (kind_ == MergeKind::kAverage) spec.dtype = DType::kFloat32;
    return {spec};
  }

  // Returns the logical OR of all masks. An input without a mask keeps every step, so the result
  // has no mask either.
  Masks compute_mask(const Tensors&, const Masks& masks) override {
    if (masks.empty() || std::ranges::count(masks, nullptr) > 0) return {};
    MaskPtr result = masks.front();
    for (std::size_t i = 1; i < masks.size(); ++i) {
      // One mask shared by all inputs keeps its compiled plan. Graphs record the op, as in Keras.
      if (masks[i] == result && !result->values().is_symbolic()) continue;
      result = make_mask(ops::logical_or(result->values(), masks[i]->values()));
    }
    return {result};
  }

 private:
  [[nodiscard]] const char* op() const { return kOps[static_cast<std::size_t>(kind_)]; }
  void check(const Args& args) const {
    const std::size_t count = args.inputs.size();
    if (!args.list || !args.keys.empty())
      value_error(class_name(),
                  " needs a list of tensors; nested arrays count as one tensor, so call tensor() "
                  "on each");
    if (kind_ == MergeKind::kSubtract && count != 2) {
      value_error("Subtract needs 2 tensors but got ", count);
    }
  }
  static int highest_rank(const Tensors& inputs) {
    int rank = 0;
    for (const Tensor& input : inputs) rank = std::max(rank, input.rank());
    return rank;
  }
  // Returns `shape` with axes of size 1 inserted after the batch axis up to this rank.
  static Shape extended(Shape shape, int rank) {
    while (shape.rank() < rank) shape.insert(1, 1);
    return shape;
  }
  // Returns the mask of x with an axis of size 1 for the features, or no handle without a mask.
  static Tensor feature_mask(const Tensor& x) {
    if (x.mask() == nullptr) return {};
    const Tensor keep = ops::expand_dims(x.mask()->values(), -1);
    if (!broadcasts_to(keep.shape(), x.shape())) {
      shape_error("the mask has shape ", x.mask()->shape(), " for an input of shape ", x.shape(),
                  "; it must have all its dimensions but the last");
    }
    return keep;
  }

  // Multiplies the inputs. A masked step counts as 1; where all inputs are masked, the result is 0.
  Tensor product(const Tensors& inputs) {
    Tensor result;
    for (const Tensor& x : inputs) {
      const Tensor keep = feature_mask(x);
      const Tensor factor =
          keep.empty_handle() ? x : ops::where(keep, x, Tensor::scalar(x.dtype(), 1));
      result = result.empty_handle() ? factor : ops::multiply(result, factor);
    }
    const Masks merged = compute_mask(inputs, masks_of(inputs));
    if (merged.empty()) return result.with_mask(nullptr);
    const Tensor keep = ops::expand_dims(merged.front()->values(), -1);
    return ops::where(keep, result, Tensor::scalar(result.dtype(), 0)).with_mask(merged.front());
  }

  // Computes the largest or smallest elements. Masked steps are left out of the comparison.
  Tensor extreme(const Tensors& inputs) const {
    Tensor result = inputs.front();
    // As in Keras, a single input is returned as is.
    if (inputs.size() == 1) return result;
    Tensor result_keep = feature_mask(result);
    for (std::size_t i = 1; i < inputs.size(); ++i) {
      Tensor x = inputs[i];
      const Tensor keep = feature_mask(x);
      if (!keep.empty_handle()) x = ops::where(keep, x, result);
      if (!result_keep.empty_handle()) result = ops::where(result_keep, result, x);
      if (keep.empty_handle() || result_keep.empty_handle()) {
        result_keep = {};
      } else {
        result_keep = ops::logical_or(result_keep, keep);
      }
      result = ops::binary(op(), result, x);
    }
    return result.with_mask(nullptr);
  }

  MergeKind kind_;
};

const RegisterLayer<Merge, MergeKind::kAdd> add{
    "Add",
    "Sum of a list of tensors. A step of the result is masked where all inputs are masked. If an "
    "input has no mask, the result has none.",
    {.composed = true, .in_recurrent_module = true, .in_tfjs = true}};
const RegisterLayer<Merge, MergeKind::kSubtract> subtract{
    "Subtract",
    "First of two tensors minus the second. A step of the result is masked where both inputs are "
    "masked. If an input has no mask, the result has none.",
    {.composed = true, .in_recurrent_module = true}};
const RegisterLayer<Merge, MergeKind::kMultiply> multiply{
    "Multiply",
    "Product of a list of tensors. A masked step of an input counts as 1. Where all inputs are "
    "masked, the result is 0 and masked. If an input has no mask, the result has none.",
    {.composed = true, .in_recurrent_module = true, .in_tfjs = true}};
const RegisterLayer<Merge, MergeKind::kAverage> average{
    "Average",
    "Mean of a list of tensors. A step of the result is masked where all inputs are masked. If an "
    "input has no mask, the result has none.",
    {.composed = true, .in_recurrent_module = true, .in_tfjs = true}};
const RegisterLayer<Merge, MergeKind::kMaximum> maximum{
    "Maximum",
    "Element-wise maximum of a list of tensors. A masked step of an input is ignored where another "
    "input keeps it. A step of the result is masked where all inputs are masked. If an input has "
    "no mask, the result has none.",
    {.composed = true, .in_recurrent_module = true, .in_tfjs = true}};
const RegisterLayer<Merge, MergeKind::kMinimum> minimum{
    "Minimum",
    "Element-wise minimum of a list of tensors. A masked step of an input is ignored where another "
    "input keeps it. A step of the result is masked where all inputs are masked. If an input has "
    "no mask, the result has none.",
    {.composed = true, .in_recurrent_module = true, .in_tfjs = true}};

}  // namespace
}  // namespace maskflow
