// SPDX-License-Identifier: MIT
#include "train/formula.hpp"

#include <algorithm>
#include <array>

#include "ops/ops.hpp"

namespace maskflow {
namespace {

constexpr double kEpsilon = 1e-7;  // keras.config.epsilon()

bool is_digit(char c) { return c >= '0' && c <= '9'; }

Tensor scalar(double value) { return Tensor::scalar(DType::kFloat32, value); }

double whole_number(std::string_view digits) {
  double value = 0;
  for (const char c : digits) value = 10 * value + (c - '0');
  return value;
}

double number(const Value& value, std::string_view name) {
  return value.is_bool() ? static_cast<double>(value.as_bool(name)) : value.as_number(name);
}

std::string_view op_name(std::string_view word) {
  if (word == "+") return "Add";
  if (word == "-") return "Subtract";
  if (word == "*") return "Multiply";
  return word == "/" ? "TrueDivide" : word;
}

// Keras leaves this to its back end, which stops, reads elsewhere or goes on with zeros.
void check_classes(const Tensor& ids, Dim classes) {
  const Tensor numbers = ops::cast(ids, DType::kFloat32);
  for (const float id : numbers.data<float>()) {
    if (id >= 0 && id < static_cast<float>(classes)) continue;
    value_error("y_true has class ", id, " but y_pred has ", classes,
                " classes, counted from 0; leave others out with ignoreClass or a mask");
  }
}

void check_same(const Shape& y_true, const Shape& y_pred) {
  if (y_true == y_pred) return;
  shape_error("y_true has shape ", y_true, " but y_pred has ", y_pred,
              "; there must be a target for every prediction");
}

class Machine {
 public:
  explicit Machine(const FormulaArgs& args) : args_(args) {
    named('t') = args.y_true;
    named('p') = args.y_pred;
    named('e') = scalar(kEpsilon);
  }

  Formula run(std::string_view formula) {
    for (const std::string& word : words(formula)) step(word);
    return {stack_.back(), named('k')};
  }

 private:
  // Most losses have no choice of axis.
  [[nodiscard]] Value axis() const {
    for (const OpAttribute& attribute : args_.settings.op().attributes) {
      if (attribute.name == "axis") return args_.settings.get("axis");
    }
    return -1;
  }

  Tensor& named(char letter) { return named_[static_cast<std::size_t>(letter - 'a')]; }

  void step(std::string_view word) {
    const char first = word.front();
    const std::string_view rest = word.substr(1);
    if (first == '?') {
      skip_ = number(args_.settings.get(rest), rest) == 0;
    } else if (word == "else") {
      skip_ = !skip_;
    } else if (word == "end") {
      skip_ = false;
    } else if (skip_) {
      return;
    } else if (word == "same") {
      check_same(named('t').shape(), named('p').shape());
    } else if (first == '$') {
      stack_.push_back(scalar(number(args_.settings.get(rest), rest)));
    } else if (first == ':') {
      named(rest.front()) = stack_.back();
      stack_.pop_back();
    } else if (is_digit(first)) {
      stack_.push_back(scalar(whole_number(word)));
    } else if (rest.empty() && first >= 'a' && first <= 'z') {
      stack_.push_back(named(first));
    } else {
      apply(word);
    }
  }

  void apply(std::string_view word) {
    Dict attributes;
    const char last = word.back();
    if (last == '.' || last == '_' || last == '#') {
      word.remove_suffix(1);
      attributes["axis"] = axis();
    }
    if (last == '_') attributes["keepdims"] = true;
    if (last == '#') {
      const Dim classes = args_.y_pred.shape()[static_cast<int>(axis().as_integer("axis"))];
      check_classes(stack_.back(), classes);
      attributes["num_classes"] = classes;
    }
    const std::string_view name = op_name(word);
    const auto count = std::ranges::count(find_op(name).operands, ' ') + 1;
    const Tensors operands(stack_.end() - count, stack_.end());
    stack_.resize(stack_.size() - operands.size());
    stack_.push_back(apply_op1(name, operands, attributes));
  }

  const FormulaArgs& args_;
  Tensors stack_;
  std::array<Tensor, 26> named_;
  bool skip_ = false;
};

}  // namespace

Formula evaluate(std::string_view formula, const FormulaArgs& args) {
  return Machine(args).run(formula);
}

}  // namespace maskflow
