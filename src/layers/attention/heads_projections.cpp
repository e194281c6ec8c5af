// SPDX-License-Identifier: MIT
// The settings, arguments and projections of layers with several heads.
#include "layers/attention/heads_attention.hpp"

namespace maskflow {

const Tensor& HeadsAttention::argument(const Args& args, std::string_view name) {
  const TensorArgument* argument = args.find(name);
  if (argument == nullptr || argument->values.size() != 1 || args.inputs.size() != 1) {
    value_error("the layer needs query and value, and optionally key: apply({ query, value })");
  }
  return argument->values.front();
}

const Tensor& HeadsAttention::key_of(const Args& args) {
  return argument(args, args.find("key") == nullptr ? "value" : "key");
}

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

void HeadsAttention::describe_common(Fields& fields) {
  fields.field("dropout", dropout_,
               "Share of the attention weights that is set to zero in training.");
  fields.field("use_bias", use_bias_, "Add a bias in the projections.");
  fields.field("use_gate", use_gate_,
               "Multiply the results of the heads by the sigmoid of a fourth projection, of the "
               "query.");
  fields.field("sliding_window", sliding_window_,
               "A query sees only keys less than this number of steps away; null: all keys.");
  fields.field("kernel_initializer", kernel_initializer_, "Initializer of the kernels.");
  fields.field("bias_initializer", bias_initializer_, "Initializer of the biases.");
  fields.inert(inert_, {"kernel_regularizer", "bias_regularizer", "activity_regularizer",
                        "kernel_constraint", "bias_constraint"});
  random_.describe(fields);
  // flash_attention selects an algorithm of Keras that does not support dropout; here it changes
  // nothing.
  fields.ignored({"flash_attention"});
  if (fields.has("flash_attention") && dropout_ > 0 &&
      fields.value("flash_attention").as_bool("flash_attention")) {
    config_error("'flash_attention' is true and 'dropout' is ", dropout_, "; remove one of them");
  }
}

std::vector<Shape> HeadsAttention::build_shapes(const Args& args) const {
  return {args.inputs.front().shape(), argument(args, "value").shape(), key_of(args).shape()};
}

// Projects features to heads or, if `from_heads`, heads to the result.
std::shared_ptr<EinsumDense> HeadsAttention::create_projection(const char* name, const Shape& input,
                                                               const std::vector<int>& sizes,
                                                               bool from_heads,
                                                               const char* activation) const {
  constexpr std::string_view kResult = "uvwxyz";
  const std::string from = from_heads ? "ab" : "a";
  const std::string to(kResult.substr(0, sizes.size()));
  Dict config;
  config["name"] = name;
  config["equation"] = text("...", from, ",", from, to, "->...", to);
  config["output_shape"] = List(sizes.begin(), sizes.end());
  config["activation"] = activation;
  if (use_bias_) config["bias_axes"] = to;
  config["kernel_initializer"] = write_value(kernel_initializer_);
  config["bias_initializer"] = write_value(bias_initializer_);
  for (const char* constraint : {"kernel_constraint", "bias_constraint"}) {
    if (const Value* setting = inert_.find(constraint)) config[constraint] = *setting;
  }
  auto layer = std::static_pointer_cast<EinsumDense>(make_layer("EinsumDense", config));
  layer->build_once({input});
  return layer;
}

void HeadsAttention::build(const std::vector<Shape>& inputs) {
  const Shape& query = inputs.front();
  const Shape& value = inputs[inputs.size() > 1 ? 1 : 0];
  const Shape& key = inputs.size() > 2 ? inputs[2] : value;
  const auto [query_heads, key_heads, key_dim, value_dim] = heads();
  query_ = create_projection("query", query, {query_heads, key_dim}, false, "linear");
  key_ = create_projection("key", key, {key_heads, key_dim}, false, "linear");
  if (use_gate_)
    gate_ = create_projection("gate", query, {query_heads, value_dim}, false, "sigmoid");
  value_ = create_projection("value", value, {key_heads, value_dim}, false, "linear");
  output_ = create_projection("attention_output", {1, query_heads, value_dim},
                              output_sizes(static_cast<int>(query.back())), true, "linear");
}

std::vector<LayerPtr> HeadsAttention::sublayers() const {
  std::vector<LayerPtr> layers;
  for (const auto& layer : {query_, key_, gate_, value_, output_}) {
    if (layer) layers.push_back(layer);
  }
  return layers;
}

}  // namespace maskflow
