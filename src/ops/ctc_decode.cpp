// SPDX-License-Identifier: MIT
#include <algorithm>

#include "ops/ops.hpp"

namespace maskflow {
namespace {

// Decodes one sequence greedily: the best class of each step, without repetitions and blanks.
void decode(const std::int32_t* best, Dim steps, std::int32_t blank, bool merges,
            std::int32_t* labels) {
  for (Dim t = 0; t < steps; ++t) {
    const bool repeats = merges && t > 0 && best[t] == best[t - 1];
    if (best[t] != blank && !repeats) *labels++ = best[t];
  }
}

Tensors ctc_decode(Operands x, const OpAttributes& attributes) {
  const std::string strategy = attributes.get("strategy").as_string("strategy");
  if (strategy != "greedy") {
    unsupported_error("'strategy' is '", strategy, "' but only 'greedy' is available");
  }
  const Tensor scores = ops::cast(x[0], DType::kFloat32);
  const Tensor lengths = ops::cast(x[1], DType::kInt32);
  const Shape& shape = scores.shape();
  if (shape.rank() != 3 || lengths.shape() != shape.first(1)) {
    shape_error("inputs must be [batch, time, classes] and sequenceLengths [batch], but have ",
                "shapes ", shape, " and ", lengths.shape());
  }
  const auto blank = static_cast<std::int32_t>(attributes.integer("mask_index"));
  const bool merges = attributes.flag("merge_repeated");
  const Tensor best = ops::argmax(scores, -1);
  Tensor labels = Tensor::full(DType::kInt32, {1, shape[0], shape[1]}, -1);
  Tensor counts = Tensor::zeros(DType::kFloat32, {shape[0], shape[1]});
  for (std::size_t row = 0; row < shape.length(0); ++row) {
    const Dim steps = std::clamp<Dim>(lengths.data<std::int32_t>()[row], 0, shape[1]);
    const std::size_t first = row * shape.length(1);
    std::fill_n(counts.mutable_floats() + first, steps, 1.0F);
    decode(best.data<std::int32_t>().data() + first, steps, blank, merges,
           labels.mutable_data<std::int32_t>().data() + first);
  }
  const Tensor seen = ops::where(counts, ops::max(scores, -1), ops::number(0));
  return {labels, ops::negative(ops::sum(seen, -1, true))};
}

constexpr OpAttribute kSettings[] = {
    {"strategy", "'greedy'", "The best class of each step; beam search is not available.", false,
     "greedy"},
    {"beam_width", "number", "Argument of Keras for beam search.", false, 100},
    {"top_paths", "number", "Argument of Keras for beam search.", false, 1},
    {"merge_repeated", "boolean", "Whether the same class in consecutive steps is one label.",
     false, true},
    {"mask_index", "number", "Class of the blank.", false, 0}};

constexpr OpDef kOps[] = {
    {"CTCDecode", "inputs sequence_lengths", kSettings,
     "Decodes the outputs of a CTC model: the labels, [1, batch, time], with -1 at the end, and "
     "minus the sums of their scores, [batch, 1].",
     ctc_decode, nullptr, true},
};
const RegisterOps registration{kOps, "maskflow/train"};

}  // namespace
}  // namespace maskflow
