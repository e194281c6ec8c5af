// SPDX-License-Identifier: MIT
#include "layers/attention/list_attention.hpp"

#include <algorithm>
#include <array>

#include "kernels/copy.hpp"
#include "ops/ops.hpp"
#include "rnn/kv_cache.hpp"

namespace maskflow {
namespace {

bool fits(Dim a, Dim b) { return a == b || a == kUnknown || b == kUnknown; }

Shape without_last(Shape shape, int count) { return shape.first(shape.rank() - count); }

Tensor broadcast_to(const Tensor& x, const Shape& shape) {
  if (x.shape() == shape) return x;
  Dict target;
  target["shape"] = List(shape.dims().begin(), shape.dims().end());
  return apply_op1("BroadcastTo", {&x, 1}, target);
}

// As [sequences, steps, features].
Tensor flat(const Tensor& input, const Shape& sequences, Dim features) {
  const Tensor x = ops::cast(input, DType::kFloat32);
  Shape shape = sequences;
  shape.push_back(x.shape()[-2]);
  shape.push_back(features);
  return broadcast_to(x, shape).reshaped({sequences.size(), shape[-2], shape.back()});
}

// The mask that was given for an input, or no handle.
Tensor mask_of(const Args& args, std::size_t index) {
  const MaskPtr mask = args.mask && index < args.mask->size() ? (*args.mask)[index] : nullptr;
  return mask ? mask->values() : Tensor();
}

// In a stream: queries that see nothing weigh all keys so far alike, whose scores are 1e9 less,
// beside which they are nothing.
void show_means(const KvCache& past, const KeptRows& seeing, Tensors& results) {
  const Tensor means = past.means();
  const Shape& shape = results[0].shape();
  std::size_t next = 0;
  for (Dim i = 0; i < shape[0] * shape[1]; ++i) {
    if (next < seeing.size() && seeing.index[next] == i) {
      ++next;
      continue;
    }
    kernels::copy(means.floats() + i / shape[1] * shape[2],
                  results[0].mutable_floats() + i * shape[2], static_cast<std::size_t>(shape[2]));
    if (results.size() == 1) continue;
    std::fill_n(results[1].mutable_floats() + i * past.seen(), past.seen(),
                1 / static_cast<float>(past.seen()));
  }
}

}  // namespace

ListAttention::Arranged ListAttention::arranged(const Args& args) {
  Arranged result;
  result.whole = check(args);
  const Shape sequences = without_last(result.whole, 2);
  const Tensor& keys = args.inputs.back();
  const Dim own = result.whole.back();
  const Dim features = std::max(own, keys.shape().back());
  result.query = flat(args.inputs[0], sequences, features);
  result.value = flat(args.inputs[1], sequences, args.inputs[1].shape().back());
  result.key = flat(keys, sequences, features);
  result.shown = mask_of(args, 0);
  if (!result.shown.empty_handle()) {
    Shape steps = result.whole;
    steps.set(-1, 1);
    const Shape& shape = result.query.shape();
    result.shown =
        broadcast_to(ops::expand_dims(result.shown, -1), steps).reshaped({shape[0], shape[1], 1});
  }
  const float* const weights = score(own).weights;
  if (weights != nullptr && features != own) {
    result.weights = Tensor::full(DType::kFloat32, {features}, *weights);
  }
  return result;
}

// As in Keras the mask broadcasts from the last axes, but for one of [batch, keys].
Tensor ListAttention::allowed(const Args& args, const Arranged& arranged) {
  const Shape sequences = without_last(arranged.whole, 2);
  const Dim queries = arranged.query.shape()[1];
  const Dim keys = arranged.value.shape()[1];
  Tensor mask = mask_of(args, 1);
  const bool causal = args.flag("use_causal_mask");
  if (!mask.empty_handle() && (causal || mask.rank() == 2)) mask = ops::expand_dims(mask, -2);
  if (causal) {
    const Tensor band = band_mask(queries, keys, true, 0);
    mask = both(mask, band.reshaped({queries, keys}));
  }
  if (mask.empty_handle()) return mask;
  Shape shape = sequences;
  shape.push_back(mask.rank() < 2 || mask.shape()[-2] == 1 ? 1 : queries);
  shape.push_back(keys);
  return broadcast_to(mask, shape).reshaped({sequences.size(), 1, shape[-2], keys});
}

Attend ListAttention::attend_over(const Arranged& arranged, Dim keys, const Tensor& allowed,
                                  NoKeys blind, const Frame& frame) {
  const Shape& shape = arranged.query.shape();
  Attend attend({shape[0], shape[1], keys, 1, 1, static_cast<std::size_t>(shape[2]),
                 static_cast<std::size_t>(arranged.value.shape()[2])},
                allowed, blind);
  attend.score = score(arranged.whole.back());
  if (!arranged.weights.empty_handle()) {
    attend.score.weights = arranged.weights.floats();
  }
  attend.returns_dropped = true;
  if (frame.trains()) attend.dropout = dropout_;
  attend.random = &random_.numbers();
  return attend;
}

bool ListAttention::may_leave_out(const Arranged& arranged, const Tensor& allowed) {
  const bool masked = !arranged.shown.empty_handle() || !allowed.empty_handle();
  return masked && finite(arranged.query) && finite(arranged.key) && finite(arranged.value);
}

void ListAttention::leave_out(const Arranged& arranged, Attend& attend) const {
  // Scores that are asked for show masked queries too.
  const bool hidden = !arranged.shown.empty_handle() && !returns_scores_;
  attend.leave_out(hidden ? arranged.shown.data<std::uint8_t>().data() : nullptr);
}

Structure ListAttention::finished(Arranged arranged, Tensors results) const {
  if (!arranged.shown.empty_handle()) {
    results[0] = ops::where(arranged.shown, results[0], Tensor::scalar(DType::kFloat32, 0));
  }
  for (Tensor& result : results) {
    arranged.whole.set(-1, result.shape().back());
    result = result.reshaped(arranged.whole);
  }
  return {std::move(results), returns_scores_};
}

Structure ListAttention::call(const Args& args, Frame& frame) {
  const Arranged arranged = this->arranged(args);
  KvCache* const past = take_kv_cache(frame);
  const Shape& shape = arranged.query.shape();
  const Dim width = arranged.value.shape()[2];
  Dim steps = arranged.value.shape()[1];
  Tensor allowed;
  if (past != nullptr) {
    past->append({make_mask(mask_of(args, 1)), nullptr}, arranged.key, arranged.value,
                 arranged.value, 0);
    allowed = past->allowed(nullptr, shape[1]);
    steps = past->capacity();
  } else {
    allowed = ListAttention::allowed(args, arranged);
  }
  Attend attend = attend_over(arranged, steps, allowed,
                              past == nullptr ? NoKeys::kScored : NoKeys::kUniform, frame);
  attend.in_place = past != nullptr;
  if (past != nullptr || may_leave_out(arranged, allowed)) leave_out(arranged, attend);
  Tensor rows(DType::kFloat32, {static_cast<Dim>(attend.queries().size()), width});
  Tensors results(1);
  if (returns_scores_) {
    results.push_back(Tensor::zeros(DType::kFloat32, {shape[0], shape[1], steps}));
  }
  attend.run(arranged.query.floats(), false, past ? past->keys() : arranged.key.floats(),
             past ? past->values() : arranged.value.floats(), false, rows.mutable_floats(),
             returns_scores_ ? results[1].mutable_floats() : nullptr);
  results[0] = attend.queries().spread(rows, {shape[0], shape[1], width});
  if (past != nullptr) {
    if (returns_scores_) results[1] = past->spread(results[1]);
    if (attend.queries().size() != static_cast<std::size_t>(shape[0] * shape[1])) {
      show_means(*past, attend.queries(), results);
    }
    for (Tensor& result : results) past->propagate_nan(result);
  }
  return finished(arranged, std::move(results));
}

OutputSpecs ListAttention::output_specs(const Args& args) {
  Shape whole = check(args);
  const Shape& value = args.inputs[1].shape();
  whole.set(-1, value.back());
  std::vector<TensorSpec> specs{{whole, DType::kFloat32}};
  if (!returns_scores_) return specs;
  whole.set(-1, value[-2]);
  specs.push_back({whole, DType::kFloat32});
  return {std::move(specs), returns_scores_};
}

// Scores have no mask.
Masks ListAttention::compute_mask(const Tensors&, const Masks& masks) {
  return {masks.empty() ? nullptr : masks.front()};
}

void ListAttention::describe_dropout(Fields& fields) {
  fields.field("dropout", dropout_, "Share of the attention weights set to zero when training.");
  random_.describe(fields);
}

// That of the query, with axes before the last two as they broadcast.
Shape ListAttention::check(const Args& args) {
  returns_scores_ = args.flag("return_attention_scores");
  const std::size_t count = args.inputs.size();
  if (!args.list || !args.keys.empty() || count < 2 || count > 3) {
    value_error("expected a list [query, value] or [query, value, key], but got ",
                args.list ? "a list of " : "", count, count == 1 ? " tensor" : " tensors");
  }
  if (args.mask && args.mask->size() != 2 && args.mask->size() != 3) {
    value_error("the mask must be a list [query mask, value mask], but has ", args.mask->size(),
                " of them; use null where there is none");
  }
  const Shape& query = args.inputs[0].shape();
  const Shape& value = args.inputs[1].shape();
  const Shape& key = args.inputs.back().shape();
  const bool matrices = std::min({query.rank(), value.rank(), key.rank()}) >= 2;
  Shape sequences;
  bool same = matrices;
  for (const Shape* shape : {&query, &value, &key}) {
    if (!same) break;
    const Shape own = without_last(*shape, 2);
    same = broadcastable(sequences, own);
    if (same) sequences = broadcast(sequences, own);
  }
  const bool spread = adds_features() && (query.back() == 1 || key.back() == 1);
  if (!same || !(spread || fits(query.back(), key.back())) || !fits(value[-2], key[-2])) {
    shape_error("query ", query, ", value ", value, " and key ", key,
                " do not fit: they need [batch, time, features] with one batch size, query and key "
                "as many features, value and key as many steps");
  }
  for (const int axis : {-2, -1}) sequences.push_back(query[axis]);
  return sequences;
}

}  // namespace maskflow
