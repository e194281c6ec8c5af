// SPDX-License-Identifier: MIT
// What losses and metrics have in common: an entry of a table, found by any of its names, and how
// targets, weights and masks are brought to one shape.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "ops/op.hpp"
#include "tensor/mask.hpp"

namespace maskflow {

// How the values of batches become one result.
enum class Tally : std::uint8_t {
  kMean,      // their weighted mean
  kSum,       // their weighted sum
  kRoot,      // root of the mean; this and all that follow are blind to masks
  kDecision,  // a share of right and wrong decisions
  kBest,      // the best of such a share while another is high enough
  kArea,      // under a curve of them
  kFScore,    // of what is found and what should be
  kOverlap,   // of two sets of classes
  kR2,        // of what is explained of a variance
};

// How targets are brought to the shape of predictions.
enum class Targets : std::uint8_t {
  kFitted,   // one has an axis more and it is 1: it is taken away or added
  kAsGiven,  // the same for a loss; as a metric Keras computes with what it is given
  kClasses,  // likewise, and they have no axis for classes, or one of size 1
};

struct Measure {
  OpDef op;  // Keras's class name, settings, documentation
  std::string_view aliases;
  std::string_view formula;  // see formula.hpp; for decisions, which of them by which
  Targets targets = Targets::kFitted;
  Tally tally = Tally::kMean;
};

// The targets, predictions and weights of a batch, and what of it counts.
struct Batch {
  Tensor y_true;
  Tensor y_pred;
  Tensor weight = {};  // no handle: none
  Tensor mask = {};    // no handle: that of the predictions, if there is one
};

// By class name, function name or alias, whatever the case; null when there is none.
[[nodiscard]] const Measure* find_measure(std::span<const Measure> table, std::string_view name);
// ConfigError that lists what there is.
[[noreturn]] void no_such_measure(std::string_view what, std::string_view name,
                                  std::initializer_list<std::span<const Measure>> tables);

// All as float32, the mask 1 and 0. `fits`: where targets or predictions have an axis more and it
// is 1, they are fitted.
[[nodiscard]] Batch prepared(const Batch& batch, bool fits = true);
// Keras's rule for that. `expand`: a vector becomes a column rather than a column a vector.
void fit_ranks(Tensor& a, Tensor& b, bool expand = true);
// Weights times mask, either of which may be missing; no handle when both are.
[[nodiscard]] Tensor masked_weight(Tensor weight, const Tensor& mask);
// ShapeError unless `other` broadcasts to `shape` without enlarging it.
void check_fits(const Tensor& other, const char* what, const Shape& shape);

// Null when the measure has no such setting.
[[nodiscard]] Value setting_if_any(const OpAttributes& settings, Name name);
// Which of the words a setting is, counted from 0; -1 when it is null. Else a ConfigError.
[[nodiscard]] int choice(const OpAttributes& settings, Name name, std::string_view words);
// A setting that must lie in 0 … 1.
[[nodiscard]] double share(const OpAttributes& settings, Name name);
// 0 when there is nothing.
[[nodiscard]] inline double ratio(double part, double whole) {
  return whole == 0 ? 0 : part / whole;
}

}  // namespace maskflow
