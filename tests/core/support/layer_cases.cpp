// SPDX-License-Identifier: MIT
#include "support/layer_cases.hpp"

#include <algorithm>
#include <stdexcept>

#include "support/graphs.hpp"

namespace maskflow::test {
namespace {

Dict functional_config() {
  const Tensor x = input({kUnknown, 4});
  const Tensor y = (*make("Dense", {{"units", 2}}))(x);
  return functional({x}, {(*make("Activation", {{"activation", "relu"}}))(y)})->get_config();
}

}  // namespace

Args LayerCase::arguments(Rng& rng) const {
  Args args;
  args.inputs = {dtype == DType::kInt32 ? random_ints(rng, input, 0, 4)
                                        : random_floats(rng, input)};
  for (const Shape& other : others) args.inputs.push_back(random_floats(rng, other));
  args.list = !others.empty();
  if (!states.empty()) args.tensors.push_back({"states", {}, true});
  for (const Shape& state : states) args.tensors[0].values.push_back(random_floats(rng, state));
  for (const auto& [name, shape] : named) {
    args.tensors.push_back({name, {random_floats(rng, shape)}, false});
  }
  return args;
}

std::vector<LayerCase> layer_cases() {
  const Value lstm_cell = serialized("LSTMCell", {{"units", 3}});
  const Value gru_cell = serialized("GRUCell", {{"units", 2}, {"reset_after", false}});
  const Value gru = serialized("GRU", {{"units", 3}, {"return_sequences", true}});
  const Value dense = serialized("Dense", {{"units", 2}, {"activation", "tanh"}});
  return {
      {"Activation", dict({{"activation", "softplus"}}), {2, 5}},
      {"AdditiveAttention", dict({{"dropout", 0.25}}), {2, 3, 4}, DType::kFloat32, {}, {{2, 5, 4}}},
      {"Attention",
       dict({{"use_scale", true}, {"score_mode", "concat"}}),
       {2, 3, 4},
       DType::kFloat32,
       {},
       {{2, 5, 6}, {2, 5, 4}}},
      {"Bidirectional", dict({{"layer", gru}, {"merge_mode", "sum"}}), {2, 3, 4}},
      {"Conv1D",
       dict({{"filters", 4}, {"kernel_size", 2}, {"padding", "causal"}, {"groups", 2}}),
       {2, 5, 4}},
      {"Dense", dict({{"units", 3}, {"use_bias", false}, {"activation", "relu"}}), {2, 4}},
      {"Dropout", dict({{"rate", 0.25}, {"seed", 7}}), {2, 4}},
      {"EinsumDense",
       dict({{"equation", "abc,bcd->abd"},
             {"output_shape", list({nullptr, 5})},
             {"bias_axes", "bd"},
             {"activation", "relu"}}),
       {2, 3, 4}},
      {"Embedding",
       dict({{"input_dim", 5}, {"output_dim", 3}, {"mask_zero", true}}),
       {2, 3},
       DType::kInt32},
      {"Flatten", {}, {2, 3, 4}},
      {"Functional", functional_config(), {3, 4}},
      {"GRU",
       dict({{"units", 3}, {"reset_after", false}, {"go_backwards", true}, {"return_state", true}}),
       {2, 3, 4}},
      {"GRUCell",
       dict({{"units", 3}, {"recurrent_activation", "hard_sigmoid"}}),
       {2, 4},
       DType::kFloat32,
       {{2, 3}}},
      {"GlobalAveragePooling1D", dict({{"keepdims", true}}), {2, 3, 4}},
      {"GroupQueryAttention",
       dict({{"head_dim", 2},
             {"num_query_heads", 4},
             {"num_key_value_heads", 2},
             {"use_gate", true},
             {"sliding_window", 2}}),
       {2, 3, 4},
       DType::kFloat32,
       {},
       {},
       {{"value", {2, 5, 4}}}},
      {"InputLayer",
       dict({{"batch_shape", list({nullptr, 3})}, {"dtype", "int32"}}),
       {2, 3},
       DType::kInt32},
      {"LSTM",
       dict({{"units", 3},
             {"return_sequences", true},
             {"unit_forget_bias", false},
             {"zero_output_for_mask", true}}),
       {2, 3, 4}},
      {"LSTMCell",
       dict({{"units", 3}, {"dropout", 0.5}}),
       {2, 4},
       DType::kFloat32,
       {{2, 3}, {2, 3}}},
      {"LayerNormalization", dict({{"epsilon", 0.5}, {"axis", -1}}), {2, 3, 4}},
      {"Masking", dict({{"mask_value", list({1, 2, 3, 4})}}), {2, 3, 4}},
      {"MultiHeadAttention",
       dict({{"num_heads", 2},
             {"key_dim", 3},
             {"value_dim", 5},
             {"output_shape", list({2, 3})},
             {"attention_axes", list({2})},
             {"use_bias", false}}),
       {2, 3, 4, 5},
       DType::kFloat32,
       {},
       {},
       {{"value", {2, 3, 6, 5}}, {"key", {2, 3, 6, 5}}}},
      {"RNN", dict({{"cell", list({lstm_cell, gru_cell})}, {"return_state", true}}), {2, 3, 4}},
      {"ReversibleEmbedding",
       dict({{"input_dim", 5}, {"output_dim", 3}, {"tie_weights", false}, {"logit_soft_cap", 2}}),
       {2, 3},
       DType::kInt32},
      {"Sequential", dict({{"name", "stack"}, {"layers", list({dense, gru})}}), {2, 3, 4}},
      {"SimpleRNN", dict({{"units", 3}, {"activation", "relu"}, {"stateful", true}}), {2, 3, 4}},
      {"SimpleRNNCell", dict({{"units", 3}}), {2, 4}, DType::kFloat32, {{2, 3}}},
      {"Softmax", dict({{"axis", list({1, 2})}}), {2, 3, 4}},
      {"StackedRNNCells",
       dict({{"cells", list({lstm_cell, gru_cell})}}),
       {2, 4},
       DType::kFloat32,
       {{2, 3}, {2, 3}, {2, 2}}},
      {"TimeDistributed", dict({{"layer", dense}}), {2, 3, 4}},
  };
}

LayerCase layer_case(std::string_view class_name) {
  const std::vector<LayerCase> cases = layer_cases();
  const auto found = std::ranges::find(cases, class_name, &LayerCase::class_name);
  if (found == cases.end()) throw std::invalid_argument(text(class_name, " has no case"));
  return *found;
}

}  // namespace maskflow::test
