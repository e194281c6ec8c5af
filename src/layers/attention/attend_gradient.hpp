// SPDX-License-Identifier: MIT
#pragma once

#include "layers/attention/attend.hpp"
#include "ops/tape.hpp"

namespace maskflow {

// Which number of a Score a weight of the layer is.
enum class ScoreWeight : std::uint8_t { kFactor, kInner, kFeatures };

struct AttendInputs {
  Tensor query, key, value;        // packed: the kept rows
  Tensors weights;                 // that the score is made of
  std::vector<ScoreWeight> roles;  // of those
};

// Attend::run, recorded: a row for each kept query, and, where `scores` is no null, the scores in
// that shape.
[[nodiscard]] Tensors record_attend(Tape& tape, Attend attend, const AttendInputs& inputs,
                                    const Shape* scores);

}  // namespace maskflow
