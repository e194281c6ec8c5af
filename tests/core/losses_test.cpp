// SPDX-License-Identifier: MIT
// Losses and metrics: all recorded cases, and results computed by hand.
#include "measures/losses.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "measures/metrics.hpp"
#include "support/errors.hpp"
#include "support/fixtures.hpp"
#include "support/tensors.hpp"
#include "support/values.hpp"

namespace maskflow {
namespace {

using test::at;
using test::close;
using test::dict;
using test::fails_with;
using test::floats;
using test::list;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

Batch batch_of(const Value& recorded) {
  Batch batch{
      test::tensor_from(at(recorded, "y_true")), test::tensor_from(at(recorded, "y_pred")), {}};
  if (!at(recorded, "mask").is_null()) {
    batch.y_pred = batch.y_pred.with_mask(make_mask(test::tensor_from(at(recorded, "mask"))));
  }
  if (!at(recorded, "sample_weight").is_null()) {
    batch.weight = test::tensor_from(at(recorded, "sample_weight"));
  }
  return batch;
}

// Returns the settings that affect the numbers, without settings of Keras that are off.
Dict settings_of(const Value& recorded) {
  Dict settings;
  for (const auto& [key, value] : at(recorded, "config").as_dict("config").entries()) {
    const bool off = value.is_null() || (value.is_bool() && !value.as_bool(""));
    if (key == "name" || key == "dtype" || key == "reduction") continue;
    if (off && (key == "multi_label" || key == "num_labels" || key == "label_weights")) continue;
    settings[key] = value;
  }
  return settings;
}

TEST(LossConformance, EqualsRecordedNumbers) {
  const Value fixture = test::read_fixture("losses/losses.json");
  const List& cases = at(fixture, "cases").as_list("cases");
  EXPECT_EQ(cases.size(), 184U);
  for (const Value& recorded : cases) {
    SCOPED_TRACE(at(recorded, "name").as_string("name"));
    const Value& serialized = at(recorded, "loss");
    const auto actual = [&] {
      return loss(at(serialized, "class_name").as_string(""), batch_of(recorded),
                  settings_of(serialized),
                  at(at(serialized, "config"), "reduction").as_string("reduction"));
    };
    const Value& expect = at(recorded, "expect");
    if (expect.find("error") != nullptr) {
      EXPECT_TRUE(fails_with(ErrorKind::kShape, {"losses.MeanSquaredError", "(3"}, actual));
      continue;
    }
    EXPECT_TRUE(close(actual(), test::tensor_from(at(expect, "value"))));
  }
}

TEST(MetricConformance, EqualsRecordedNumbers) {
  const Value fixture = test::read_fixture("losses/metrics.json");
  const List& cases = at(fixture, "cases").as_list("cases");
  EXPECT_EQ(cases.size(), 104U);
  for (const Value& recorded : cases) {
    SCOPED_TRACE(at(recorded, "name").as_string("name"));
    const std::string& name = at(at(recorded, "metric"), "class_name").as_string("");
    const Dict settings = settings_of(at(recorded, "metric"));
    const List& expected = at(at(recorded, "expect"), "results").as_list("results");
    const List& updates = at(recorded, "updates").as_list("updates");
    ASSERT_EQ(updates.size(), expected.size());
    Sums sums;
    for (std::size_t i = 0; i < updates.size(); ++i) {
      sums = metric_update(name, batch_of(updates[i]), settings, sums);
      const std::vector<double> actual = test::numbers_of(metric_result(name, settings, sums));
      ASSERT_EQ(actual.size(), 1U);
      EXPECT_TRUE(close(test::scalar(static_cast<float>(actual[0])),
                        test::scalar(static_cast<float>(expected[i].as_number("")))));
    }
  }
}

// Two samples of three steps. The third step of the first sample, and all but the first step of the
// second, are padding.
Batch padded(const std::vector<float>& errors) {
  const Tensor y_pred = floats({2, 3, 1}, errors);
  return {
      floats({2, 3, 1}, std::vector<float>(6, 0)), test::masked(y_pred, {1, 1, 0, 1, 0, 0}), {}};
}
float value_of(const std::string& reduction, const Batch& batch) {
  return loss("mse", batch, {}, reduction).data<float>()[0];
}

TEST(Loss, ReductionsEqualHandComputedValues) {
  Batch batch = padded({1, 2, 9, 3, 9, 9});  // squares 1 4 . 9 . .
  EXPECT_NEAR(value_of("sum", batch), 14, 1e-5);
  EXPECT_NEAR(value_of("mean", batch), 14.0 / 3, 1e-5);
  EXPECT_NEAR(value_of("mean_over_kept", batch), 14.0 / 3, 1e-6);
  batch.weight = floats({2, 3}, {1, 2, 5, 3, 5, 5});  // 1 8 . 27 . .
  EXPECT_NEAR(value_of("sum_over_batch_size", batch), 36.0 / 3, 1e-5);
  EXPECT_NEAR(value_of("mean_with_sample_weight", batch), 36.0 / 6, 1e-5);
  EXPECT_NEAR(value_of("mean_over_kept", batch), 36.0 / 3, 1e-5);
  EXPECT_TRUE(close(loss("mse", batch, {}, "none"), floats({2, 3}, {1, 8, 0, 27, 0, 0})));
}

TEST(Loss, MeanOverKeptIgnoresNaNInPadding) {
  const Batch batch = padded({1, 2, kNan, 3, INFINITY, kNan});
  EXPECT_NEAR(value_of("mean", batch), 14.0 / 3, 1e-5);
  EXPECT_NEAR(value_of("mean_over_kept", batch), 14.0 / 3, 1e-6);
}

TEST(Loss, IsZeroWithoutKeptSteps) {
  Batch batch = padded({1, 2, 3, 4, 5, 6});
  batch.y_pred = test::masked(batch.y_pred, {0, 0, 0, 0, 0, 0});
  for (const char* reduction : {"mean", "sum", "mean_with_sample_weight", "mean_over_kept"}) {
    EXPECT_EQ(value_of(reduction, batch), 0) << reduction;
  }
}

TEST(Loss, IsFoundByNameAndAlias) {
  const Batch batch = padded({1, 2, 9, 3, 9, 9});
  for (const char* name :
       {"mse", "MSE", "mean_squared_error", "MeanSquaredError", "meanSquaredError"}) {
    EXPECT_NEAR(loss(name, batch, {}, "sum").data<float>()[0], 14, 1e-5) << name;
  }
  EXPECT_TRUE(fails_with(ErrorKind::kConfig, {"mae_loss", "mean_absolute_error", "kl_divergence"},
                         [&] { return loss("mae_loss", batch, {}, "sum"); }));
  EXPECT_TRUE(fails_with(ErrorKind::kConfig, {"Huber", "dleta"}, [&] {
    return loss("huber", batch, dict({{"dleta", 2}}), "sum");
  }));
  EXPECT_TRUE(fails_with(ErrorKind::kConfig, {"average", "mean_over_kept"},
                         [&] { return loss("mse", batch, {}, "average"); }));
}

TEST(Loss, OfLogitsEqualsLossOfTheirProbabilities) {
  const Tensor logits = floats({2, 3}, {0.5F, -1.0F, 2.0F, -0.3F, 0.1F, 0.7F});
  const Tensor odds = apply_op1("Softmax", {&logits, 1});
  const Tensor chances = apply_op1("Sigmoid", {&logits, 1});
  const Tensor targets = floats({2, 3}, {0, 0, 1, 1, 0, 0});
  const auto both = [&](const char* name, const Tensor& y_true, const Tensor& probabilities) {
    EXPECT_TRUE(close(loss(name, {y_true, logits, {}}, dict({{"from_logits", true}}), "none"),
                      loss(name, {y_true, probabilities, {}}, {}, "none")))
        << name;
  };
  both("binary_crossentropy", targets, chances);
  both("binary_focal_crossentropy", targets, chances);
  both("categorical_crossentropy", targets, odds);
  both("categorical_focal_crossentropy", targets, odds);
  both("sparse_categorical_crossentropy", floats({2}, {2, 0}), odds);
}

TEST(Loss, SparseAndDenseTargetsAgree) {
  const Tensor odds = floats({2, 3}, {0.2F, 0.3F, 0.5F, 0.6F, 0.3F, 0.1F});
  const Tensor dense =
      loss("categorical_crossentropy", {floats({2, 3}, {0, 0, 1, 1, 0, 0}), odds, {}}, {}, "none");
  EXPECT_TRUE(close(dense, floats({2}, {-std::log(0.5F), -std::log(0.6F)})));
  for (const Tensor& classes : {floats({2}, {2, 0}), floats({2, 1}, {2, 0})}) {
    EXPECT_TRUE(
        close(loss("sparse_categorical_crossentropy", {classes, odds, {}}, {}, "none"), dense));
  }
  EXPECT_TRUE(fails_with(ErrorKind::kValue, {"class 3", "3 classes", "ignoreClass"}, [&] {
    return loss("sparse_categorical_crossentropy", {floats({2}, {3, 0}), odds, {}}, {}, "none");
  }));
  EXPECT_TRUE(close(loss("sparse_categorical_crossentropy", {floats({2}, {-1, 0}), odds, {}},
                         dict({{"ignore_class", -1}}), "mean"),
                    test::scalar(-std::log(0.6F))));
}

TEST(Loss, SmoothsTargets) {
  const Tensor odds = floats({1, 4}, {0.1F, 0.2F, 0.3F, 0.4F});
  // A share of 0.4 is spread over four classes.
  const float expected = -(0.1F * std::log(0.1F) + 0.1F * std::log(0.2F) + 0.1F * std::log(0.3F) +
                           0.7F * std::log(0.4F));
  EXPECT_TRUE(close(loss("cce", {floats({1, 4}, {0, 0, 0, 1}), odds, {}},
                         dict({{"label_smoothing", 0.4}}), "mean"),
                    test::scalar(expected)));
}

double metric(const std::string& name, const Batch& batch, const Dict& settings = {}) {
  const Sums sums = metric_update(name, batch, settings, {});
  return test::numbers_of(metric_result(name, settings, sums))[0];
}

TEST(Metric, IsTheMeanOverKeptSteps) {
  EXPECT_NEAR(metric("mse", padded({1, 2, 9, 3, 9, 9})), 14.0 / 3, 1e-6);
  EXPECT_NEAR(metric("rmse", padded({1, 2, 9, 3, 9, 9})), std::sqrt((14 + 243) / 6.0), 1e-5);
}

// Values for the required settings of all metrics.
Dict required_settings(const Measure& measure) {
  Dict settings;
  for (const OpAttribute& attribute : measure.op.attributes) {
    if (!attribute.required) continue;
    settings[attribute.name] = attribute.name == "num_classes"        ? Value(3)
                               : attribute.name == "target_class_ids" ? Value(list({0, 2}))
                                                                      : Value(0.5);
  }
  return settings;
}

TEST(Metric, IsZeroBeforeTheFirstBatch) {
  for (const Measure& measure : all_metrics()) {
    const Value result =
        metric_result(std::string(measure.op.name), required_settings(measure), {});
    // These metrics need a number for each class, but the classes are not known yet.
    const bool many = measure.op.name == "FBetaScore" || measure.op.name == "F1Score";
    EXPECT_EQ(test::numbers_of(result), many ? std::vector<double>{} : std::vector<double>{0})
        << measure.op.name;
  }
}

TEST(Metric, CountsOfDecisionsEqualHandComputedValues) {
  const Batch batch{
      floats({6}, {1, 1, 1, 0, 0, 0}), floats({6}, {.9F, .6F, .2F, .7F, .4F, .1F}), {}};
  EXPECT_EQ(metric("true_positives", batch), 2);
  EXPECT_EQ(metric("false_positives", batch), 1);
  EXPECT_EQ(metric("false_negatives", batch), 1);
  EXPECT_EQ(metric("true_negatives", batch), 2);
  EXPECT_NEAR(metric("precision", batch), 2.0 / 3, 1e-9);
  EXPECT_NEAR(metric("recall", batch, dict({{"thresholds", 0.8}})), 1.0 / 3, 1e-9);
  const Dict several = dict({{"thresholds", list({0.15, 0.65})}});
  const Sums sums = metric_update("recall", batch, several, {});
  EXPECT_EQ(test::numbers_of(metric_result("recall", several, sums)),
            (std::vector<double>{1, 1.0 / 3}));
  // 6 of the 9 pairs of a positive and a negative target are in order.
  EXPECT_NEAR(metric("auc", batch), 6.0 / 9, 1e-6);
}

TEST(Metric, ComputesAreasOfAllCurves) {
  const Batch batch{floats({4}, {0, 0, 1, 1}), floats({4}, {0, 0.5F, 0.3F, 0.9F}), {}};
  const auto with = [&](const char* curve, const char* rule) {
    return metric("AUC", batch,
                  dict({{"num_thresholds", 3}, {"curve", curve}, {"summation_method", rule}}));
  };
  // Three thresholds (below 0, 0.5, above 1) have 2, 1 and 0 true positives and 2, 0 and 0 false
  // positives.
  EXPECT_NEAR(with("ROC", "interpolation"), 0.75, 1e-6);
  EXPECT_NEAR(with("ROC", "minoring"), 0.5, 1e-6);
  EXPECT_NEAR(with("ROC", "majoring"), 1.0, 1e-6);
  // The precision is 1/2, 1 and 0 at a recall of 1, 1/2 and 0.
  EXPECT_NEAR(with("PR", "minoring"), 0.25, 1e-6);
  EXPECT_NEAR(with("PR", "majoring"), 1.0, 1e-6);
  // Beyond (1/2, 1), each true positive comes with two false ones: (1 + (1 - 1/3) log 4) / 3,
  // halved, plus 1/2.
  EXPECT_NEAR(with("PR", "interpolation"), 0.5 + (1 + 2.0 / 3 * std::log(4.0)) / 6, 1e-6);
  EXPECT_TRUE(fails_with(ErrorKind::kConfig, {"Roc", "ROC"}, [&] { with("Roc", "minoring"); }));
  EXPECT_TRUE(fails_with(ErrorKind::kConfig, {"middle"}, [&] { with("PR", "middle"); }));
}

TEST(Metric, SelectsTopKAndOneClass) {
  const Batch batch{
      floats({2, 3}, {0, 0, 1, 0, 1, 0}), floats({2, 3}, {.5F, .1F, .4F, .2F, .3F, .9F}), {}};
  EXPECT_NEAR(metric("precision", batch, dict({{"top_k", 1}})), 0, 1e-9);
  EXPECT_NEAR(metric("precision", batch, dict({{"top_k", 2}})), 0.5, 1e-9);
  EXPECT_NEAR(metric("recall", batch, dict({{"thresholds", 0.35}, {"class_id", 2}})), 1, 1e-9);
  EXPECT_NEAR(metric("precision", batch, dict({{"thresholds", 0.35}, {"class_id", 2}})), 0.5, 1e-9);
  EXPECT_NEAR(metric("top_k_categorical_accuracy", batch, dict({{"k", 1}})), 0, 1e-9);
  EXPECT_NEAR(metric("top_k_categorical_accuracy", batch, dict({{"k", 2}})), 1, 1e-9);
  EXPECT_NEAR(metric("categorical_accuracy", batch), 0, 1e-9);
  EXPECT_TRUE(fails_with(ErrorKind::kValue, {"class_id is 3", "3 classes"}, [&] {
    metric("precision", batch, dict({{"class_id", 3}}));
  }));
}

TEST(Metric, QuotesBothShapesInErrors) {
  const Batch batch{floats({2, 3}, {0, 0, 1, 0, 1, 0}), floats({2, 2}, {0, 0, 0, 0}), {}};
  EXPECT_TRUE(fails_with(ErrorKind::kShape, {"metrics.Precision", "(2, 3)", "(2, 2)"},
                         [&] { metric("precision", batch); }));
  EXPECT_TRUE(fails_with(ErrorKind::kShape, {"metrics.MeanSquaredError", "(2, 3)"},
                         [&] { metric("mse", batch); }));
  const Batch weighted{batch.y_true, batch.y_true, floats({3}, {1, 1, 1})};
  EXPECT_TRUE(
      fails_with(ErrorKind::kShape, {"weight", "(3,)", "(2,)"}, [&] { metric("mse", weighted); }));
  EXPECT_TRUE(fails_with(ErrorKind::kConfig, {"accuracies", "binary_accuracy"},
                         [&] { metric("accuracies", batch); }));
}

// Formulas are texts: each must at least run, on shapes of all ranks.
TEST(Metric, RunsForAllMetrics) {
  const auto run = [](const Measure& measure, const Shape& shape) {
    // losses_more_test.cpp has losses that need other shapes.
    if (measure.op.name == "CTC" || measure.op.name == "Circle") return;
    const Tensor y_pred = Tensor::full(DType::kFloat32, shape, 0.25);
    // The correlation of constant values is NaN.
    if (measure.op.name == "PearsonCorrelation" || measure.op.name == "R2Score") return;
    const bool rank2 = measure.op.name == "FBetaScore" || measure.op.name == "F1Score";
    if (rank2 && shape.rank() != 2) return;
    const bool sparse = measure.targets == Targets::kClasses ||
                        measure.op.name == "SparseTopKCategoricalAccuracy" ||
                        measure.op.name == "CategoricalGeneralizedCrossEntropy";
    const Tensor y_true = sparse ? Tensor::zeros(DType::kInt32, shape.first(shape.rank() - 1))
                                 : Tensor::zeros(DType::kFloat32, shape);
    const double result =
        metric(std::string(measure.op.name), {y_true, y_pred, {}}, required_settings(measure));
    EXPECT_TRUE(std::isfinite(result)) << measure.op.name;
  };
  for (const Shape& shape : {Shape{2, 3}, Shape{2, 4, 3}, Shape{0, 3}}) {
    for (const Measure& measure : all_metrics()) run(measure, shape);
    for (const Measure& measure : all_losses()) run(measure, shape);
  }
}

}  // namespace
}  // namespace maskflow
