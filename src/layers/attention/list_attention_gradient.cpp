// SPDX-License-Identifier: MIT
#include "layer/layer_gradient.hpp"
#include "layers/attention/attend_gradient.hpp"
#include "layers/attention/kept_rows_gradient.hpp"
#include "layers/attention/list_attention.hpp"

namespace maskflow {
namespace {

ScoreWeight field_of(const Variable& weight, const kernels::Score& score) {
  if (weight.name() == "concat_score_weight" || !score.additive) return ScoreWeight::kFactor;
  return score.weights == nullptr ? ScoreWeight::kInner : ScoreWeight::kFeatures;
}

Structure rule(Layer& layer, const Args& args, Frame& frame, Tape& tape) {
  auto& attention = static_cast<ListAttention&>(layer);
  const ListAttention::Inputs inputs = attention.read_inputs(args, false);
  const Shape& shape = inputs.query.shape();
  const Dim keys = inputs.value.shape()[1];
  Attend attend = attention.create_attend(inputs, keys, inputs.score_mask, NoKeys::kScored, frame);
  if (ListAttention::can_prune(inputs)) ListAttention::prune(inputs, attend);
  const auto pack = [&](const Tensor& x, const KeptRows& kept) {
    const Dim rows = x.shape()[0] * x.shape()[1];
    if (static_cast<Dim>(kept.size()) == rows) return x.reshaped({rows, x.shape()[2]});
    return gather_rows(tape, x, kept.index);
  };
  AttendInputs packed{pack(inputs.query, attend.queries()),
                      pack(inputs.key, attend.keys()),
                      pack(inputs.value, attend.keys()),
                      {},
                      {}};
  for (const VariablePtr& weight : layer.own_weights()) {
    packed.weights.push_back(weight->value());
    packed.fields.push_back(field_of(*weight, attend.score));
  }
  const Shape scores{shape[0], shape[1], keys};
  const Shape result{shape[0], shape[1], inputs.value.shape()[2]};
  const KeptRows queries = attend.queries();
  Tensors results =
      record_attend(tape, std::move(attend), packed, inputs.returns_scores ? &scores : nullptr);
  results[0] = spread_rows(tape, queries, results[0], result);
  return ListAttention::restore(inputs, std::move(results));
}

constexpr LayerGradient kGradients[] = {{"AdditiveAttention", rule}, {"Attention", rule}};
const RegisterLayerGradients registration{kGradients};

}  // namespace
}  // namespace maskflow
