// SPDX-License-Identifier: MIT
#include "layer/layer_gradient.hpp"
#include "layers/attention/attend_gradient.hpp"
#include "layers/attention/kept_rows_gradient.hpp"
#include "layers/attention/list_attention.hpp"

namespace maskflow {
namespace {

ScoreWeight role_of(const Variable& weight, const kernels::Score& score) {
  if (weight.name() == "concat_score_weight" || !score.additive) return ScoreWeight::kFactor;
  return score.weights == nullptr ? ScoreWeight::kInner : ScoreWeight::kFeatures;
}

Structure rule(Layer& layer, const Args& args, Frame& frame, Tape& tape) {
  auto& attention = static_cast<ListAttention&>(layer);
  const ListAttention::Arranged arranged = attention.arranged(args);
  const Tensor allowed = ListAttention::allowed(args, arranged);
  const Shape& shape = arranged.query.shape();
  const Dim keys = arranged.value.shape()[1];
  Attend attend = attention.attend_over(arranged, keys, allowed, NoKeys::kScored, frame);
  if (ListAttention::may_leave_out(arranged, allowed)) attention.leave_out(arranged, attend);
  const auto packed = [&](const Tensor& x, const KeptRows& kept) {
    const Dim rows = x.shape()[0] * x.shape()[1];
    if (static_cast<Dim>(kept.size()) == rows) return x.reshaped({rows, x.shape()[2]});
    return taken_rows(tape, x, kept.index);
  };
  AttendInputs inputs{packed(arranged.query, attend.queries()),
                      packed(arranged.key, attend.keys()),
                      packed(arranged.value, attend.keys()),
                      {},
                      {}};
  for (const VariablePtr& weight : layer.own_weights()) {
    inputs.weights.push_back(weight->value());
    inputs.roles.push_back(role_of(*weight, attend.score));
  }
  const Shape scores{shape[0], shape[1], keys};
  const Shape result{shape[0], shape[1], arranged.value.shape()[2]};
  const KeptRows queries = attend.queries();
  Tensors results = record_attend(tape, std::move(attend), inputs,
                                  attention.returns_scores() ? &scores : nullptr);
  results[0] = spread_rows(tape, queries, results[0], result);
  return attention.finished(arranged, std::move(results));
}

constexpr LayerGradient kGradients[] = {{"AdditiveAttention", rule}, {"Attention", rule}};
const RegisterLayerGradients registration{kGradients};

}  // namespace
}  // namespace maskflow
