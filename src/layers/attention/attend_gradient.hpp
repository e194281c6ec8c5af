// SPDX-License-Identifier: MIT
#pragma once

#include "layers/attention/attend.hpp"
#include "ops/tape.hpp"

namespace maskflow {

// The field of kernels::Score that a weight of the layer sets.
enum class ScoreWeight : std::uint8_t { kFactor, kInner, kFeatures };

struct AttendInputs {
  Tensor query, key, value;         // packed: only the kept rows
  Tensors weights;                  // of the layer, for the scores
  std::vector<ScoreWeight> fields;  // that the weights set, one for each
};

// Attend::run, recorded on the tape. Returns a row for each kept query and, if `scores_shape` is
// not null, the scores in that shape.
[[nodiscard]] Tensors record_attend(Tape& tape, Attend attend, const AttendInputs& inputs,
                                    const Shape* scores_shape);

}  // namespace maskflow
