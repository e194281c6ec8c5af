// SPDX-License-Identifier: MIT
// The functions of formulas by their names in Keras and NumPy, with the words of formula.hpp that
// they compile to.
#pragma once

#include <string_view>

namespace maskflow {

// A comma in the words marks where the words of the next argument are inserted.
struct FormulaFunction {
  std::string_view name;
  std::string_view words;
};

// Reductions work along the axis of the classes, but all() reduces all axes.
inline constexpr FormulaFunction kFormulaFunctions[] = {
    {"abs", "Absolute"},
    {"all", "All"},
    {"any", "Any."},
    {"argmax", "Argmax."},
    {"clip", ", Maximum, Minimum"},  // x, lowest, highest
    {"count_nonzero", "CountNonzero."},
    // The arguments are labels, logits, number of labels, number of logits.
    {"ctc_loss", ",,, CtcLoss"},
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
    {"where", ",, Where"},  // The arguments are condition, value, other value.
};

// Statements that check or reshape y_true and y_pred; formula.hpp documents their words.
inline constexpr FormulaFunction kFormulaChecks[] = {
    {"pairs", "pairs"},
    {"rows", "rows"},
    {"same_shape", "same"},
    {"squeeze", "squeeze"},
};

}  // namespace maskflow
