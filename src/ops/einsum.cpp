// SPDX-License-Identifier: MIT
#include "ops/einsum.hpp"

#include <algorithm>

#include "ops/ops.hpp"
#include "ops/strided.hpp"

namespace maskflow {
namespace {

constexpr std::string_view kDots = "...";
// Labels of the axes of '...', aligned at the last axis.
constexpr std::string_view kDigits = "01234567";

bool has(std::string_view labels, char label) {
  return labels.find(label) != std::string_view::npos;
}

// Returns the labels of one term, with the last `dots` digits in place of '...'.
std::string expanded(std::string_view term, int dots, std::string_view equation) {
  std::string labels;
  for (std::size_t i = 0; i < term.size(); ++i) {
    const char c = term[i];
    if (c == ' ') continue;
    if (term.substr(i, 3) == kDots) {
      labels += kDigits.substr(kDigits.size() - at(dots));
      i += 2;
    } else if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
      labels += c;
    } else {
      config_error("the equation '", equation, "' has '", std::string(1, c),
                   "'; use letters, commas, '...' and one '->', as in 'ab,bc->ac'");
    }
  }
  return labels;
}

}  // namespace

Subscripts::Subscripts(std::string_view equation, std::span<const int> ranks)
    : equation_(equation) {
  sizes_.fill(1);
  const std::size_t arrow = equation.find("->");
  std::string_view rest = equation.substr(0, arrow);
  int max = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const std::size_t comma = rest.find(',');
    if ((comma == std::string_view::npos) != (i + 1 == ranks.size())) {
      config_error("the equation '", equation, "' does not fit ", ranks.size(),
                   " tensors; write one term for each before '->', separated by commas");
    }
    const std::string_view term = rest.substr(0, comma);
    const int letters = static_cast<int>(expanded(term, 0, equation).size());
    const bool elided = term.find(kDots) != std::string_view::npos;
    const int dots = elided ? ranks[i] - letters : 0;
    if (dots < 0 || letters + dots != ranks[i]) {
      shape_error("'", term, "' of the equation '", equation, "' names ", letters,
                  " axes, but the tensor has ", ranks[i]);
    }
    operands_.push_back(expanded(term, dots, equation));
    max = std::max(max, dots);
    rest = rest.substr(comma + 1);
  }
  elided_ = at(max);
  std::string all;
  for (const std::string& labels : operands_) all += labels;
  if (arrow != std::string_view::npos) {
    result_ = expanded(equation.substr(arrow + 2), max, equation);
  } else {
    // Goes through the labels in ASCII order: first the digits for '...', then letters.
    for (char c = kDigits.front(); c <= 'z'; ++c) {
      const auto times = std::ranges::count(all, c);
      if (times == 1 || (times > 1 && c < 'A')) result_ += c;
    }
  }
  for (const char label : result_) {
    if (!has(all, label) || std::ranges::count(result_, label) > 1) {
      config_error("the result of the equation '", equation, "' has '", std::string(1, label),
                   "', which must occur in it once, and in a term before '->'");
    }
  }
}

void Subscripts::measure(std::size_t operand, const Shape& shape) {
  for (int axis = 0; axis < shape.rank(); ++axis) {
    const char label = operands_[operand][at(axis)];
    Dim& size = sizes_[index_of(label)];
    const Dim dim = shape[axis];
    if (size == 1 || (size == kUnknown && dim != 1)) {
      size = dim;
    } else if (dim != size && dim != 1 && dim != kUnknown) {
      shape_error("'", std::string(1, label), "' of the equation '", equation_, "' is ", size,
                  " in one tensor and ", dim, " in another");
    }
  }
}

Shape Subscripts::shape_of(std::string_view labels) const {
  Shape shape;
  for (const char label : labels) shape.push_back(size_of(label));
  return shape;
}

Dim Subscripts::count(std::string_view labels) const { return shape_of(labels).size(); }

Tensor Subscripts::arranged(const Tensor& x, std::string_view labels,
                            std::string_view order) const {
  const Shape shape = shape_of(order);
  if (labels == order && x.shape() == shape) return x;
  const Strides x_strides = strides_of(x.shape());
  Strides strides{};
  for (std::size_t axis = 0; axis < labels.size(); ++axis) {
    if (x.shape()[static_cast<int>(axis)] != 1)
      strides[order.find(labels[axis])] += x_strides[axis];
  }
  return strided_copy(x, shape, strides, 0);
}

LabelGroups::LabelGroups(std::string_view a, std::string_view b, std::string_view kept) {
  for (const char label : a) {
    std::string& group =
        has(b, label) ? (has(kept, label) ? batch : summed) : (has(kept, label) ? rows : lone_a);
    if (!has(group, label)) group += label;
  }
  for (const char label : b) {
    std::string& group = has(kept, label) ? columns : lone_b;
    if (!has(a, label) && !has(group, label)) group += label;
  }
}

namespace {

// Returns x with its axes in the order `order`, after summing over the labels `lone`.
Tensor summed_over(const Subscripts& names, const Tensor& x, std::string_view labels,
                   const std::string& order, const std::string& lone) {
  const Tensor result = names.arranged(x, labels, order + lone);
  std::vector<Dim> axes;
  for (std::size_t i = 0; i < lone.size(); ++i) axes.push_back(static_cast<Dim>(order.size() + i));
  return axes.empty() ? result : ops::sum(result, axes, false);
}

// Sums products over all labels that are not in `kept`. Sets `labels` to those of the result.
Tensor product(const Subscripts& names, const Tensor& a, std::string& labels, const Tensor& b,
               const std::string& labels_b, std::string_view kept) {
  const LabelGroups groups(labels, labels_b, kept);
  const auto& [batch, rows, summed, columns, lone_a, lone_b] = groups;
  const Tensor left = summed_over(names, a, labels, batch + rows + summed, lone_a);
  const Tensor right = summed_over(names, b, labels_b, batch + summed + columns, lone_b);
  labels = batch + rows + columns;
  const Dim matrices = names.count(batch);
  const Dim inner = names.count(summed);
  return ops::matmul(left.reshaped({matrices, names.count(rows), inner}),
                     right.reshaped({matrices, inner, names.count(columns)}))
      .reshaped(names.shape_of(labels));
}

Tensors einsum(Operands xs, const OpAttributes& attributes) {
  const Value equation = attributes.get("subscripts");
  std::vector<int> ranks;
  DType dtype = DType::kBool;
  for (const Tensor& x : xs) {
    ranks.push_back(x.rank());
    dtype = std::max(dtype, x.dtype());
  }
  Subscripts names(equation.as_string("subscripts"), ranks);
  for (std::size_t i = 0; i < xs.size(); ++i) names.measure(i, xs[i].shape());
  const DType computed = dtype == DType::kFloat32 ? DType::kFloat32 : DType::kInt32;
  Tensor result = ops::cast(xs.front(), computed);
  std::string labels = names.operand(0);
  for (std::size_t i = 1; i < xs.size(); ++i) {
    std::string kept = names.result();
    for (std::size_t later = i + 1; later < xs.size(); ++later) kept += names.operand(later);
    result = product(names, result, labels, ops::cast(xs[i], computed), names.operand(i), kept);
  }
  const LabelGroups left(labels, "", names.result());
  result = summed_over(names, result, labels, names.result(), left.lone_a);
  return {ops::cast(result, dtype)};
}

constexpr OpAttribute kSettings[] = {
    {"subscripts",
     "string",
     "Labels of the axes, as in 'ab,bc->ac'; '...' stands for all other axes.",
     true,
     {}}};
constexpr OpDef kOps[] = {
    {"Einsum", "xs*", kSettings,
     "Einstein summation: products, summed over each label that the result lacks. Integers wrap "
     "modulo 2^32.",
     einsum},
};
const RegisterOps registration{kOps};

}  // namespace
}  // namespace maskflow
