// SPDX-License-Identifier: MIT
// The gradient of an operand is another einsum: of the cotangent and the other operands, with the
// operand's labels as the result.
#include <algorithm>

#include "ops/einsum.hpp"
#include "ops/op_gradient.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

// Replaces the labels of the axes of '...' by unused letters, because an equation consists of
// letters.
class Letters {
 public:
  Letters(const Subscripts& names, std::size_t operands) {
    std::string used = names.result();
    for (std::size_t i = 0; i < operands; ++i) used += names.operand(i);
    for (char c = 'z'; c >= 'A'; --c) {
      const bool letter = c >= 'a' || c <= 'Z';
      if (letter && used.find(c) == std::string::npos) free_ += c;
    }
  }
  [[nodiscard]] std::string of(std::string_view labels) const {
    std::string letters;
    for (const char label : labels) {
      letters += label >= '0' && label <= '9' ? free_.at(at(label - '0')) : label;
    }
    return letters;
  }

 private:
  std::string free_;
};

bool has_repeated(std::string_view labels) {
  return std::ranges::any_of(labels, [&](char c) { return std::ranges::count(labels, c) > 1; });
}

Tensor gradient_of(std::size_t operand, const RecordedOp& call, const Subscripts& names,
                   const Letters& letters, const Tensor& cotangent) {
  const std::string& labels = names.operand(operand);
  if (has_repeated(labels)) {
    unsupported_error("einsum has no gradient for the term '", labels,
                      "', which repeats a label; take the diagonal by another op");
  }
  std::string equation = letters.of(names.result());
  std::string present = names.result();
  Tensors operands{cotangent};
  for (std::size_t i = 0; i < call.operands.size(); ++i) {
    if (i == operand) continue;
    equation += "," + letters.of(names.operand(i));
    present += names.operand(i);
    operands.push_back(ops::cast(call.operands[i], DType::kFloat32));
  }
  // The gradient repeats along labels that only this operand had and that were summed over.
  for (std::size_t axis = 0; axis < labels.size(); ++axis) {
    if (present.find(labels[axis]) != std::string::npos) continue;
    equation += "," + letters.of(labels.substr(axis, 1));
    operands.push_back(
        Tensor::full(DType::kFloat32, {call.operands[operand].shape()[static_cast<int>(axis)]}, 1));
  }
  return ops::einsum(equation + "->" + letters.of(labels), operands);
}

Tensors einsum(const RecordedOp& call, const Tensors& g) {
  const Value equation = call.settings().get("subscripts");
  std::vector<int> ranks;
  for (const Tensor& x : call.operands) ranks.push_back(x.rank());
  const Subscripts names(equation.as_string("subscripts"), ranks);
  const Letters letters(names, call.operands.size());
  Tensors gradients(call.operands.size());
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    if (call.needs[i]) gradients[i] = gradient_of(i, call, names, letters, g[0]);
  }
  return gradients;
}

constexpr OpGradient kGradients[] = {{"Einsum", einsum}};
const RegisterOpGradients registration{kGradients};

}  // namespace
}  // namespace maskflow
