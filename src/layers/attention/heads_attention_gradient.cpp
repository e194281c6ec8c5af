// SPDX-License-Identifier: MIT
#include "kernels/copy.hpp"
#include "layer/layer_gradient.hpp"
#include "layers/attention/attend_gradient.hpp"
#include "layers/attention/heads_attention.hpp"
#include "layers/attention/kept_rows_gradient.hpp"
#include "layers/core/product_gradient.hpp"
#include "ops/activation_gradient.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

// Indices of rows; without a value, all rows.
using RowIndices = std::optional<std::vector<std::int32_t>>;

// Computes HeadsAttention::project and records it on the tape.
Tensor project(Tape& tape, EinsumDense& layer, const Tensor& x,
               const RowIndices& index = std::nullopt) {
  const std::size_t width_in = layer.width_in();
  if (static_cast<std::size_t>(x.shape().back()) != width_in) {
    shape_error("the layer was built for ", width_in, " features but an argument has ",
                x.shape().back());
  }
  const std::size_t rows = index ? index->size() : x.size() / width_in;
  const RecordedProduct product{x,
                                layer.kernel()->value(),
                                rows,
                                width_in,
                                layer.width(),
                                tape.tracks(x),
                                layer.bias() != nullptr};
  Tensor result(DType::kFloat32, {static_cast<Dim>(rows), static_cast<Dim>(product.width)});
  layer.multiply({x.floats(), width_in, index ? index->data() : nullptr}, rows,
                 result.mutable_floats());
  Tensors inputs{x, product.kernel};
  if (product.has_bias) inputs.push_back(layer.bias()->value());
  tape.record(inputs, {&result, 1}, [product, index](const Tensors& g) {
    Tensors gradients = product.gradients(g[0], index ? index->data() : nullptr);
    if (index && product.needs_x) {
      gradients[0] = scatter_rows(gradients[0], *index, product.x.shape());
    }
    return gradients;
  });
  return activate(tape, layer.activation(), result);
}

// Returns the context of queries that see no key, a row for each sequence.
Tensor no_keys_context(Tape& tape, HeadsAttention& layer, const Tensor& value, NoKeys no_keys) {
  const auto [heads, key_heads, key_dim, value_dim] = layer.heads();
  const Dim batch = value.shape()[0];
  if (no_keys == NoKeys::kZero) {
    return Tensor::zeros(DType::kFloat32, {batch, heads * value_dim});
  }
  // Computes the mean of the values as the projection of the mean of their inputs.
  const Tensor means = project(tape, *layer.projections().value, ops::mean(value, {1}));
  const Tensor key_head_means = means.reshaped({batch, key_heads, value_dim});
  const Tensor context =
      heads == key_heads ? key_head_means : ops::repeat(key_head_means, heads / key_heads, 1);
  return context.reshaped({batch, heads * value_dim});
}

// Returns the rows of the result from the context of the kept queries.
Tensor project_output(Tape& tape, HeadsAttention& layer, const HeadsAttention::Inputs& inputs,
                      const KeptRows& kept, Tensor context, NoKeys no_keys) {
  const HeadsAttention::Projections projections = layer.projections();
  const Tensor& query = inputs.query;
  // Row of the context for each step. It is empty if the context has a row for each step.
  std::vector<std::int32_t> row_of_step;
  if (static_cast<Dim>(kept.size()) != query.shape()[0] * query.shape()[1]) {
    row_of_step = HeadsAttention::result_rows(kept, query.shape());
    context = ops::concatenate(
        std::array{context, no_keys_context(tape, layer, inputs.value, no_keys)}, 0);
  }
  if (projections.gate) {
    if (!row_of_step.empty()) context = gather_rows(tape, context, row_of_step);
    row_of_step.clear();
    context = ops::multiply(context, project(tape, *projections.gate, query));
  }
  const Tensor rows = project(tape, *projections.output, context);
  if (row_of_step.empty()) return rows;
  const Shape shape{static_cast<Dim>(row_of_step.size()), rows.shape().back()};
  return tape.select_rows(rows, std::move(row_of_step), shape);
}

Structure rule(Layer& layer, const Args& args, Frame& frame, Tape& tape) {
  auto& attention = static_cast<HeadsAttention&>(layer);
  const HeadsAttention::Projections projections = attention.projections();
  const Shape& shape = args.inputs.front().shape();
  const HeadsAttention::Inputs inputs = attention.read_inputs(args, false);
  const HeadsLayout& layout = inputs.layout;
  Attend attend =
      attention.create_attend(inputs, inputs.value.shape()[1],
                              layout.flatten_mask(inputs.mask, inputs.scores_shape), frame);
  if (HeadsAttention::can_prune(inputs)) attend.prune(nullptr);
  const auto index_of = [](const KeptRows& kept, const Tensor& x) {
    const bool all = static_cast<Dim>(kept.size()) == x.shape()[0] * x.shape()[1];
    return all ? RowIndices() : RowIndices(kept.index);
  };
  const KeptRows kept = attend.queries();
  const NoKeys no_keys = attend.no_keys();
  const RowIndices keys = index_of(attend.keys(), inputs.value);
  AttendInputs projected{
      project(tape, *projections.query, inputs.query, index_of(kept, inputs.query)),
      project(tape, *projections.key, inputs.key, keys),
      project(tape, *projections.value, inputs.value, keys),
      {},
      {}};
  Tensors results = record_attend(tape, std::move(attend), projected,
                                  inputs.returns_scores ? &inputs.scores_shape : nullptr);
  if (inputs.returns_scores) results[1] = results[1].with_mask(make_mask(inputs.mask));
  const Tensor rows = project_output(tape, attention, inputs, kept, results[0], no_keys);
  results[0] = layout.restore(rows, shape, attention.output_sizes(static_cast<int>(shape.back())));
  return {std::move(results), inputs.returns_scores};
}

constexpr LayerGradient kGradients[] = {{"GroupQueryAttention", rule},
                                        {"MultiHeadAttention", rule}};
const RegisterLayerGradients registration{kGradients};

}  // namespace
}  // namespace maskflow
