// SPDX-License-Identifier: MIT
// Formulas of losses and metrics, and the words into which they compile.
#include "measures/infix.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>

#include "measures/formula.hpp"
#include "measures/losses.hpp"
#include "measures/metrics.hpp"
#include "ops/op.hpp"
#include "support/errors.hpp"
#include "support/tensors.hpp"
#include "support/values.hpp"

namespace maskflow {
namespace {

using test::dict;
using test::fails_with;
using test::floats;

template <Literal infix>
concept Compiles = requires { typename std::bool_constant<(compile_formula(infix.view()), true)>; };

constexpr Literal kHalved = "y_true = y_true / 2;";

static_assert(formula<"mean(square(y_pred - y_true))"> == "p t - Square Mean.");
static_assert(formula<kHalved + "y_true" + " + 1"> == "t 2 / :t t 1 +");
static_assert(kText<kHalved> == "y_true = y_true / 2;");
static_assert(Compiles<"mean(y_pred)">);
static_assert(!Compiles<"meen(y_pred)">);
static_assert(!Compiles<"mean(y_pred">);
static_assert(!Compiles<"mean(y_pred, 1)">);
static_assert(!Compiles<"y_predicted">);

struct Pair {
  std::string_view infix;
  std::string_view words;
};

void expect_pairs(std::span<const Pair> pairs) {
  for (const auto& [infix, words] : pairs) {
    SCOPED_TRACE(infix);
    EXPECT_EQ(compile_formula(infix).view(), words);
  }
}

TEST(Infix, FollowsOperatorPrecedence) {
  constexpr Pair kPairs[] = {
      {"y_true", "t"},
      {"12", "12"},
      {"$delta", "$delta"},
      {"1 + 2 * 3", "1 2 3 * +"},
      {"1 * 2 + 3", "1 2 * 3 +"},
      {"(1 + 2) * 3", "1 2 + 3 *"},
      {"1 - 2 - 3", "1 2 - 3 -"},
      {"1 - (2 - 3)", "1 2 3 - -"},
      {"1 / 2 / 3", "1 2 / 3 /"},
      {"1 / 2 * 3", "1 2 / 3 *"},
      {"1 - 2 + 3", "1 2 - 3 +"},
      {"2 ** 3 ** 4", "2 3 4 Power Power"},
      {"(2 ** 3) ** 4", "2 3 Power 4 Power"},
      {"2 * 3 ** 4", "2 3 4 Power *"},
      {"2 ** 3 * 4", "2 3 Power 4 *"},
      {"-y_pred", "p Negative"},
      {"--y_pred", "p Negative Negative"},
      {"-y_pred ** 2", "p 2 Power Negative"},
      {"y_pred ** -2", "p 2 Negative Power"},
      {"-y_pred * 2", "p Negative 2 *"},
      {"1 - -y_pred", "1 p Negative -"},
      {"1 + 2 < 3 * 4", "1 2 + 3 4 * Less"},
      {"1 <= 2", "1 2 LessEqual"},
      {"1 > 2", "1 2 Greater"},
      {"1 >= 2", "1 2 GreaterEqual"},
      {"(1 < 2) == 3", "1 2 Less 3 Equal"},
      {"((y_pred))", "p"},
      {"  1+2  *  3 ", "1 2 3 * +"},
  };
  expect_pairs(kPairs);
}

TEST(Infix, CompilesFunctions) {
  constexpr Pair kPairs[] = {
      {"mean(abs(y_pred))", "p Absolute Mean."},
      {"-sum(y_pred) / 2", "p Sum. Negative 2 /"},
      {"maximum(1 - y_pred, 0)", "1 p - 0 Maximum"},
      {"clip(y_pred, epsilon, 1 - epsilon)", "p e Maximum 1 e - Minimum"},
      {"where(y_true > 0, y_pred, -y_pred)", "t 0 Greater p p Negative Where"},
      {"one_hot(y_true) * sum_keepdims(y_pred)", "t OneHot# p Sum_ *"},
      {"log (2)", "2 Log"},
      {"max(y_pred < 1)", "p 1 Less Max."},
  };
  expect_pairs(kPairs);
}

TEST(Infix, CompilesConditions) {
  constexpr Pair kPairs[] = {
      {"$a ? 1 : 2", "?a 1 else 2 end"},
      {"$a ? 1 + 2 : 3", "?a 1 2 + else 3 end"},
      {"1 + ($a ? 2 : 3)", "1 ?a 2 else 3 end +"},
      {"$a + 1", "$a 1 +"},
      {"$a ? $b ? 1 : 2 : 3", "?a ?b 1 else 2 end else 3 end"},
      {"$a ? 1 : $b ? 2 : 3", "?a 1 else ?b 2 else 3 end end"},
      {"mean($from_logits ? y_pred : $alpha)", "?from_logits p else $alpha end Mean."},
  };
  expect_pairs(kPairs);
}

TEST(Infix, CompilesStatementsAndNames) {
  constexpr Pair kPairs[] = {
      {"same_shape(); y_pred", "same p"},
      {"pairs(); rows(); squeeze(); y_pred", "pairs rows squeeze p"},
      {"d = y_pred; d * d", "p :d d d *"},
      {"y_true = y_true + 1; y_true", "t 1 + :t t"},
      {"y_pred = 1 == 2; y_pred", "1 2 Equal :p p"},
      {"x = 1; x = x + 1; x", "1 :x x 1 + :x x"},
      // A name becomes its first letter, or the first free letter; t, p, e, c and k are reserved.
      {"distance = 1; delta = 2; distance + delta", "1 :d 2 :a d a +"},
      {"a = 1; b = 2; apple = 3; apple", "1 :a 2 :b 3 :d d"},
      {"error = 1; total = 2; power = 3; error", "1 :a 2 :b 3 :d a"},
      {"known = 1; kept = 2; known", "1 :a 2 :k a"},
      {"p_t = num_classes; p_t2 = 1; p_t + p_t2", "c :a 1 :b a b +"},
      {"mean = mean(y_pred); mean", "p Mean. :m m"},
      {"rows = 1; rows", "1 :r r"},
  };
  expect_pairs(kPairs);
}

TEST(Infix, RefusesMistakes) {
  constexpr Pair kWrong[] = {
      {"", "must not end here"},
      {"1 +", "must not end here"},
      {"(1", "must not end here"},
      {"mean(1", "must not end here"},
      {"d = 1;", "must not end here"},
      {"d = 1", "must not end here"},
      {"$a ? 1", "must not end here"},
      {"$", "must not end here"},
      {"$ ? 1 : 2", "must not continue with ? 1 : 2"},
      {"rows()", "must not end here"},
      {"1)", "must not continue with )"},
      {"1 2", "must not continue with 2"},
      {"0.5", "must not continue with .5"},
      {"1 < 2 < 3", "must not continue with < 3"},
      {"1 * * 2", "must not continue with * 2"},
      {"1 % 2", "must not continue with % 2"},
      {"Mean(1)", "must not continue with Mean(1)"},
      {"y_pred = 1 y_pred", "must not continue with y_pred"},
      {"rows() + 1", "must not continue with + 1"},
      {"meen(1)", "no function meen()"},
      {"1 + rows()", "no function rows()"},
      {"y_predicted", "nothing has been assigned to y_predicted"},
      {"x = x + 1; x", "nothing has been assigned to x"},
      {"kept", "nothing has been assigned to kept"},
      {"mean()", "wrong number of arguments for mean()"},
      {"mean(1, 2)", "wrong number of arguments for mean()"},
      {"maximum(1)", "wrong number of arguments for maximum()"},
      {"clip(1, 2)", "wrong number of arguments for clip()"},
      {"where(1, 2, 3, 4)", "wrong number of arguments for where()"},
      {"rows(1); 2", "wrong number of arguments for rows()"},
      {"1; 2", "neither assigned nor the result, before ; 2"},
      {"y_true > 0 ? 1 : 2", "a condition must be a setting"},
      {"1 + $a ? 1 : 2", "a condition must be a setting"},
      {"epsilon = 1; epsilon", "epsilon cannot be assigned"},
      {"num_classes = 1; 1", "num_classes cannot be assigned"},
  };
  for (const auto& [infix, fault] : kWrong) {
    SCOPED_TRACE(infix);
    EXPECT_TRUE(fails_with(ErrorKind::kValue, {std::string(fault)},
                           [&infix = infix] { (void)compile_formula(infix); }));
  }
}

TEST(Infix, RefusesLongFormulas) {
  std::string names;
  for (char c = 'a'; c <= 'v'; ++c) names.append("x").append(1, c).append(" = 1;");
  EXPECT_TRUE(fails_with(ErrorKind::kValue, {"no letter left for xv"},
                         [&] { (void)compile_formula(names + "1"); }));
  std::string sum = "1";
  for (int i = 0; i < 500; ++i) sum += " + 1";
  EXPECT_TRUE(fails_with(ErrorKind::kValue, {"too long"}, [&] { (void)compile_formula(sum); }));
}

// Each function pops its arguments and pushes one value.
TEST(Infix, MapsFunctionsToOps) {
  for (const FormulaFunction& function : kFormulaFunctions) {
    SCOPED_TRACE(function.name);
    std::string_view rest = function.words;
    std::ptrdiff_t values = 1;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find_first_of(", "), rest.size());
      std::string_view word = rest.substr(0, end);
      if (end < rest.size() && rest[end] == ',') ++values;
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (word.empty()) continue;
      if (std::string_view("._#").find(word.back()) != std::string_view::npos)
        word.remove_suffix(1);
      values -= std::ranges::count(find_op(word).operands, ' ');
    }
    EXPECT_EQ(values, 1);
  }
}

TEST(Infix, CompilesFormulasOfLosses) {
  const auto formula_of = [](std::string_view name) {
    const Measure* measure = find_measure(all_losses(), name);
    return (measure == nullptr ? find_measure(all_metrics(), name) : measure)->formula;
  };
  EXPECT_EQ(
      formula_of("huber"),
      "p t - Absolute :d d $delta LessEqual d Square 2 / d $delta 2 / - $delta * Where Mean.");
  EXPECT_EQ(formula_of("categorical_crossentropy"),
            "same t 1 $label_smoothing - * $label_smoothing c / + :t ?from_logits p LogSoftmax. "
            "else p p Sum_ / e Maximum 1 e - Minimum Log end t * Sum. Negative");
  EXPECT_EQ(formula_of("sparse_top_k_categorical_accuracy"),
            "rows ?from_sorted_ids t ExpandDims. p Equal p OnesLike Cumsum. $k LessEqual "
            "LogicalAnd Any. else p t OneHot# p * Sum_ Greater Sum. $k Less end");
  EXPECT_EQ(formula_of("sensitivity_at_specificity"), "nf tm specificity");
}

constexpr OpAttribute kSettings[] = {
    {"a", "boolean", "", false, false},
    {"b", "boolean", "", false, false},
};
constexpr OpDef kOp = {"Nested", "", kSettings};

TEST(Infix, RefusesUnknownSettings) {
  static_assert(reads_settings_of(kOp, formula<"$a ? $b : 1">));
  for (const std::string_view infix : {"$c", "1 + ($d ? $a : $b)"}) {
    EXPECT_TRUE(fails_with(ErrorKind::kValue, {infix == "$c" ? "$c, which" : "?d, which"},
                           [&] { (void)reads_settings_of(kOp, compile_formula(infix).view()); }));
  }
}

TEST(Formula, NestsConditions) {
  constexpr std::string_view kNested = formula<"1 + ($a ? $b ? 1 : 2 : $b ? 3 : 4)">;
  const Tensor input = floats({1}, {1});
  for (const auto& [a, b, expected] :
       {std::tuple{true, true, 2.F}, std::tuple{true, false, 3.F}, std::tuple{false, true, 4.F},
        std::tuple{false, false, 5.F}}) {
    const Dict settings = dict({{"a", a}, {"b", b}});
    const Tensor actual = evaluate(kNested, {input, input, OpAttributes(kOp, settings)}).values;
    EXPECT_EQ(actual.data<float>().front(), expected);
  }
}

}  // namespace
}  // namespace maskflow
