// SPDX-License-Identifier: MIT
// The functions of formulas, as Keras and numpy name them, and the words of formula.hpp that they
// are.
#pragma once

#include <string_view>

namespace maskflow {

// What a name in a formula stands for. A comma in the words is where the next argument is computed.
struct FormulaFunction {
  std::string_view name;
  std::string_view words;
};

// Along the axis of the classes, unless they work on each element; all() is of all elements.
inline constexpr FormulaFunction kFormulaFunctions[] = {
    {"abs", "Absolute"},
    {"all", "All"},
    {"any", "Any."},
    {"argmax", "Argmax."},
    {"clip", ", Maximum, Minimum"},  // x, lowest, highest
    {"count_nonzero", "CountNonzero."},
    {"ctc_loss", ",,, CtcLoss"},  // labels, logits, and how many there are of each
    {"cumsum", "Cumsum."},
    {"exp", "Exp"},
    {"expand_dims", "ExpandDims."},
    {"floor", "Floor"},
    {"log", "Log"},
    {"log1p", "Log1p"},
    {"log_softmax", "LogSoftmax."},
    {"logical_and", ", LogicalAnd"},
    {"logsumexp", "Logsumexp."},
    {"matmul", ", Matmul"},
    {"max", "Max."},
    {"maximum", ", Maximum"},
    {"mean", "Mean."},
    {"mean_keepdims", "Mean_"},
    {"normalize", "Normalize."},
    {"one_hot", "OneHot#"},
    {"ones_like", "OnesLike"},
    {"sigmoid", "Sigmoid"},
    {"softmax", "Softmax."},
    {"softplus", "Softplus"},
    {"square", "Square"},
    {"std_keepdims", "Std_"},
    {"sum", "Sum."},
    {"sum_keepdims", "Sum_"},
    {"transpose", "Transpose"},
    {"tril", "Tril"},
    {"triu", "Triu"},
    {"var_keepdims", "Var_"},
    {"where", ",, Where"},  // condition, value, other value
};

// What they check or do to y_true and y_pred: formula.hpp.
inline constexpr FormulaFunction kFormulaChecks[] = {
    {"pairs", "pairs"},
    {"rows", "rows"},
    {"same_shape", "same"},
    {"squeeze", "squeeze"},
};

}  // namespace maskflow
