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
  return x.shape() == shape ? x : ops::broadcast_to(x, shape);
}

// Reshapes an input to [sequences, steps, features].
Tensor flatten(const Tensor& input, const Shape& sequences, Dim features) {
  const Tensor x = ops::cast(input, DType::kFloat32);
  Shape shape = sequences;
  shape.push_back(x.shape()[-2]);
  shape.push_back(features);
  return broadcast_to(x, shape).reshaped({sequences.size(), shape[-2], shape.back()});
}

// Returns the mask of an input, or no handle without one.
Tensor mask_of(const Args& args, std::size_t index) {
  const MaskPtr mask = args.mask && index < args.mask->size() ? (*args.mask)[index] : nullptr;
  return mask ? mask->values() : Tensor();
}

// Returns the mask of the query as [sequences, queries, 1], or no handle without one.
Tensor flatten_query_mask(const Tensor& mask, Shape query, Dim sequences) {
  if (mask.empty_handle()) return mask;
  query.set(-1, 1);
  return broadcast_to(ops::expand_dims(mask, -1), query).reshaped({sequences, query[-2], 1});
}

// Returns a bool mask [sequences, 1, queries or 1, keys], or no handle if every query sees every
// key. As in Keras, the mask of the value broadcasts from the last axes, unless it is [batch,
// keys].
Tensor score_mask(const Args& args, const ListAttention::Inputs& inputs) {
  const Shape sequences = without_last(inputs.query_shape, 2);
  const Dim queries = inputs.query.shape()[1];
  const Dim keys = inputs.value.shape()[1];
  Tensor mask = mask_of(args, 1);
  const bool causal = args.flag("use_causal_mask");
  if (!mask.empty_handle() && (causal || mask.rank() == 2)) mask = ops::expand_dims(mask, -2);
  if (causal) {
    const Tensor band = band_mask(queries, keys, true, 0);
    mask = intersection(mask, band.reshaped({queries, keys}));
  }
  if (mask.empty_handle()) return mask;
  Shape shape = sequences;
  shape.push_back(mask.rank() < 2 || mask.shape()[-2] == 1 ? 1 : queries);
  shape.push_back(keys);
  return broadcast_to(mask, shape).reshaped({sequences.size(), 1, shape[-2], keys});
}

// Fills in the results of queries that were left out of a stream because they see no key. All keys
// so far have the same weight: beside the offset of masked scores, their scores are negligible.
void fill_means(const KvCache& cache, const KeptRows& kept, Tensors& results) {
  const Tensor means = cache.means();
  const Shape& shape = results[0].shape();
  std::size_t next = 0;
  for (Dim i = 0; i < shape[0] * shape[1]; ++i) {
    if (next < kept.size() && kept.index[next] == i) {
      ++next;
      continue;
    }
    kernels::copy(means.floats() + i / shape[1] * shape[2],
                  results[0].mutable_floats() + i * shape[2], static_cast<std::size_t>(shape[2]));
    if (results.size() == 1) continue;
    std::fill_n(results[1].mutable_floats() + i * cache.seen(), cache.seen(),
                1 / static_cast<float>(cache.seen()));
  }
}

}  // namespace

ListAttention::Inputs ListAttention::read_inputs(const Args& args, bool streams) const {
  Inputs inputs;
  inputs.query_shape = checked_query_shape(args);
  inputs.returns_scores = args.flag("return_attention_scores");
  const Shape sequences = without_last(inputs.query_shape, 2);
  const Tensor& key = args.inputs.back();
  const Dim query_features = inputs.query_shape.back();
  const Dim features = std::max(query_features, key.shape().back());
  inputs.query = flatten(args.inputs[0], sequences, features);
  inputs.value = flatten(args.inputs[1], sequences, args.inputs[1].shape().back());
  inputs.key = flatten(key, sequences, features);
  inputs.query_mask =
      flatten_query_mask(mask_of(args, 0), inputs.query_shape, inputs.query.shape()[0]);
  if (!streams) inputs.score_mask = score_mask(args, inputs);
  const float* const weight = score(query_features).weights;
  if (weight != nullptr && features != query_features) {
    inputs.feature_weights = Tensor::full(DType::kFloat32, {features}, *weight);
  }
  return inputs;
}

Attend ListAttention::create_attend(const Inputs& inputs, Dim keys, const Tensor& mask,
                                    NoKeys no_keys, const Frame& frame) {
  const Shape& shape = inputs.query.shape();
  Attend attend({shape[0], shape[1], keys, 1, 1, static_cast<std::size_t>(shape[2]),
                 static_cast<std::size_t>(inputs.value.shape()[2])},
                mask, no_keys);
  attend.score = score(inputs.query_shape.back());
  if (!inputs.feature_weights.empty_handle()) {
    attend.score.weights = inputs.feature_weights.floats();
  }
  attend.scores_after_dropout = true;
  if (frame.trains()) attend.dropout = dropout_;
  attend.random = &random_.numbers();
  return attend;
}

bool ListAttention::can_prune(const Inputs& inputs) {
  const bool is_masked = !inputs.query_mask.empty_handle() || !inputs.score_mask.empty_handle();
  return is_masked && all_finite(inputs.query) && all_finite(inputs.key) &&
         all_finite(inputs.value);
}

void ListAttention::prune(const Inputs& inputs, Attend& attend) {
  // Returned scores include those of masked queries.
  const bool all_needed = inputs.query_mask.empty_handle() || inputs.returns_scores;
  attend.prune(all_needed ? nullptr : inputs.query_mask.data<std::uint8_t>().data());
}

Structure ListAttention::restore(Inputs inputs, Tensors results) {
  if (!inputs.query_mask.empty_handle()) {
    results[0] = ops::where(inputs.query_mask, results[0], Tensor::scalar(DType::kFloat32, 0));
  }
  for (Tensor& result : results) {
    inputs.query_shape.set(-1, result.shape().back());
    result = result.reshaped(inputs.query_shape);
  }
  return {std::move(results), inputs.returns_scores};
}

Structure ListAttention::call(const Args& args, Frame& frame) {
  KvCache* const cache = take_kv_cache(frame);
  Inputs inputs = read_inputs(args, cache != nullptr);
  const Shape& shape = inputs.query.shape();
  const Dim width = inputs.value.shape()[2];
  Dim keys = inputs.value.shape()[1];
  Tensor mask = inputs.score_mask;
  if (cache != nullptr) {
    cache->append({make_mask(mask_of(args, 1)), nullptr}, inputs.key, inputs.value, inputs.value,
                  0);
    mask = cache->allowed(nullptr, shape[1]);
    keys = cache->capacity();
  }
  Attend attend = create_attend(inputs, keys, mask,
                                cache == nullptr ? NoKeys::kScored : NoKeys::kUniform, frame);
  attend.in_place = cache != nullptr;
  if (cache != nullptr || can_prune(inputs)) prune(inputs, attend);
  Tensor rows(DType::kFloat32, {static_cast<Dim>(attend.queries().size()), width});
  Tensors results(1);
  if (inputs.returns_scores) {
    results.push_back(Tensor::zeros(DType::kFloat32, {shape[0], shape[1], keys}));
  }
  attend.run({.query = inputs.query.floats(),
              .key = cache ? cache->keys() : inputs.key.floats(),
              .value = cache ? cache->values() : inputs.value.floats(),
              .packed_queries = false,
              .packed_keys = false},
             rows.mutable_floats(), inputs.returns_scores ? results[1].mutable_floats() : nullptr);
  results[0] = attend.queries().spread(rows, {shape[0], shape[1], width});
  if (cache != nullptr) {
    if (inputs.returns_scores) results[1] = cache->spread(results[1]);
    if (attend.queries().size() != static_cast<std::size_t>(shape[0] * shape[1])) {
      fill_means(*cache, attend.queries(), results);
    }
    for (Tensor& result : results) cache->propagate_nan(result);
  }
  return restore(std::move(inputs), std::move(results));
}

OutputSpecs ListAttention::output_specs(const Args& args) {
  Shape shape = checked_query_shape(args);
  const Shape& value = args.inputs[1].shape();
  shape.set(-1, value.back());
  std::vector<TensorSpec> specs{{shape, DType::kFloat32}};
  if (!args.flag("return_attention_scores")) return specs;
  shape.set(-1, value[-2]);
  specs.push_back({shape, DType::kFloat32});
  return {std::move(specs), true};
}

// Returns a mask for the result only, because returned scores have none.
Masks ListAttention::compute_mask(const Tensors&, const Masks& masks) {
  return {masks.empty() ? nullptr : masks.front()};
}

void ListAttention::describe_dropout(Fields& fields) {
  fields.field("dropout", dropout_,
               "Share of the attention weights that is set to zero in training.");
  random_.describe(fields);
}

// Throws unless the arguments fit together. Returns the shape of the query with the axes before the
// last two broadcast.
Shape ListAttention::checked_query_shape(const Args& args) const {
  const std::size_t count = args.inputs.size();
  if (!args.list || !args.keys.empty() || count < 2 || count > 3) {
    value_error("the layer needs a list [query, value] or [query, value, key], but got ",
                args.list ? "a list of " : "", count, count == 1 ? " tensor" : " tensors");
  }
  if (args.mask && args.mask->size() != 2 && args.mask->size() != 3) {
    value_error("the mask must be a list [query mask, value mask], but has ", args.mask->size(),
                " masks; use null for a missing one");
  }
  const Shape& query = args.inputs[0].shape();
  const Shape& value = args.inputs[1].shape();
  const Shape& key = args.inputs.back().shape();
  bool broadcasts = std::min({query.rank(), value.rank(), key.rank()}) >= 2;
  Shape shape;
  for (const Shape* input : {&query, &value, &key}) {
    if (!broadcasts) break;
    const Shape sequences = without_last(*input, 2);
    broadcasts = broadcastable(shape, sequences);
    if (broadcasts) shape = broadcast(shape, sequences);
  }
  const bool spreads_feature = adds_features() && (query.back() == 1 || key.back() == 1);
  if (!broadcasts || !(spreads_feature || fits(query.back(), key.back())) ||
      !fits(value[-2], key[-2])) {
    shape_error("query ", query, ", value ", value, " and key ", key,
                " do not fit: they need [batch, time, features] with one batch size, query and key "
                "as many features, value and key as many steps");
  }
  for (const int axis : {-2, -1}) shape.push_back(query[axis]);
  return shape;
}

}  // namespace maskflow
