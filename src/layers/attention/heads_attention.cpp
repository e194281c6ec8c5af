// SPDX-License-Identifier: MIT
#include "layers/attention/heads_attention.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/copy.hpp"
#include "ops/ops.hpp"
#include "rnn/kv_cache.hpp"

namespace maskflow {
namespace {

Tensor rows_at(const Tensor& rows, const std::vector<std::int32_t>& index) {
  const Dim width = rows.shape().back();
  Tensor result(DType::kFloat32, {static_cast<Dim>(index.size()), width});
  float* to = result.mutable_floats();
  for (const std::int32_t row : index) {
    kernels::copy(rows.floats() + row * width, to, static_cast<std::size_t>(width));
    to += width;
  }
  return result;
}

}  // namespace

Tensor HeadsAttention::projected(EinsumDense& layer, const Tensor& x, const std::int32_t* index,
                                 std::size_t rows) {
  Tensor result(DType::kFloat32, {static_cast<Dim>(rows), static_cast<Dim>(layer.width())});
  if (static_cast<std::size_t>(x.shape().back()) != layer.width_in()) {
    shape_error("the layer was built for ", layer.width_in(), " features but an argument has ",
                x.shape().back());
  }
  layer.project({x.floats(), layer.width_in(), index}, rows, result.mutable_floats());
  return result;
}

Tensor HeadsAttention::context_of_blind(NoKeys blind, const Tensor& inputs) const {
  const auto [query_heads, key_heads, key_dim, value_dim] = heads();
  const auto batch = static_cast<std::size_t>(inputs.shape()[0]);
  const auto width = static_cast<std::size_t>(query_heads * value_dim);
  Tensor result = Tensor::zeros(DType::kFloat32, {inputs.shape()[0], query_heads * value_dim});
  if (blind == NoKeys::kZero) return result;
  // The mean of the values is the projection of their inputs' mean.
  const Tensor means = projected(*value_, inputs, nullptr, batch);
  const auto part = static_cast<std::size_t>(value_dim);
  for (std::size_t at = 0; at < batch * width; at += part) {
    const std::size_t head = at % width / part * static_cast<std::size_t>(key_heads) /
                             static_cast<std::size_t>(query_heads);
    const std::size_t row = at / width * static_cast<std::size_t>(key_heads) + head;
    kernels::copy(means.floats() + row * part, result.mutable_floats() + at, part);
  }
  return result;
}

// Of a stream all inputs so far count, else those of `value`.
Tensor HeadsAttention::context_of_blind(NoKeys blind, const KvCache* past,
                                        const Tensor& value) const {
  if (past != nullptr) return context_of_blind(blind, past->means());
  const std::array<Dim, 1> time{1};
  return context_of_blind(blind, blind == NoKeys::kUniform ? ops::mean(value, time, false) : value);
}

std::vector<std::int32_t> HeadsAttention::shown_rows(const KeptRows& kept, const Shape& query) {
  std::vector<std::int32_t> shown;
  for (Dim at = 0; at < query[0] * query[1]; ++at) {
    shown.push_back(static_cast<std::int32_t>(static_cast<Dim>(kept.size()) + at / query[1]));
  }
  for (std::size_t row = 0; row < kept.size(); ++row) {
    shown[static_cast<std::size_t>(kept.index[row])] = static_cast<std::int32_t>(row);
  }
  return shown;
}

Tensor HeadsAttention::result_of(const Tensor& query, const KeptRows& kept, Tensor context,
                                 const Tensor& blind) const {
  std::vector<std::int32_t> shown;
  if (!blind.empty_handle()) {
    shown = shown_rows(kept, query.shape());
    context = ops::concatenate(std::array{context, blind}, 0);
  }
  if (gate_) {
    if (!shown.empty()) context = rows_at(context, shown);
    shown.clear();
    const Dim steps = query.shape()[0] * query.shape()[1];
    context =
        ops::multiply(context, projected(*gate_, query, nullptr, static_cast<std::size_t>(steps)));
  }
  const Tensor rows =
      projected(*output_, context, nullptr, static_cast<std::size_t>(context.shape()[0]));
  if (shown.empty()) return rows;
  // Layers behind may compute what all padding of a sequence has in common once.
  const Shape shape{static_cast<Dim>(shown.size()), rows.shape().back()};
  return Tensor::looked_up(rows.table(), std::move(shown), shape);
}

// Attention over other axes is of each step by itself; over time alone it goes on.
Streaming HeadsAttention::streaming(const Shape& input) const {
  const HeadsLayout layout(axes(input.rank()), input.rank());
  const auto time = std::ranges::find(layout.order, 1) - layout.order.begin();
  if (time <= layout.others) return Streaming::kEachStep;
  return input.rank() == 3 ? Streaming::kKeepsState : Streaming::kNever;
}

HeadsAttention::Arranged HeadsAttention::arranged(const Args& args, bool streams,
                                                  const Frame& frame) {
  const Shape& shape = args.inputs.front().shape();
  Arranged result{HeadsLayout(axes(shape.rank()), shape.rank()), {}, {}, {}, {}, {}};
  const HeadsLayout& layout = result.layout;
  result.scores = layout.scores(shape, key_of(args).shape(), heads().heads);
  if (!streams) result.permitted = allowed(args, layout);
  take_masks(args, frame);
  const auto flat = [&](const Tensor& x) { return layout.flat(ops::cast(x, DType::kFloat32)); };
  // One sequence of keys may serve all queries.
  const auto keys_for = [&](const Tensor& x) {
    const Dim rows = x.shape()[0];
    if (rows == shape[0] || rows != 1) return flat(x);
    Dict repeated;
    repeated["repeats"] = shape[0];
    repeated["axis"] = 0;
    return flat(apply_op1("Repeat", {&x, 1}, repeated));
  };
  result.query = flat(args.inputs.front());
  result.value = keys_for(argument(args, "value"));
  result.key = keys_for(key_of(args));
  return result;
}

Attend HeadsAttention::attend_over(const Arranged& arranged, Dim keys, const Tensor& allowed,
                                   const Frame& frame) {
  const auto [query_heads, key_heads, key_dim, value_dim] = heads();
  const Shape& shape = arranged.query.shape();
  Attend attend({shape[0], shape[1], keys, static_cast<std::size_t>(query_heads),
                 static_cast<std::size_t>(key_heads), static_cast<std::size_t>(key_dim),
                 static_cast<std::size_t>(value_dim)},
                allowed, blind_of(static_cast<int>(arranged.layout.order.size())));
  attend.score.factor = 1 / std::sqrt(static_cast<float>(key_dim));
  if (frame.trains()) attend.dropout = dropout_;
  attend.random = &random_.numbers();
  return attend;
}

bool HeadsAttention::may_leave_out(const Arranged& arranged) {
  return !arranged.permitted.empty_handle() && finite(arranged.query) && finite(arranged.value) &&
         finite(arranged.key);
}

Structure HeadsAttention::call(const Args& args, Frame& frame) {
  KvCache* const past = take_kv_cache(frame);
  const auto [query_heads, key_heads, key_dim, value_dim] = heads();
  const std::size_t outputs = output_specs(args).size();
  const Shape& shape = args.inputs.front().shape();
  const MaskPtr asked = query_mask(args);
  const std::array<MaskPtr, 2> masks = key_masks(args);
  Arranged arranged = this->arranged(args, past != nullptr, frame);
  const auto& [layout, query, value, key, permitted, scores] = arranged;
  const Dim batch = query.shape()[0];
  const Dim steps = query.shape()[1];
  Dim key_steps = value.shape()[1];
  Dim seen = 0;
  if (past != nullptr) {
    const auto rows = static_cast<std::size_t>(batch * steps);
    past->append(masks, projected(*key_, key, nullptr, rows),
                 projected(*value_, value, nullptr, rows), value, sliding_window_.value_or(0));
    // (Scores are given for all places.)
    if (!returns_scores_) seen = past->seen_by_one(asked, steps);
    key_steps = seen > 0 ? seen : past->capacity();
    arranged.scores.set(3, key_steps);
  }
  Tensor allowed;
  if (past == nullptr) {
    allowed = layout.flat_mask(permitted, scores);
  } else if (seen == 0) {
    allowed = past->allowed(asked, steps);
  }
  Attend attend = attend_over(arranged, key_steps, allowed, frame);
  attend.in_place = past != nullptr;
  if (past != nullptr ? seen == 0 : may_leave_out(arranged)) attend.leave_out(nullptr);
  const KeptRows& kept = attend.queries();
  const KeptRows& keys = attend.keys();
  const Tensor q = projected(*query_, query, kept.index.data(), kept.size());
  Tensor k;
  Tensor v;
  if (past == nullptr) {
    k = projected(*key_, key, keys.index.data(), keys.size());
    v = projected(*value_, value, keys.index.data(), keys.size());
  }
  Tensor context(DType::kFloat32, {static_cast<Dim>(kept.size()), query_heads * value_dim});
  Tensors results(outputs);
  if (returns_scores_) {
    // In Keras a Softmax inside makes them and hands on the mask that it was given.
    results[1] = Tensor::zeros(DType::kFloat32, scores).with_mask(make_mask(permitted));
  }
  attend.run(q.floats(), true, past ? past->keys() : k.floats(), past ? past->values() : v.floats(),
             past == nullptr, context.mutable_floats(),
             returns_scores_ ? results[1].mutable_floats() : nullptr);
  if (past != nullptr && returns_scores_) results[1] = past->spread(results[1]);
  const bool all = static_cast<Dim>(kept.size()) == batch * steps;
  const Tensor blind = all ? Tensor() : context_of_blind(attend.blind(), past, value);
  const Tensor rows = result_of(query, kept, context, blind);
  results[0] = layout.restored(rows, shape, output_sizes(static_cast<int>(shape.back())));
  if (past != nullptr) past->propagate_nan(results[0]);
  return {std::move(results), returns_scores_};
}

OutputSpecs HeadsAttention::output_specs(const Args& args) {
  returns_scores_ = args.flag("return_attention_scores");
  const Shape& query = args.inputs.front().shape();
  const Shape& value = argument(args, "value").shape();
  const Shape& key = key_of(args).shape();
  const HeadsLayout layout(axes(query.rank()), query.rank());
  bool fits = value.rank() == query.rank() && key.rank() == query.rank();
  for (int place = 0; fits && place < query.rank() - 1; ++place) {
    const int axis = layout.order[static_cast<std::size_t>(place)];
    const Dim other = place <= layout.others ? query[axis] : value[axis];
    for (const Dim dim : {value[axis], key[axis]}) {
      fits = fits &&
             (dim == other || dim == kUnknown || other == kUnknown || (place == 0 && dim == 1));
    }
  }
  if (!fits) {
    shape_error("query ", query, ", value ", value, " and key ", key,
                " do not fit: they need one rank and batch size, value and key as many steps");
  }
  Shape shape = query;
  shape.erase(-1);
  for (const int size : output_sizes(static_cast<int>(query.back()))) shape.push_back(size);
  std::vector<TensorSpec> specs{{shape, DType::kFloat32}};
  if (returns_scores_) {
    specs.push_back({layout.scores(query, key, heads().heads), DType::kFloat32});
  }
  return {std::move(specs), returns_scores_};
}

}  // namespace maskflow
