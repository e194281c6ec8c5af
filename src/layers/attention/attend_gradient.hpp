// SPDX-License-Identifier: MIT
#pragma once

#include "layers/attention/attend.hpp"
#include "ops/tape.hpp"

namespace maskflow {

// The field of kernels::Score that a weight of the layer sets.
enum class ScoreWeight : std::uint8_t { kFactor, kInner, kFeatures };

struct AttendInputs {
  Tensor query, key, value;         // Packed tensors, with the kept rows only.
  Tensors weights;                  // Weights of the layer that the scores use.
  std::vector<ScoreWeight> fields;  // Fields that the weights set, one for each weight.
};

// Runs Attend and records it on the tape. Returns a row for each kept query and, if `scores_shape`
// is not null, the scores in that shape.
[[nodiscard]] Tensors record_attend(Tape& tape, Attend attend, const AttendInputs& inputs,
                                    const Shape* scores_shape);

}  // namespace maskflow
