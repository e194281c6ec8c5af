// SPDX-License-Identifier: MIT
// Formulas in ordinary notation, compiled at compile time to the words that formula.hpp documents:
// formula<"mean(square(y_pred - y_true))"> is the text "p t - Square Mean.".
//
//   formula    = { step ";" } value
//   step       = name "=" value | check "(" ")"
//   value      = "$" setting "?" value ":" value | comparison
//   comparison = sum [ ( "<" | "<=" | ">" | ">=" | "==" ) sum ]
//   sum        = product { ( "+" | "-" ) product }
//   product    = factor { ( "*" | "/" ) factor }
//   factor     = "-" factor | operand [ "**" factor ]
//   operand    = number | name | "$" setting | function "(" value { "," value } ")" | "(" value ")"
//
// Numbers are integers. Names are snake_case. y_true and y_pred may be assigned again; epsilon
// (1e-7) and num_classes (the size of the last axis of the targets) may not. Other names exist
// after an assignment. `kept` is 1 for values that count and 0 for others. A condition is a
// setting, and only the chosen value is computed.
//
// A mistake in a formula is a compile error about a call of a function in the namespace
// wrong_formula, whose argument is the offending text.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "base/error.hpp"
#include "base/literal.hpp"
#include "measures/formula_functions.hpp"
#include "ops/op.hpp"

namespace maskflow {

// These functions are not constexpr, so that a formula that calls one does not compile.
namespace wrong_formula {
[[noreturn]] inline void unknown_function(std::string_view name) {
  value_error("there is no function ", name, "(); formula_functions.hpp lists them");
}
[[noreturn]] inline void unknown_name(std::string_view name) {
  value_error("nothing has been assigned to ", name);
}
[[noreturn]] inline void wrong_number_of_arguments(std::string_view function) {
  value_error("wrong number of arguments for ", function, "()");
}
[[noreturn]] inline void unexpected_text(std::string_view text) {
  value_error("the formula must not ", text.empty() ? "end here" : "continue with ", text);
}
[[noreturn]] inline void value_without_use(std::string_view text) {
  value_error("a value is neither assigned nor the result, before ", text);
}
[[noreturn]] inline void condition_must_be_setting(std::string_view text) {
  value_error("a condition must be a setting; use where() for tensors, before ", text);
}
[[noreturn]] inline void assigned_constant(std::string_view name) {
  value_error(name, " cannot be assigned");
}
[[noreturn]] inline void unknown_setting(std::string_view name) {
  value_error("a formula reads the setting ", name, ", which its measure does not have");
}
[[noreturn]] inline void too_many_names(std::string_view name) {
  value_error("there is no letter left for ", name);
}
[[noreturn]] inline void too_long() { value_error("the formula is too long; raise Words::kMax"); }
}  // namespace wrong_formula

// Words that are separated by spaces.
class Words {
 public:
  constexpr void append(std::string_view word) {
    if (size_ > 0) put(' ');
    put(word);
  }
  constexpr void append(std::string_view prefix, std::string_view name) {
    append(prefix);
    put(name);
  }
  [[nodiscard]] constexpr std::string_view view() const { return {text_.data(), size_}; }

 private:
  static constexpr std::size_t kMax = 1000;

  constexpr void put(std::string_view word) {
    for (const char c : word) put(c);
  }
  constexpr void put(char c) {
    if (size_ == kMax) wrong_formula::too_long();
    text_[size_++] = c;
  }

  std::array<char, kMax> text_{};
  std::size_t size_ = 0;
};

// Writes words in the order in which it reads the formula, so that it needs no syntax tree.
class FormulaCompiler {
 public:
  constexpr explicit FormulaCompiler(std::string_view infix) : rest_(infix) {
    skip_spaces();
    name_of('t') = "y_true";
    name_of('p') = "y_pred";
    name_of('e') = "epsilon";
    name_of('c') = "num_classes";
  }

  constexpr Words compile() {
    while (step()) {
    }
    value();
    if (rest_.starts_with(';')) wrong_formula::value_without_use(rest_);
    if (!rest_.empty()) wrong_formula::unexpected_text(rest_);
    return words_;
  }

 private:
  static constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz";

  struct Operator {
    std::string_view sign;
    std::string_view word;
  };
  static constexpr Operator kComparisons[] = {{"<=", "LessEqual"},
                                              {">=", "GreaterEqual"},
                                              {"==", "Equal"},
                                              {"<", "Less"},
                                              {">", "Greater"}};

  // Grammar: one function for each rule.

  // Returns false if the rest starts with a value.
  constexpr bool step() {
    const std::string_view before = rest_;
    const std::string_view name = take_name();
    if (!name.empty() && !rest_.starts_with("==") && take("=")) {
      value();
      words_.append(":", assigned_letter(name));
    } else if (const std::string_view check = find(kFormulaChecks, name);
               !check.empty() && take("(")) {
      if (!take(")")) wrong_formula::wrong_number_of_arguments(name);
      words_.append(check);
    } else {
      rest_ = before;
      return false;
    }
    expect(";");
    return true;
  }

  constexpr void value() {
    const std::string_view before = rest_;
    if (take("$")) {
      const std::string_view setting = take_setting();
      if (take("?")) return conditional(setting);
      rest_ = before;
    }
    comparison();
    if (rest_.starts_with('?')) wrong_formula::condition_must_be_setting(rest_);
  }

  constexpr void conditional(std::string_view setting) {
    words_.append("?", setting);
    value();
    expect(":");
    words_.append("else");
    value();
    words_.append("end");
  }

  constexpr void comparison() {
    sum();
    for (const auto& [sign, word] : kComparisons) {
      if (!take(sign)) continue;
      sum();
      words_.append(word);
      return;
    }
  }

  constexpr void sum() {
    product();
    while (next_is_one_of("+-")) {
      const std::string_view sign = take_first(1);
      product();
      words_.append(sign);
    }
  }

  constexpr void product() {
    factor();
    while (next_is_one_of("*/")) {
      const std::string_view sign = take_first(1);
      factor();
      words_.append(sign);
    }
  }

  constexpr void factor() {
    if (take("-")) {
      factor();
      words_.append("Negative");
      return;
    }
    operand();
    if (!take("**")) return;
    factor();
    words_.append("Power");
  }

  constexpr void operand() {
    if (take("(")) {
      value();
      expect(")");
    } else if (take("$")) {
      words_.append("$", take_setting());
    } else if (const std::string_view number = take_while(is_digit); !number.empty()) {
      words_.append(number);
    } else if (const std::string_view name = take_name(); name.empty()) {
      wrong_formula::unexpected_text(rest_);
    } else if (take("(")) {
      call(name);
    } else {
      words_.append(letter_of(name));
    }
  }

  constexpr void call(std::string_view name) {
    std::string_view words = find(kFormulaFunctions, name);
    if (words.empty()) wrong_formula::unknown_function(name);
    while (true) {
      if (rest_.starts_with(')')) wrong_formula::wrong_number_of_arguments(name);
      value();
      const std::size_t end = std::min(words.find(','), words.size());
      if (end > 0) words_.append(words.substr(0, end));
      if (end == words.size()) break;
      words.remove_prefix(end + 1);
      if (words.starts_with(' ')) words.remove_prefix(1);
      if (!take(",")) wrong_formula::wrong_number_of_arguments(name);
    }
    if (rest_.starts_with(',')) wrong_formula::wrong_number_of_arguments(name);
    expect(")");
  }

  // Names: each becomes a letter.

  constexpr std::string_view& name_of(char letter) {
    return names_[static_cast<std::size_t>(letter - 'a')];
  }

  // Returns the letter of a name, or an empty string if there is no such name.
  [[nodiscard]] constexpr std::string_view find_letter(std::string_view name) const {
    for (std::size_t k = 0; k < kLetters.size(); ++k) {
      if (names_[k] == name) return kLetters.substr(k, 1);
    }
    return {};
  }

  [[nodiscard]] constexpr std::string_view letter_of(std::string_view name) const {
    const std::string_view letter = find_letter(name);
    if (letter.empty()) wrong_formula::unknown_name(name);
    return letter;
  }

  constexpr std::string_view assigned_letter(std::string_view name) {
    if (name == "epsilon" || name == "num_classes") wrong_formula::assigned_constant(name);
    std::string_view letter = find_letter(name);
    if (letter.empty()) letter = free_letter(name);
    name_of(letter.front()) = name;
    return letter;
  }

  // Returns the name's first letter if it is free, otherwise the first free one. `k` is reserved
  // for `kept`.
  [[nodiscard]] constexpr std::string_view free_letter(std::string_view name) const {
    if (name == "kept") return "k";
    const auto is_free = [&](std::size_t k) { return names_[k].empty() && kLetters[k] != 'k'; };
    std::size_t place = static_cast<std::size_t>(name.front() - 'a');
    if (!is_free(place)) place = 0;
    while (place < kLetters.size() && !is_free(place)) ++place;
    if (place == kLetters.size()) wrong_formula::too_many_names(name);
    return kLetters.substr(place, 1);
  }

  // Returns the words of a function, or an empty string if there is no such function.
  static constexpr std::string_view find(std::span<const FormulaFunction> table,
                                         std::string_view name) {
    for (const FormulaFunction& function : table) {
      if (function.name == name) return function.words;
    }
    return {};
  }

  // Text: functions named take_… remove text, and the spaces after it, from `rest_`.

  static constexpr bool is_letter(char c) { return c >= 'a' && c <= 'z'; }
  static constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static constexpr bool is_in_name(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

  constexpr std::string_view take_first(std::size_t count) {
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    skip_spaces();
    return taken;
  }

  constexpr std::string_view take_while(bool (*matches)(char)) {
    std::size_t count = 0;
    while (count < rest_.size() && matches(rest_[count])) ++count;
    return take_first(count);
  }

  // Removes and returns a name; empty if the rest does not start with one.
  constexpr std::string_view take_name() {
    if (rest_.empty() || !is_letter(rest_.front())) return {};
    return take_while(is_in_name);
  }

  constexpr std::string_view take_setting() {
    const std::string_view name = take_name();
    if (name.empty()) wrong_formula::unexpected_text(rest_);
    return name;
  }

  [[nodiscard]] constexpr bool next_is_one_of(std::string_view signs) const {
    return !rest_.empty() && signs.find(rest_.front()) != std::string_view::npos;
  }

  constexpr bool take(std::string_view sign) {
    if (!rest_.starts_with(sign)) return false;
    take_first(sign.size());
    return true;
  }

  constexpr void expect(std::string_view sign) {
    if (!take(sign)) wrong_formula::unexpected_text(rest_);
  }

  constexpr void skip_spaces() {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
  }

  std::string_view rest_;
  std::array<std::string_view, kLetters.size()> names_{};  // The name of each letter.
  Words words_;
};

constexpr Words compile_formula(std::string_view infix) { return FormulaCompiler(infix).compile(); }

template <Literal infix>
inline constexpr Words kWords = compile_formula(infix.view());

// Returns the words without unused space at the end.
template <Literal infix>
inline constexpr auto kExactWords = [] {
  Literal<kWords<infix>.view().size() + 1> exact;
  std::ranges::copy(kWords<infix>.view(), exact.text);
  return exact;
}();

template <Literal infix>
inline constexpr std::string_view formula = kExactWords<infix>.view();

// Returns true; a compile error if the formula reads a setting that the op does not have. Counts
// positions, because with gcc's sanitizer string_view::find is not constexpr.
constexpr bool reads_settings_of(const OpDef& op, std::string_view words) {
  for (std::size_t begin = 0, end = 0; begin < words.size(); begin = end + 1) {
    end = begin;
    while (end < words.size() && words[end] != ' ') ++end;
    const std::string_view word = words.substr(begin, end - begin);
    if (!word.starts_with('$') && !word.starts_with('?')) continue;
    const auto is_read = [&](const OpAttribute& setting) { return setting.name == word.substr(1); };
    if (std::ranges::none_of(op.attributes, is_read)) wrong_formula::unknown_setting(word);
  }
  return true;
}

}  // namespace maskflow
