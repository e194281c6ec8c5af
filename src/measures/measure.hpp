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

// The way from the values of all batches to one result. kRoot and all below it ignore masks.
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

// The way in which targets get the shape of predictions.
enum class Targets : std::uint8_t {
  kFitted,   // if one of both has an additional last axis of size 1, it is removed or added
  kAsGiven,  // as kFitted for a loss; not changed for a metric, as in Keras
  kClasses,  // as kAsGiven; targets have no axis for classes, or one of size 1
};

struct Measure {
  OpDef op;                  // Keras's class name, settings, documentation
  std::string_view aliases;  // further names in lower case, separated by spaces
  // Words of formula.hpp; for kDecision and kBest, letters of decisions.cpp.
  std::string_view formula;
  Targets targets = Targets::kFitted;
  Tally tally = Tally::kMean;
};

struct Batch {
  Tensor y_true;
  Tensor y_pred;
  Tensor weight = {};  // sample weights; an empty handle: all are 1
  Tensor mask = {};    // an empty handle: the mask of y_pred, if it has one
};

// Finds a measure by class name, function name or alias in any case; null if there is none.
[[nodiscard]] const Measure* find_measure(std::span<const Measure> table, std::string_view name);
// Throws a ConfigError that lists the known names. `kind` is "loss" or "metric".
[[noreturn]] void no_such_measure(std::string_view kind, std::string_view name,
                                  std::initializer_list<std::span<const Measure>> tables);

// Converts a batch to float32; the mask becomes 1 and 0. `fits`: applies fit_ranks to targets and
// predictions.
[[nodiscard]] Batch prepared(const Batch& batch, bool fits = true);
// Keras's rule for two tensors of which one has an additional last axis of size 1: that axis is
// removed. `expand`: if the other tensor is a vector, it gets the axis instead.
void fit_ranks(Tensor& a, Tensor& b, bool expand = true);
// Weights times mask. Either may be an empty handle; the result is one if both are.
[[nodiscard]] Tensor masked_weight(Tensor weight, const Tensor& mask);
// ShapeError unless `other` broadcasts to `shape` without enlarging it. `name` is what the error
// calls it.
void check_fits(const Tensor& other, const char* name, const Shape& shape);

// Null if the measure has no such setting.
[[nodiscard]] Value setting_if_any(const OpAttributes& settings, Name name);
// choice_index() of a setting; -1 for null.
[[nodiscard]] int choice(const OpAttributes& settings, Name name, std::string_view choices);
// A setting from 0 to 1; ValueError for another number.
[[nodiscard]] double share(const OpAttributes& settings, Name name);
// part / whole, or 0 if `whole` is 0.
[[nodiscard]] inline double ratio(double part, double whole) {
  return whole == 0 ? 0 : part / whole;
}

}  // namespace maskflow
