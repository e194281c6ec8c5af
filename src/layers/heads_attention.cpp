// SPDX-License-Identifier: MIT
#include "layers/heads_attention.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/copy.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

// Rows times the kernel of a projection.
Tensor projected(EinsumDense& layer, const Tensor& x, const std::int32_t* index, std::size_t rows) {
  Tensor result(DType::kFloat32, {static_cast<Dim>(rows), static_cast<Dim>(layer.width())});
  if (static_cast<std::size_t>(x.shape().back()) != layer.width_in()) {
    shape_error("the layer was built for ", layer.width_in(), " features but an argument has ",
                x.shape().back());
  }
  layer.project({x.data<float>().data(), layer.width_in(), index}, rows,
                result.mutable_data<float>().data());
  return result;
}

Tensor rows_at(const Tensor& rows, const std::vector<std::int32_t>& index) {
  const Dim width = rows.shape().back();
  Tensor result(DType::kFloat32, {static_cast<Dim>(index.size()), width});
  float* to = result.mutable_data<float>().data();
  for (const std::int32_t row : index) {
    kernels::copy(rows.data<float>().data() + row * width, to, static_cast<std::size_t>(width));
    to += width;
  }
  return result;
}

}  // namespace

// What the heads give to queries that see no key, a row for each sequence: the mean of the values,
// which is the projection of their mean.
Tensor HeadsAttention::context_of_blind(const Attend& attend, const Tensor& value) const {
  const auto [query_heads, key_heads, key_dim, value_dim] = heads();
  const auto batch = static_cast<std::size_t>(value.shape()[0]);
  const auto width = static_cast<std::size_t>(query_heads * value_dim);
  Tensor result = Tensor::zeros(DType::kFloat32, {value.shape()[0], query_heads * value_dim});
  if (attend.blind() == Blind::kZero) return result;
  const std::array<Dim, 1> steps{1};
  const Tensor means = projected(*value_, ops::mean(value, steps, false), nullptr, batch);
  const auto part = static_cast<std::size_t>(value_dim);
  for (std::size_t at = 0; at < batch * width; at += part) {
    const std::size_t head = at % width / part * static_cast<std::size_t>(key_heads) /
                             static_cast<std::size_t>(query_heads);
    const std::size_t row = at / width * static_cast<std::size_t>(key_heads) + head;
    kernels::copy(means.data<float>().data() + row * part, result.mutable_data<float>().data() + at,
                  part);
  }
  return result;
}

Tensors HeadsAttention::call(const Args& args) {
  const auto [query_heads, key_heads, key_dim, value_dim] = heads();
  const std::size_t outputs = output_specs(args).size();
  const Shape& shape = args.inputs.front().shape();
  const HeadsLayout layout(axes(shape.rank()), shape.rank());
  const Shape scores = layout.scores(shape, key_of(args).shape(), query_heads);
  const Tensor permitted = allowed(args, layout);
  take_masks(args);
  const auto flat = [&](const Tensor& x) { return layout.flat(ops::cast(x, DType::kFloat32)); };
  const Tensor query = flat(args.inputs.front());
  const Tensor value = flat(argument(args, "value"));
  const Tensor key = flat(key_of(args));
  const Dim batch = query.shape()[0];
  const Dim steps = query.shape()[1];
  // Keras has two ways to compute this, which differ in what a query without a key gets.
  const bool explicit_scores = returns_scores_ || dropout_ > 0 || shape.rank() != 3;
  Attend attend({batch, steps, value.shape()[1], static_cast<std::size_t>(query_heads),
                 static_cast<std::size_t>(key_heads), static_cast<std::size_t>(key_dim),
                 static_cast<std::size_t>(value_dim)},
                layout.flat_mask(permitted, scores),
                explicit_scores ? Blind::kZero : Blind::kUniform);
  attend.score.factor = 1 / std::sqrt(static_cast<float>(key_dim));
  if (args.trains()) attend.dropout = dropout_;
  if (!permitted.empty_handle() && finite(query) && finite(value) && finite(key)) {
    attend.leave_out(nullptr);
  }
  const auto& [kept, starts] = attend.queries();
  const KeptRows& keys = attend.keys();
  const Tensor q = projected(*query_, query, kept.data(), kept.size());
  const Tensor k = projected(*key_, key, keys.index.data(), keys.size());
  const Tensor v = projected(*value_, value, keys.index.data(), keys.size());
  Tensor context(DType::kFloat32, {static_cast<Dim>(kept.size()), query_heads * value_dim});
  Tensors results(outputs);
  if (returns_scores_) {
    // In Keras a Softmax inside makes them and hands on the mask that it was given.
    results[1] = Tensor::zeros(DType::kFloat32, scores).with_mask(make_mask(permitted));
  }
  attend.run(q.data<float>().data(), k.data<float>().data(), v.data<float>().data(), true,
             context.mutable_data<float>().data(),
             returns_scores_ ? results[1].mutable_data<float>().data() : nullptr);
  // Row of the context that a step shows: its own, or the one for all blind queries of a sequence.
  std::vector<std::int32_t> shown;
  if (static_cast<Dim>(kept.size()) != batch * steps) {
    for (Dim at = 0; at < batch * steps; ++at) {
      shown.push_back(static_cast<std::int32_t>(static_cast<Dim>(kept.size()) + at / steps));
    }
    for (std::size_t row = 0; row < kept.size(); ++row) {
      shown[static_cast<std::size_t>(kept[row])] = static_cast<std::int32_t>(row);
    }
    context = ops::concatenate(std::array{context, context_of_blind(attend, value)}, 0);
  }
  if (gate_) {
    if (!shown.empty()) context = rows_at(context, shown);
    shown.clear();
    context = ops::multiply(
        context, projected(*gate_, query, nullptr, static_cast<std::size_t>(batch * steps)));
  }
  Tensor rows = projected(*output_, context, nullptr, static_cast<std::size_t>(context.shape()[0]));
  if (!shown.empty()) rows = rows_at(rows, shown);
  results[0] = layout.restored(rows, shape, output_sizes(static_cast<int>(shape.back())));
  return results;
}

std::vector<TensorSpec> HeadsAttention::output_specs(const Args& args) {
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
      fits = fits && (dim == other || dim == kUnknown || other == kUnknown);
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
  return specs;
}

}  // namespace maskflow
