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
  kMean,       // their weighted mean
  kRoot,       // its square root; like kConfusion and kArea blind to masks
  kConfusion,  // counts of right and wrong decisions
  kArea,       // under a curve of such counts
};

struct Measure {
  OpDef op;  // Keras's class name, settings, documentation
  std::string_view aliases;
  std::string_view formula;  // see formula.hpp; for counts, which of them by which
  Tally tally = Tally::kMean;
  bool sparse = false;  // targets are classes: they have no axis for them, or one of size 1
};

// The targets, predictions (with the mask that is attached to them) and weights of a batch.
struct Batch {
  Tensor y_true;
  Tensor y_pred;
  Tensor weight;  // no handle: none
};

// By class name, function name or alias, whatever the case; null when there is none.
[[nodiscard]] const Measure* find_measure(std::span<const Measure> table, std::string_view name);
// ConfigError that lists what there is.
[[noreturn]] void no_such_measure(std::string_view what, std::string_view name,
                                  std::initializer_list<std::span<const Measure>> tables);

// Targets and predictions as float32; where one has an axis more and it is 1, it is fitted.
[[nodiscard]] Batch prepared(const Batch& batch);
// Keras's rule for that. `expand`: a vector becomes a column rather than a column a vector.
void fit_ranks(Tensor& a, Tensor& b, bool expand = true);
// Weights times mask (1: keep), either of which may be missing; no handle when both are.
[[nodiscard]] Tensor masked_weight(Tensor weight, const Tensor& mask);
// ShapeError unless `other` broadcasts to `shape` without enlarging it.
void check_fits(const Tensor& other, const char* what, const Shape& shape);

}  // namespace maskflow
