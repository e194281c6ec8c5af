// SPDX-License-Identifier: MIT
// Losses and metrics without recorded cases, compared with their definitions.
#include <gtest/gtest.h>

#include <cmath>

#include "measures/losses.hpp"
#include "measures/metrics.hpp"
#include "ops/ops.hpp"
#include "support/errors.hpp"
#include "support/random.hpp"
#include "support/tensors.hpp"
#include "support/values.hpp"

namespace maskflow {
namespace {

using test::dict;
using test::fails_with;
using test::floats;
using test::ints;
using test::Rng;

std::vector<double> values(const std::string& name, const Tensor& t, const Tensor& p,
                           const Dict& settings = {}, const std::string& reduction = "none") {
  return test::numbers(loss(name, {t, p, {}}, settings, reduction));
}

TEST(MoreLosses, DiceAndTverskyFollowTheirDefinitions) {
  const Tensor t = floats({2, 3}, {1, 0, 1, 1, 1, 0});
  const Tensor p = floats({2, 3}, {0.5, 0.25, 1, 0, 0.75, 0.5});
  const double both = 0.5 + 1 + 0.75;
  EXPECT_NEAR(values("dice", t, p)[0], 1 - 2 * both / (4 + 3 + 1e-7), 1e-6);
  // With axis 1, each row is its own set of labels.
  const auto rows = values("Dice", t, p, dict({{"axis", 1}}));
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_NEAR(rows[0], 1 - 2 * 1.5 / (2 + 1.75), 1e-6);
  EXPECT_NEAR(rows[1], 1 - 2 * 0.75 / (2 + 1.25), 1e-6);
  const double missed = (1 - 0.5) + 0 + 1 + 0.25;
  const double wrong = 0.25 + 0.5;
  EXPECT_NEAR(values("tversky", t, p, dict({{"alpha", 0.3}, {"beta", 0.7}}))[0],
              1 - both / (both + 0.3 * missed + 0.7 * wrong), 1e-6);
}

TEST(MoreLosses, CategoricalGeneralizedCrossEntropyFollowsItsDefinition) {
  const Tensor p = floats({2, 3}, {0.2F, 0.5F, 0.3F, 0.6F, 0.3F, 0.1F});
  const Tensor t = ints({2}, {1, 0});
  const auto actual = values("categorical_generalized_cross_entropy", t, p, dict({{"q", 0.7}}));
  ASSERT_EQ(actual.size(), 2U);
  EXPECT_NEAR(actual[0], (1 - std::pow(0.5, 0.7)) / 0.7, 1e-6);
  EXPECT_NEAR(actual[1], (1 - std::pow(0.6, 0.7)) / 0.7, 1e-6);
}

// The circle loss of Sun et al. 2020, pair by pair.
double circle_of(const std::vector<int>& labels, const std::vector<std::array<double, 2>>& x,
                 std::size_t i, double gamma, double margin, bool no_self) {
  double same = 0;
  double other = 0;
  for (std::size_t j = 0; j < labels.size(); ++j) {
    const double d = std::max(0.0, 1 - (x[i][0] * x[j][0] + x[i][1] * x[j][1]));
    if (labels[i] != labels[j]) {
      other += std::exp(gamma * std::max(0.0, 1 + margin - d) * (1 - margin - d));
    } else if (i != j || !no_self) {
      same += std::exp(-gamma * (margin + d) * (margin - d));
    }
  }
  return std::log1p(same * other);
}

TEST(MoreLosses, CircleFollowsItsDefinition) {
  const std::vector<int> labels{0, 1, 0, 2};
  std::vector<std::array<double, 2>> x;
  std::vector<float> numbers;
  for (const double angle : {0.1, 2.0, 0.9, 4.0}) {
    x.push_back({std::cos(angle), std::sin(angle)});
    for (const double v : x.back()) numbers.push_back(static_cast<float>(v));
  }
  const Tensor p = floats({4, 2}, numbers);
  for (const bool no_self : {true, false}) {
    const Dict settings = dict({{"gamma", 3}, {"margin", 0.25}, {"remove_diagonal", no_self}});
    const auto actual = values("circle", ints({4}, {0, 1, 0, 2}), p, settings);
    ASSERT_EQ(actual.size(), 4U);
    double sum = 0;
    double count = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const double expected = circle_of(labels, x, i, 3, 0.25, no_self);
      EXPECT_NEAR(actual[i], expected, 1e-5) << i;
      sum += expected;
      count += expected > 0 ? 1 : 0;
    }
    // As in Keras, samples without a pair do not count.
    EXPECT_NEAR(values("circle", ints({4, 1}, {0, 1, 0, 2}), p, settings, "mean")[0], sum / count,
                1e-5);
    EXPECT_EQ(count, no_self ? 2 : 4);
  }
}

// Sums the probabilities of all alignments, one by one, as the definition of the CTC loss.
double ctc_of(const std::vector<double>& odds, int steps, int classes,
              const std::vector<int>& label) {
  int ways = 1;
  for (int t = 0; t < steps; ++t) ways *= classes;
  double total = 0;
  for (int way = 0; way < ways; ++way) {
    double product = 1;
    std::vector<int> read;
    int before = 0;
    for (int t = 0, rest = way; t < steps; ++t, rest /= classes) {
      const int now = rest % classes;
      product *= odds[static_cast<std::size_t>(t * classes + now)];
      if (now != 0 && now != before) read.push_back(now);
      before = now;
    }
    if (read == label) total += product;
  }
  return -std::log(total);
}

TEST(MoreLosses, CtcIsTheSumOfAllAlignments) {
  Rng rng(5);
  for (int seed = 0; seed < 20; ++seed) {
    const int steps = rng.integer(2, 6);
    const int classes = rng.integer(2, 4);
    const Tensor p = test::random_floats(rng, {1, steps, classes}, 2);
    std::vector<double> odds;
    for (int t = 0; t < steps; ++t) {
      double sum = 0;
      const auto at = [&](int c) {
        return std::exp(
            static_cast<double>(p.data<float>()[static_cast<std::size_t>(t * classes + c)]));
      };
      for (int c = 0; c < classes; ++c) sum += at(c);
      for (int c = 0; c < classes; ++c) odds.push_back(at(c) / sum);
    }
    std::vector<int> label;
    for (int i = rng.integer(0, steps / 2); i > 0; --i)
      label.push_back(rng.integer(1, classes - 1));
    std::vector<std::int32_t> padded(label.begin(), label.end());
    padded.resize(4, 0);
    const auto actual = values("ctc", ints({1, 4}, padded), p);
    ASSERT_EQ(actual.size(), 1U);
    EXPECT_NEAR(actual[0], ctc_of(odds, steps, classes, label), 1e-4);
  }
}

TEST(MoreLosses, CtcRefusesImpossibleLabels) {
  const Tensor p = floats({1, 2, 3}, {0, 0, 0, 0, 0, 0});
  // Two steps cannot produce three labels, so the loss is infinite.
  EXPECT_EQ(values("ctc", ints({1, 3}, {1, 2, 1}), p)[0], INFINITY);
  EXPECT_TRUE(fails_with(ErrorKind::kValue, {"label", "3", "2"}, [&] {
    static_cast<void>(values("ctc", ints({1, 1}, {3}), p));
  }));
  EXPECT_TRUE(fails_with(ErrorKind::kShape, {"[batch, length]", "(2, 1)"}, [&] {
    static_cast<void>(values("ctc", ints({2, 1}, {1, 1}), p));
  }));
}

TEST(MoreMetrics, AreaOfManyLabelsIsTheMeanOfTheirAreas) {
  Rng rng(9);
  const Tensor t = test::random_ints(rng, {40, 3}, 0, 1);
  const Tensor p =
      ops::divide(ops::add(test::random_floats(rng, {40, 3}), test::scalar(1)), test::scalar(2));
  for (const char* curve : {"ROC", "PR"}) {
    std::vector<double> alone;
    for (Dim label = 0; label < 3; ++label) {
      const Batch batch{
          ops::slice_axis(t, 1, label, label + 1), ops::slice_axis(p, 1, label, label + 1), {}};
      const Dict settings = dict({{"curve", curve}});
      alone.push_back(test::numbers_of(
          metric_result("auc", settings, metric_update("auc", batch, settings, {})))[0]);
    }
    const Dict mean = dict({{"curve", curve}, {"multi_label", true}});
    Sums sums = metric_update("auc", {t, p, {}}, mean, {});
    EXPECT_NEAR(test::numbers_of(metric_result("auc", mean, sums))[0],
                (alone[0] + alone[1] + alone[2]) / 3, 1e-9);
    const Dict weighted = dict({{"curve", curve},
                                {"multi_label", true},
                                {"num_labels", 3},
                                {"label_weights", test::list({1, 0, 3})}});
    EXPECT_NEAR(test::numbers_of(metric_result("auc", weighted, sums))[0],
                (alone[0] + 3 * alone[2]) / 4, 1e-9);
    EXPECT_TRUE(fails_with(ErrorKind::kValue, {"label_weights", "2", "3"}, [&] {
      const Dict wrong = dict({{"multi_label", true}, {"label_weights", test::list({1, 2})}});
      static_cast<void>(metric_update("auc", {t, p, {}}, wrong, {}));
    }));
  }
}

}  // namespace
}  // namespace maskflow
