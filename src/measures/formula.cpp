// SPDX-License-Identifier: MIT
#include "measures/formula.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "measures/measure.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

constexpr double kEpsilon = 1e-7;  // The value of keras.config.epsilon().

bool is_digit(char c) { return c >= '0' && c <= '9'; }

Tensor scalar(double value) { return Tensor::scalar(DType::kFloat32, value); }

double whole_number(std::string_view digits) {
  double value = 0;
  for (const char c : digits) value = 10 * value + (c - '0');
  return value;
}

double number(const OpAttributes& settings, const std::string& setting) {
  const Name name(setting.c_str());
  const Value value = settings.get(name);
  return value.is_bool() ? static_cast<double>(value.as_bool(name)) : value.as_number(name);
}

std::string_view op_name(std::string_view word) {
  if (word == "+") return "Add";
  if (word == "-") return "Subtract";
  if (word == "*") return "Multiply";
  return word == "/" ? "TrueDivide" : word;
}

// Throws ValueError for a class that does not exist. Keras leaves this to its back ends, which
// throw, read other memory or continue with zeros.
void check_classes(const Tensor& ids, Dim classes) {
  const Tensor numbers = ops::cast(ids, DType::kFloat32);
  for (const float id : numbers.data<float>()) {
    if (id >= 0 && id < static_cast<float>(classes)) continue;
    value_error("y_true has class ", id, " but y_pred has ", classes,
                " classes, numbered from 0; exclude other classes with ignoreClass or a mask");
  }
}

void check_same(const Shape& y_true, const Shape& y_pred) {
  if (y_true == y_pred) return;
  shape_error("y_true has shape ", y_true, " but y_pred has shape ", y_pred,
              "; give one target for each prediction");
}

[[noreturn]] void no_match(const Shape& classes, const Shape& y_pred) {
  shape_error("y_true has shape ", classes, " but y_pred has shape ", y_pred,
              "; give one class for each row of y_pred");
}

void check_pairs(const Shape& y_true, const Shape& y_pred) {
  if (y_true.rank() == 1 && y_pred.rank() == 2) return;
  shape_error("y_true has shape ", y_true, " and y_pred has shape ", y_pred,
              " but they must be [batch] and [batch, features]");
}

// Runs the words of a formula on a stack of tensors.
class Machine {
 public:
  explicit Machine(const FormulaArgs& args) : args_(args) {
    named('t') = args.y_true;
    named('p') = args.y_pred;
    named('e') = scalar(kEpsilon);
    named('c') = scalar(class_count());
  }

  Formula run(std::string_view formula) {
    for (const std::string& word : words(formula)) step(word);
    if (!rows_) return {stack_.back(), named('k')};
    if (rows_->size() != stack_.back().shape().size()) no_match(*rows_, args_.y_pred.shape());
    return {stack_.back().reshaped(*rows_), named('k')};
  }

 private:
  // Returns the setting `axis`, or -1 for the many losses without it.
  [[nodiscard]] Value axis() const {
    for (const OpAttribute& attribute : args_.settings.op().attributes) {
      if (attribute.name == "axis") return args_.settings.get("axis");
    }
    return -1;
  }

  // Returns the number of classes. Keras 3.15 takes the size of the last axis of the targets, even
  // if another axis has the classes.
  [[nodiscard]] double class_count() const {
    const Value class_axis = axis();
    const bool has_axis = follows_keras_316() && class_axis.is_number();
    const Shape& shape = (has_axis ? args_.y_pred : args_.y_true).shape();
    if (shape.rank() == 0) return 1;
    const Dim position = has_axis ? class_axis.as_integer("axis") : -1;
    return static_cast<double>(shape[normalize_axis(position, shape.rank())]);
  }

  Tensor& named(char letter) { return named_[static_cast<std::size_t>(letter - 'a')]; }

  void step(std::string_view word) {
    const char first = word.front();
    const std::string rest(word.substr(1));
    if (word == "pairs") {
      check_pairs(args_.y_true.shape(), args_.y_pred.shape());
    } else if (first == '?') {
      if (skipped_ > 0 || number(args_.settings, rest) == 0) ++skipped_;
    } else if (word == "else") {
      if (skipped_ <= 1) skipped_ = 1 - skipped_;
    } else if (word == "end") {
      if (skipped_ > 0) --skipped_;
    } else if (skipped_ > 0) {
      return;
    } else if (word == "same") {
      check_same(named('t').shape(), named('p').shape());
    } else if (word == "squeeze") {
      squeeze();
    } else if (word == "rows") {
      flatten_rows();
    } else if (first == '$') {
      stack_.push_back(scalar(number(args_.settings, rest)));
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

  void squeeze() {
    Tensor& t = named('t');
    if (t.rank() != args_.y_pred.rank()) return;
    if (t.shape().back() != 1) no_match(t.shape(), args_.y_pred.shape());
    rows_ = t.shape();
    t = t.reshaped(t.shape().first(t.rank() - 1));
  }

  void flatten_rows() {
    Tensor& t = named('t');
    Tensor& p = named('p');
    const Dim classes = p.rank() < 2 ? 0 : p.shape().back();
    if (p.shape().size() != t.shape().size() * classes || classes == 0 || t.rank() == 0) {
      no_match(t.shape(), p.shape());
    }
    rows_ = t.shape();
    t = t.reshaped({t.shape().size()});
    p = p.reshaped({t.shape().size(), classes});
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
    stack_.push_back(apply_op(name, operands, attributes).front());
  }

  const FormulaArgs& args_;
  Tensors stack_;
  std::array<Tensor, 26> named_;
  std::optional<Shape> rows_;
  int skipped_ = 0;  // Depth of nested conditions inside the branch that is not taken.
};

}  // namespace

Formula evaluate(std::string_view formula, const FormulaArgs& args) {
  return Machine(args).run(formula);
}

}  // namespace maskflow
