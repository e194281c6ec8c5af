// SPDX-License-Identifier: MIT
#include "layers/attention/heads_attention.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/copy.hpp"
#include "ops/ops.hpp"
#include "rnn/kv_cache.hpp"

namespace maskflow {

Tensor HeadsAttention::project(EinsumDense& layer, const Tensor& x, const std::int32_t* index,
                               std::size_t rows) {
  Tensor result(DType::kFloat32, {static_cast<Dim>(rows), static_cast<Dim>(layer.width())});
  if (static_cast<std::size_t>(x.shape().back()) != layer.width_in()) {
    shape_error("the layer was built for ", layer.width_in(), " features but an argument has ",
                x.shape().back());
  }
  layer.project({x.floats(), layer.width_in(), index}, rows, result.mutable_floats());
  return result;
}

Tensor HeadsAttention::no_keys_context(NoKeys no_keys, const Tensor& inputs) const {
  const auto [query_heads, key_heads, key_dim, value_dim] = heads();
  const auto batch = static_cast<std::size_t>(inputs.shape()[0]);
  const auto width = static_cast<std::size_t>(query_heads * value_dim);
  Tensor result = Tensor::zeros(DType::kFloat32, {inputs.shape()[0], query_heads * value_dim});
  if (no_keys == NoKeys::kZero) return result;
  // Computes the mean of the values as the projection of the mean of their inputs.
  const Tensor means = project(*value_, inputs, nullptr, batch);
  const auto head_width = static_cast<std::size_t>(value_dim);
  for (std::size_t to = 0; to < batch * width; to += head_width) {
    const std::size_t key_head = to % width / head_width * static_cast<std::size_t>(key_heads) /
                                 static_cast<std::size_t>(query_heads);
    const std::size_t from = to / width * static_cast<std::size_t>(key_heads) + key_head;
    kernels::copy(means.floats() + from * head_width, result.mutable_floats() + to, head_width);
  }
  return result;
}

// Returns the result of queries that see no key. In a stream, `cache` has the mean of all inputs so
// far.
Tensor HeadsAttention::no_keys_context(NoKeys no_keys, const KvCache* cache,
                                       const Tensor& value) const {
  if (cache != nullptr) return no_keys_context(no_keys, cache->means());
  return no_keys_context(no_keys, no_keys == NoKeys::kUniform ? ops::mean(value, {1}) : value);
}

std::vector<std::int32_t> HeadsAttention::result_rows(const KeptRows& kept, const Shape& query) {
  std::vector<std::int32_t> rows;
  for (Dim step = 0; step < query[0] * query[1]; ++step) {
    rows.push_back(static_cast<std::int32_t>(static_cast<Dim>(kept.size()) + step / query[1]));
  }
  for (std::size_t row = 0; row < kept.size(); ++row) {
    rows[static_cast<std::size_t>(kept.index[row])] = static_cast<std::int32_t>(row);
  }
  return rows;
}

Tensor HeadsAttention::project_output(const Tensor& query, const KeptRows& kept, Tensor context,
                                      const Tensor& no_keys) const {
  // Row of the context for each step. It is empty if the context has all steps in order.
  std::vector<std::int32_t> row_of_step;
  if (!no_keys.empty_handle()) {
    row_of_step = result_rows(kept, query.shape());
    context = ops::concatenate(std::array{context, no_keys}, 0);
  }
  if (gate_) {
    if (!row_of_step.empty()) context = gather_rows(context, row_of_step);
    row_of_step.clear();
    const Dim steps = query.shape()[0] * query.shape()[1];
    context =
        ops::multiply(context, project(*gate_, query, nullptr, static_cast<std::size_t>(steps)));
  }
  const Tensor rows =
      project(*output_, context, nullptr, static_cast<std::size_t>(context.shape()[0]));
  if (row_of_step.empty()) return rows;
  // All padding steps of a sequence share one row. A lookup lets later layers compute it once.
  const Shape shape{static_cast<Dim>(row_of_step.size()), rows.shape().back()};
  return Tensor::looked_up(rows.table(), std::move(row_of_step), shape);
}

// Attention over other axes than time treats each timestep separately. Attention over time keeps
// state in a stream, but only for inputs of shape [batch, time, features].
Streaming HeadsAttention::streaming(const Shape& input) const {
  const HeadsLayout layout(attended_axes(input.rank()), input.rank());
  const auto time = std::ranges::find(layout.order, 1) - layout.order.begin();
  if (time <= layout.others) return Streaming::kEachStep;
  return input.rank() == 3 ? Streaming::kKeepsState : Streaming::kNever;
}

HeadsAttention::Inputs HeadsAttention::read_inputs(const Args& args, bool streams) {
  const Tensor& value = argument(args, "value");
  const Tensor& key = key_of(args);
  const Shape& shape = args.inputs.front().shape();
  Inputs inputs;
  inputs.layout = HeadsLayout(attended_axes(shape.rank()), shape.rank());
  const HeadsLayout& layout = inputs.layout;
  check_shapes(args, layout);
  inputs.returns_scores = args.flag("return_attention_scores");
  inputs.scores_shape = layout.scores_shape(shape, key.shape(), heads().heads);
  inputs.query_mask = query_mask(args);
  inputs.key_masks = key_masks(args);
  if (!streams) inputs.mask = score_mask(args, inputs);
  consume_masks(args);
  const auto flatten = [&](const Tensor& x) {
    return layout.flatten(ops::cast(x, DType::kFloat32));
  };
  // A single sequence of keys may serve all queries.
  const auto flatten_keys = [&](const Tensor& x) {
    const Dim rows = x.shape()[0];
    if (rows == shape[0] || rows != 1) return flatten(x);
    return flatten(ops::repeat(x, shape[0], 0));
  };
  inputs.query = flatten(args.inputs.front());
  inputs.value = flatten_keys(value);
  inputs.key = flatten_keys(key);
  return inputs;
}

Attend HeadsAttention::create_attend(const Inputs& inputs, Dim keys, const Tensor& mask,
                                     const Frame& frame) {
  const auto [query_heads, key_heads, key_dim, value_dim] = heads();
  const Shape& shape = inputs.query.shape();
  // Keras computes attention in two ways; their results differ if all keys of a query are masked.
  const bool uses_softmax_layer =
      inputs.returns_scores || dropout_ > 0 || inputs.layout.order.size() != 3;
  Attend attend({shape[0], shape[1], keys, static_cast<std::size_t>(query_heads),
                 static_cast<std::size_t>(key_heads), static_cast<std::size_t>(key_dim),
                 static_cast<std::size_t>(value_dim)},
                mask, uses_softmax_layer ? NoKeys::kZero : NoKeys::kUniform);
  attend.score.factor = 1 / std::sqrt(static_cast<float>(key_dim));
  if (frame.trains()) attend.dropout = dropout_;
  attend.random = &random_.numbers();
  return attend;
}

bool HeadsAttention::can_prune(const Inputs& inputs) {
  return !inputs.mask.empty_handle() && all_finite(inputs.query) && all_finite(inputs.value) &&
         all_finite(inputs.key);
}

Structure HeadsAttention::call(const Args& args, Frame& frame) {
  KvCache* const cache = take_kv_cache(frame);
  if (cache != nullptr && is_usual_step(args, frame)) {
    consume_masks(args);
    return usual_step(args, *cache);
  }
  Inputs inputs = read_inputs(args, cache != nullptr);
  const auto [query_heads, key_heads, key_dim, value_dim] = heads();
  const Tensor& query = inputs.query;
  const Dim steps = query.shape()[1];
  const auto query_rows = static_cast<std::size_t>(query.shape()[0] * steps);
  Dim key_steps = inputs.value.shape()[1];
  Tensor mask = inputs.layout.flatten_mask(inputs.mask, inputs.scores_shape);
  if (cache != nullptr) {
    cache->append(inputs.key_masks, project(*key_, inputs.key, nullptr, query_rows),
                  project(*value_, inputs.value, nullptr, query_rows), inputs.value,
                  sliding_window_.value_or(0));
    // Returned scores need a column for every step in the cache, and so the mask.
    const Dim seen = inputs.returns_scores ? 0 : cache->seen_by_one(inputs.query_mask, steps);
    key_steps = seen > 0 ? seen : cache->capacity();
    if (seen == 0) mask = cache->allowed(inputs.query_mask, steps);
    inputs.scores_shape.set(3, key_steps);
  }
  Attend attend = create_attend(inputs, key_steps, mask, frame);
  attend.in_place = cache != nullptr;
  if (!mask.empty_handle() && (cache != nullptr || can_prune(inputs))) attend.prune(nullptr);
  const KeptRows& kept = attend.queries();
  const KeptRows& keys = attend.keys();
  const Tensor q = project(*query_, query, kept.index.data(), kept.size());
  Tensor k;
  Tensor v;
  if (cache == nullptr) {
    k = project(*key_, inputs.key, keys.index.data(), keys.size());
    v = project(*value_, inputs.value, keys.index.data(), keys.size());
  }
  Tensor context(DType::kFloat32, {static_cast<Dim>(kept.size()), query_heads * value_dim});
  Tensors results(1);
  if (inputs.returns_scores) {
    // In Keras, a Softmax layer inside computes the scores and passes its mask through.
    results.push_back(
        Tensor::zeros(DType::kFloat32, inputs.scores_shape).with_mask(make_mask(inputs.mask)));
  }
  attend.run({.query = q.floats(),
              .key = cache ? cache->keys() : k.floats(),
              .value = cache ? cache->values() : v.floats(),
              .packed_queries = true,
              .packed_keys = cache == nullptr},
             context.mutable_floats(),
             inputs.returns_scores ? results[1].mutable_floats() : nullptr);
  if (cache != nullptr && inputs.returns_scores) results[1] = cache->spread(results[1]);
  const Tensor no_keys =
      kept.size() == query_rows ? Tensor() : no_keys_context(attend.no_keys(), cache, inputs.value);
  const Shape& shape = args.inputs.front().shape();
  results[0] = inputs.layout.restore(project_output(query, kept, context, no_keys), shape,
                                     output_sizes(static_cast<int>(shape.back())));
  if (cache != nullptr) cache->propagate_nan(results[0]);
  return {std::move(results), inputs.returns_scores};
}

void HeadsAttention::check_shapes(const Args& args, const HeadsLayout& layout) const {
  if (args.mask) {
    value_error("a call of ", class_name(),
                " has no argument 'mask': attach masks to query and value with withMask, or pass "
                "queryMask and valueMask [batch, steps] or attentionMask [batch, queries, keys]");
  }
  const Shape& query = args.inputs.front().shape();
  const Shape& value = argument(args, "value").shape();
  const Shape& key = key_of(args).shape();
  bool fits = value.rank() == query.rank() && key.rank() == query.rank();
  for (int place = 0; fits && place < query.rank() - 1; ++place) {
    const int axis = layout.order[static_cast<std::size_t>(place)];
    const Dim expected = place <= layout.others ? query[axis] : value[axis];
    for (const Dim dim : {value[axis], key[axis]}) {
      fits = fits && (dim == expected || dim == kUnknown || expected == kUnknown ||
                      (place == 0 && dim == 1));
    }
  }
  if (!fits) {
    shape_error("query ", query, ", value ", value, " and key ", key,
                " do not fit: they need one rank and batch size, value and key as many steps");
  }
}

OutputSpecs HeadsAttention::output_specs(const Args& args) {
  const Shape& query = args.inputs.front().shape();
  const Shape& key = key_of(args).shape();
  const HeadsLayout layout(attended_axes(query.rank()), query.rank());
  check_shapes(args, layout);
  Shape shape = query;
  shape.erase(-1);
  for (const int size : output_sizes(static_cast<int>(query.back()))) shape.push_back(size);
  std::vector<TensorSpec> specs{{shape, DType::kFloat32}};
  const bool returns_scores = args.flag("return_attention_scores");
  if (returns_scores) {
    specs.push_back({layout.scores_shape(query, key, heads().heads), DType::kFloat32});
  }
  return {std::move(specs), returns_scores};
}

}  // namespace maskflow
