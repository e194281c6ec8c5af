// SPDX-License-Identifier: MIT
// The common parts of losses and metrics: the entry of a table, which is found by any of its names,
// and the rules by which targets, weights and masks get the same shape.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "ops/op.hpp"
#include "tensor/mask.hpp"

namespace maskflow {

// How the values of all batches lead to one result. kRoot and all kinds below it ignore masks.
enum class Tally : std::uint8_t {
  kMean,      // weighted mean
  kSum,       // weighted sum
  kRoot,      // root of the weighted mean
  kDecision,  // counts of true and false positives and negatives, or shares of them
  kBest,      // highest share at thresholds where another share is high enough
  kArea,      // area under a curve over all thresholds
  kFScore,    // F-score
  kOverlap,   // intersection over union of classes
  kR2,        // coefficient of determination
};

// How targets get the shape of predictions.
enum class Targets : std::uint8_t {
  // If targets or predictions have an additional last axis of size 1, it is removed or added.
  kFitted,
  kAsGiven,  // As kFitted for a loss, but unchanged for a metric, as in Keras.
  kClasses,  // As kAsGiven; targets have no axis for classes, or one of size 1.
};

struct Measure {
  OpDef op;                  // Keras's class name, the settings and the documentation.
  std::string_view aliases;  // Further names in lower case, separated by spaces.
  // Words of formula.hpp; for kDecision and kBest, letters of decisions.cpp.
  std::string_view formula;
  Targets targets = Targets::kFitted;
  Tally tally = Tally::kMean;
};

struct Batch {
  Tensor y_true;
  Tensor y_pred;
  Tensor weight = {};  // Sample weights; an empty handle means that all are 1.
  Tensor mask = {};    // The mask; an empty handle means the mask of y_pred, if it has one.
};

// Finds a measure by class name, function name or alias in any case; null if there is none.
[[nodiscard]] const Measure* find_measure(std::span<const Measure> table, std::string_view name);
// Throws a ConfigError that lists the known names. `kind` is "loss" or "metric".
[[noreturn]] void no_such_measure(std::string_view kind, std::string_view name,
                                  std::initializer_list<std::span<const Measure>> tables);

// Converts a batch to float32; the mask becomes 1 and 0. With `fits`, applies fit_ranks to targets
// and predictions.
[[nodiscard]] Batch prepared(const Batch& batch, bool fits = true);
// Applies Keras's rule for two tensors of which one has an additional last axis of size 1: that
// axis is removed. With `expand`, the other tensor gets the axis instead if it is a vector.
void fit_ranks(Tensor& a, Tensor& b, bool expand = true);
// Returns the weights times the mask. Either may be an empty handle; the result is one if both are.
[[nodiscard]] Tensor masked_weight(Tensor weight, const Tensor& mask);
// Throws ShapeError unless `other` broadcasts to `shape` without enlarging it. The error calls it
// `name`.
void check_fits(const Tensor& other, const char* name, const Shape& shape);

// Returns whether measures follow Keras 3.16 where it differs from 3.15.
[[nodiscard]] bool follows_keras_316();
// Returns a setting, or null if the measure has no such setting.
[[nodiscard]] Value setting_if_any(const OpAttributes& settings, Name name);
// Returns choice_index() of a setting, or -1 for null.
[[nodiscard]] int choice(const OpAttributes& settings, Name name, std::string_view choices);
// Returns a setting from 0 to 1. Throws ValueError for another number.
[[nodiscard]] double share(const OpAttributes& settings, Name name);
// Returns part / whole, or 0 if `whole` is 0.
[[nodiscard]] inline double ratio(double part, double whole) {
  return whole == 0 ? 0 : part / whole;
}

}  // namespace maskflow
