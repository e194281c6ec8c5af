// SPDX-License-Identifier: MIT
// Cross-entropies as ops: losses of each element, without weights and reduction.
#include "measures/formula.hpp"
#include "measures/infix.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

// An op of targets and predictions; its data is the text of its formula.
Tensors evaluated(Operands x, const OpAttributes& attributes) {
  const std::string_view formula = static_cast<const char*>(attributes.op().kernel);
  const FormulaArgs args{ops::cast(x[0], DType::kFloat32), ops::cast(x[1], DType::kFloat32),
                         attributes};
  return {evaluate(formula, args).values};
}

// Classes may have an axis of size 1 in place of that of the predictions.
Tensors sparse(Operands x, const OpAttributes& attributes) {
  Tensor classes = x[0];
  const int axis = normalize_axis(attributes.integer("axis"), x[1].rank());
  if (classes.rank() == x[1].rank() && classes.shape()[axis] == 1) {
    classes = ops::squeeze(classes, axis);
  }
  return evaluated(std::array{classes, x[1]}, attributes);
}

constexpr Literal kCrossEntropy =
    "same_shape();"
    "-sum(($from_logits ? log_softmax(y_pred)"
    " : log(clip(y_pred / sum_keepdims(y_pred), epsilon, 1 - epsilon))) * y_true)";

constexpr OpAttribute kFromLogits = {"from_logits", "boolean",
                                     "Whether `output` holds logits instead of probabilities.",
                                     false, false};
constexpr OpAttribute kBinarySettings[] = {kFromLogits};
constexpr OpAttribute kCategoricalSettings[] = {
    kFromLogits, {"axis", "number", "Axis of the classes.", false, -1}};

// The text of a formula ends with a zero, as the literal that it comes from.
template <Literal infix>
constexpr const char* kText = formula<infix>.data();

constexpr OpDef kOps[] = {
    {"BinaryCrossentropy", "target output", kBinarySettings,
     "-(target * log(output) + (1 - target) * log(1 - output)) of each element.", evaluated,
     kText<"same_shape();"
           "bounded = clip(y_pred, epsilon, 1 - epsilon);"
           "$from_logits"
           " ? maximum(y_pred, 0) - y_pred * y_true + log1p(exp(-abs(y_pred)))"
           " : -(y_true * log(bounded) + (1 - y_true) * log(1 - bounded))">},
    {"CategoricalCrossentropy", "target output", kCategoricalSettings,
     "The negative sum of target * log(output) over the classes.", evaluated, kText<kCrossEntropy>},
    {"SparseCategoricalCrossentropy", "target output", kCategoricalSettings,
     "Minus the logarithm of the output of the class of each target.", sparse,
     kText<"y_true = one_hot(y_true);" + kCrossEntropy>},
};
const RegisterOps registration{kOps, "maskflow/train"};

}  // namespace
}  // namespace maskflow
