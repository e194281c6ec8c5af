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

// Numbers of rows; none: all of them.
using Index = std::optional<std::vector<std::int32_t>>;

// What a projection inside the layer gives for rows of x: [rows, width], recorded.
Tensor projected(Tape& tape, EinsumDense& layer, const Tensor& x,
                 const Index& index = std::nullopt) {
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
    Tensors gradients = product.back(g[0], index ? index->data() : nullptr);
    if (index && product.needs_x) {
      gradients[0] = added_rows(gradients[0], *index, product.x.shape());
    }
    return gradients;
  });
  return activate(tape, layer.activation(), result);
}

// A row for each sequence: what the heads give to queries that see no key.
Tensor context_of_blind(Tape& tape, HeadsAttention& layer, const Tensor& value, NoKeys blind) {
  const auto [heads, key_heads, key_dim, value_dim] = layer.heads();
  const Dim batch = value.shape()[0];
  if (blind == NoKeys::kZero) {
    return Tensor::zeros(DType::kFloat32, {batch, heads * value_dim});
  }
  // The mean of the values is the projection of their inputs' mean.
  const Tensor means =
      projected(tape, *layer.projections().value, ops::mean(value, std::array<Dim, 1>{1}, false));
  const Tensor of_heads = means.reshaped({batch, key_heads, value_dim});
  Dict repeats;
  repeats["repeats"] = heads / key_heads;
  repeats["axis"] = 1;
  const Tensor context =
      heads == key_heads ? of_heads : apply_op1("Repeat", {&of_heads, 1}, repeats);
  return context.reshaped({batch, heads * value_dim});
}

// Rows of the result, of what the heads give to the kept queries.
Tensor result_of(Tape& tape, HeadsAttention& layer, const HeadsAttention::Arranged& arranged,
                 const KeptRows& kept, Tensor context, NoKeys blind) {
  const HeadsAttention::Projections projections = layer.projections();
  const Tensor& query = arranged.query;
  std::vector<std::int32_t> shown;
  if (static_cast<Dim>(kept.size()) != query.shape()[0] * query.shape()[1]) {
    shown = HeadsAttention::shown_rows(kept, query.shape());
    context = ops::concatenate(
        std::array{context, context_of_blind(tape, layer, arranged.value, blind)}, 0);
  }
  if (projections.gate) {
    if (!shown.empty()) context = taken_rows(tape, context, shown);
    shown.clear();
    context = ops::multiply(context, projected(tape, *projections.gate, query));
  }
  const Tensor rows = projected(tape, *projections.output, context);
  return shown.empty() ? rows : taken_rows(tape, rows, shown);
}

Structure rule(Layer& layer, const Args& args, Frame& frame, Tape& tape) {
  auto& attention = static_cast<HeadsAttention&>(layer);
  const bool returns_scores = attention.output_specs(args).size() > 1;
  const HeadsAttention::Projections projections = attention.projections();
  const Shape& shape = args.inputs.front().shape();
  const HeadsAttention::Arranged arranged = attention.arranged(args, false, frame);
  const HeadsLayout& layout = arranged.layout;
  Attend attend =
      attention.attend_over(arranged, arranged.value.shape()[1],
                            layout.flat_mask(arranged.permitted, arranged.scores), frame);
  if (HeadsAttention::may_leave_out(arranged)) attend.leave_out(nullptr);
  const auto index_of = [](const KeptRows& kept, const Tensor& x) {
    const bool all = static_cast<Dim>(kept.size()) == x.shape()[0] * x.shape()[1];
    return all ? Index() : Index(kept.index);
  };
  const KeptRows kept = attend.queries();
  const NoKeys blind = attend.blind();
  const Index keys = index_of(attend.keys(), arranged.value);
  AttendInputs inputs{
      projected(tape, *projections.query, arranged.query, index_of(kept, arranged.query)),
      projected(tape, *projections.key, arranged.key, keys),
      projected(tape, *projections.value, arranged.value, keys),
      {},
      {}};
  Tensors results =
      record_attend(tape, std::move(attend), inputs, returns_scores ? &arranged.scores : nullptr);
  if (returns_scores) results[1] = results[1].with_mask(make_mask(arranged.permitted));
  const Tensor rows = result_of(tape, attention, arranged, kept, results[0], blind);
  results[0] = layout.restored(rows, shape, attention.output_sizes(static_cast<int>(shape.back())));
  return {std::move(results), returns_scores};
}

constexpr LayerGradient kGradients[] = {{"GroupQueryAttention", rule},
                                        {"MultiHeadAttention", rule}};
const RegisterLayerGradients registration{kGradients};

}  // namespace
}  // namespace maskflow
