// SPDX-License-Identifier: MIT
#include "layers/heads_attention.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/copy.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

const Tensor& argument(const Args& args, std::string_view name) {
  const TensorArgument* found = args.find(name);
  if (found == nullptr || found->values.size() != 1 || args.inputs.size() != 1) {
    value_error("expected the arguments query and value, and perhaps key: apply({ query, value })");
  }
  return found->values.front();
}

const Tensor& key_of(const Args& args) {
  return argument(args, args.find("key") == nullptr ? "value" : "key");
}

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

// Where the axes of the arguments go: [batch, others ..., attended ..., features], which is then
// seen as [sequences, steps, features].
struct HeadsAttention::Layout {
  std::vector<int> order;
  int others = 0;  // axes that are neither batch nor attended nor features

  Layout(std::vector<int> axes, int rank) {
    for (int& axis : axes) axis = normalize_axis(axis, rank, "an attention axis");
    order = {0};
    for (int axis = 1; axis < rank - 1; ++axis) {
      if (std::ranges::find(axes, axis) == axes.end()) order.push_back(axis);
    }
    others = static_cast<int>(order.size()) - 1;
    for (const int axis : axes) order.push_back(axis);
    order.push_back(rank - 1);
    if (static_cast<int>(order.size()) != rank || std::ranges::find(axes, 0) != axes.end()) {
      config_error("'attention_axes' of an input of rank ", rank,
                   " must be different ones of the axes 1 to ", rank - 2);
    }
  }
  [[nodiscard]] int attended() const { return static_cast<int>(order.size()) - 2 - others; }

  [[nodiscard]] Shape arranged(const Shape& shape) const {
    Shape result;
    for (const int axis : order) result.push_back(shape[axis]);
    return result;
  }
  // As [sequences, steps, features].
  [[nodiscard]] Tensor flat(Tensor x) const {
    const Shape shape = arranged(x.shape());
    if (others > 0 || !std::ranges::is_sorted(order)) {
      Dict axes;
      axes["axes"] = List(order.begin(), order.end());
      x = apply_op1("Transpose", {&x, 1}, axes);
    }
    return x.reshaped({shape.size_between(0, others + 1),
                       shape.size_between(others + 1, shape.rank() - 1), shape.back()});
  }
  // The axes of rows of steps, with `last` for the features, where those of `query` are.
  [[nodiscard]] Tensor restored(const Tensor& rows, const Shape& query,
                                const std::vector<int>& last) const {
    Shape shape = arranged(query);
    shape.erase(-1);
    for (const int size : last) shape.push_back(size);
    Tensor result = rows.reshaped(shape);
    if (std::ranges::is_sorted(order)) return result;
    List axes;
    for (int axis = 0; axis < shape.rank(); ++axis) {
      const auto place = std::ranges::find(order, axis);
      axes.push_back(axis < query.rank() - 1 ? static_cast<int>(place - order.begin()) : axis);
    }
    Dict settings;
    settings["axes"] = axes;
    return apply_op1("Transpose", {&result, 1}, settings);
  }
  // A mask of the scores as [sequences, heads, steps of the query, steps of the key].
  [[nodiscard]] Tensor flat_mask(const Tensor& mask, Shape scores) const {
    if (mask.empty_handle() || scores.rank() == 4) return mask;
    const int head = others + 1;
    const int middle = head + 1 + attended();
    scores.set(head, mask.shape()[head]);
    Dict settings;
    settings["shape"] = List(scores.dims().begin(), scores.dims().end());
    return apply_op1("BroadcastTo", {&mask, 1}, settings)
        .reshaped({scores.size_between(0, head), scores[head],
                   scores.size_between(head + 1, middle),
                   scores.size_between(middle, scores.rank())});
  }
  [[nodiscard]] Shape scores(const Shape& query, const Shape& key, int heads) const {
    const Shape q = arranged(query);
    const Shape k = arranged(key);
    Shape shape = q.first(others + 1);
    shape.push_back(heads);
    for (const Shape& side : {q, k}) {
      for (int axis = others + 1; axis < side.rank() - 1; ++axis) shape.push_back(side[axis]);
    }
    return shape;
  }
};

void HeadsAttention::check_config() const {
  check_dropout(dropout_);
  const auto [query_heads, key_heads, key_dim, value_dim] = heads();
  for (const int size : {query_heads, key_heads, key_dim, value_dim}) {
    if (size <= 0) {
      config_error("the number of heads and their dimensions must be at least 1, but one is ",
                   size);
    }
  }
  if (query_heads % key_heads != 0) {
    config_error("'num_query_heads' is ", query_heads, " and 'num_key_value_heads' is ", key_heads,
                 "; the second must divide the first");
  }
  if (sliding_window_) require_positive("sliding_window", *sliding_window_);
}

void HeadsAttention::describe_rest(Fields& fields) {
  fields.field("dropout", dropout_, "Share of the attention weights set to zero when training.");
  fields.field("use_bias", use_bias_, "Do the projections add a bias?");
  fields.field("use_gate", use_gate_,
               "Multiply what the heads give by a sigmoid of one more projection of the query?");
  fields.field("sliding_window", sliding_window_,
               "A query sees keys less than so many steps away; null: all.");
  fields.field("kernel_initializer", kernel_initializer_, "Start of the kernels.");
  fields.field("bias_initializer", bias_initializer_, "Start of the biases.");
  fields.inert(inert_, {"kernel_regularizer", "bias_regularizer", "activity_regularizer",
                        "kernel_constraint", "bias_constraint"});
  fields.field("seed", seed_, "Kept for the configuration.");
  fields.ignored({"flash_attention"});
}

std::vector<Shape> HeadsAttention::build_shapes(const Args& args) const {
  return {args.inputs.front().shape(), argument(args, "value").shape(), key_of(args).shape()};
}

// From the features to heads, or, `of_heads`, from heads to the result.
std::shared_ptr<EinsumDense> HeadsAttention::projection(const char* name, const Shape& input,
                                                        const std::vector<int>& sizes,
                                                        bool of_heads,
                                                        const char* activation) const {
  constexpr std::string_view kResult = "uvwxyz";
  const std::string from = of_heads ? "ab" : "a";
  const std::string to(kResult.substr(0, sizes.size()));
  Dict config;
  config["name"] = name;
  config["equation"] = text("...", from, ",", from, to, "->...", to);
  config["output_shape"] = List(sizes.begin(), sizes.end());
  config["activation"] = activation;
  if (use_bias_) config["bias_axes"] = to;
  config["kernel_initializer"] = write_value(kernel_initializer_);
  config["bias_initializer"] = write_value(bias_initializer_);
  auto layer = std::static_pointer_cast<EinsumDense>(make_layer("EinsumDense", config));
  layer->build_once({input});
  return layer;
}

void HeadsAttention::build(const std::vector<Shape>& inputs) {
  const Shape& query = inputs.front();
  const Shape& value = inputs[inputs.size() > 1 ? 1 : 0];
  const Shape& key = inputs.size() > 2 ? inputs[2] : value;
  const auto [query_heads, key_heads, key_dim, value_dim] = heads();
  query_ = projection("query", query, {query_heads, key_dim}, false, "linear");
  key_ = projection("key", key, {key_heads, key_dim}, false, "linear");
  if (use_gate_) gate_ = projection("gate", query, {query_heads, value_dim}, false, "sigmoid");
  value_ = projection("value", value, {key_heads, value_dim}, false, "linear");
  output_ = projection("attention_output", {1, query_heads, value_dim},
                       output_sizes(static_cast<int>(query.back())), true, "linear");
}

std::vector<LayerPtr> HeadsAttention::sublayers() const {
  std::vector<LayerPtr> layers;
  for (const auto& layer : {query_, key_, gate_, value_, output_}) {
    if (layer) layers.push_back(layer);
  }
  return layers;
}

MaskPtr HeadsAttention::explicit_mask(const Args& args, std::string_view name) {
  return args.find(name) == nullptr ? nullptr : make_mask(argument(args, name));
}

// Bool, of the rank of the scores; no handle when every query sees every key.
Tensor HeadsAttention::allowed(const Args& args, const Layout& layout) const {
  const Tensor& query = args.inputs.front();
  const Tensor& value = argument(args, "value");
  Tensor result;
  const auto restrict_to = [&](const MaskPtr& mask, Dim axis) {
    if (mask) result = both(result, ops::expand_dims(mask->values(), axis));
  };
  const auto given = [&](const char* name, const Tensor& tensor) {
    const MaskPtr mask = explicit_mask(args, name);
    return mask ? mask : tensor.mask();
  };
  restrict_to(query_mask(args), -1);
  restrict_to(given("value_mask", value), -2);
  restrict_to(args.find("key") == nullptr ? explicit_mask(args, "key_mask")
                                          : given("key_mask", key_of(args)),
              -2);
  const bool causal = option(args.options, "use_causal_mask");
  if (causal || sliding_window_) {
    const Tensor band =
        band_mask(query.shape()[1], value.shape()[1], causal, sliding_window_.value_or(0));
    result = both(result, band.reshaped(band.shape().from(1)));
  }
  if (const MaskPtr mask = explicit_mask(args, "attention_mask")) {
    result = both(result, mask->values());
  }
  if (result.empty_handle()) return result;
  const Shape target = layout.scores(query.shape(), key_of(args).shape(), heads().heads);
  Shape shape = result.shape();
  // Axes of size 1 where the mask says nothing of heads and of what is not attended over.
  const int steps = 2 * layout.attended();
  while (shape.rank() >= steps && shape.rank() < target.rank()) {
    shape.insert(shape.rank() - steps, 1);
  }
  if (shape.rank() != target.rank() || !broadcastable(shape, target) ||
      broadcast(shape, target) != target) {
    shape_error("the masks give ", result.shape(), " together, but the scores are ", target,
                "; an attention mask is (batch, queries, keys)");
  }
  return result.reshaped(shape);
}

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
  const Layout layout(axes(shape.rank()), shape.rank());
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
  if (is_training(args)) attend.dropout = dropout_;
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
  returns_scores_ = option(args.options, "return_attention_scores");
  const Shape& query = args.inputs.front().shape();
  const Shape& value = argument(args, "value").shape();
  const Shape& key = key_of(args).shape();
  const Layout layout(axes(query.rank()), query.rank());
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
