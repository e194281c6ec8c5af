// SPDX-License-Identifier: MIT
#include "support/layer_cases.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "ops/ops.hpp"
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

LayerCase LayerCase::with_batch(Dim batch) const {
  LayerCase result = *this;
  result.input.set(0, batch);
  if (result.mask.rank() > 0) result.mask.set(0, batch);
  for (std::vector<Shape>* shapes : {&result.states, &result.others}) {
    for (Shape& shape : *shapes) shape.set(0, batch);
  }
  for (auto& [name, shape] : result.named) shape.set(0, batch);
  return result;
}

// Every row keeps something: what has nothing to go by (a mean of no steps) is a case of its own.
Tensor random_mask(Rng& rng, const Shape& shape) {
  const auto steps = static_cast<int>(shape.size() / shape[0]);
  std::vector<std::uint8_t> keep = random_keep(rng, static_cast<int>(shape[0]), steps);
  for (int row = 0; row < shape[0]; ++row) {
    const auto first = keep.begin() + row * steps;
    if (std::ranges::count(first, first + steps, 1) == 0) first[rng.integer(0, steps - 1)] = 1;
  }
  return bools(shape, keep);
}

Args LayerCase::masked_arguments(Rng& rng) const {
  Args args = arguments(rng);
  if (!has_time()) return args;
  bool first = true;
  MaskPtr last;
  args.for_each_tensor([&](Tensor& tensor) {
    const bool own = std::exchange(first, false) && mask.rank() > 0;
    if (!own && (tensor.rank() < 3 || tensor.rank() != input.rank())) return;
    const Shape shape = own ? mask : Shape{tensor.shape()[0], tensor.shape()[time_axis]};
    // Value and key are one sequence: Attention goes by the mask of the value alone.
    if (last == nullptr || last->shape() != shape) last = make_mask(random_mask(rng, shape));
    tensor = tensor.with_mask(last);
  });
  return args;
}

Args LayerCase::padded(const Args& args, Dim more, Rng& rng) const {
  Args longer = args;
  longer.for_each_tensor([&](Tensor& tensor) {
    const MaskPtr given = tensor.mask();
    if (given == nullptr) return;
    Shape shape = tensor.shape();
    shape.set(time_axis, more);
    const Tensor padding = ops::cast(random_floats(rng, shape, 3), tensor.dtype());
    Shape hidden = given->shape();
    const int axis = hidden.rank() == tensor.rank() ? time_axis : 1;
    hidden.set(axis, more);
    const Tensor none = Tensor::zeros(DType::kBool, hidden);
    tensor = ops::concatenate(std::array{tensor, padding}, time_axis)
                 .with_mask(make_mask(ops::concatenate(std::array{given->values(), none}, axis)));
  });
  return longer;
}

// As [batch, 1 ..., time, 1 ...].
Tensor LayerCase::spread(Tensor keep, int rank) const {
  while (keep.rank() < rank) {
    keep = ops::expand_dims(keep, keep.rank() <= time_axis ? 1 : -1);
  }
  return keep;
}

Args LayerCase::with_other_padding(const Args& args, Rng& rng) const {
  Args other = args;
  other.for_each_tensor([&](Tensor& tensor) {
    const MaskPtr given = tensor.mask();
    if (given == nullptr) return;
    const Tensor keep = spread(given->values(), tensor.rank());
    const Tensor numbers = ops::cast(random_floats(rng, tensor.shape(), 3), tensor.dtype());
    tensor = ops::where(keep, tensor, numbers).with_mask(given);
  });
  return other;
}

// A case whose time axis is not the second.
LayerCase with(LayerCase c, int time_axis, const Shape& mask = {}) {
  c.time_axis = time_axis;
  c.mask = mask;
  return c;
}

std::vector<LayerCase> layer_cases() {
  const Value lstm_cell = serialized("LSTMCell", {{"units", 3}});
  const Value gru_cell = serialized("GRUCell", {{"units", 2}, {"reset_after", false}});
  const Value gru = serialized("GRU", {{"units", 3}, {"return_sequences", true}});
  const Value dense = serialized("Dense", {{"units", 2}, {"activation", "tanh"}});
  return {
      {"Activation", dict({{"activation", "softplus"}}), {2, 5}},
      {"ActivityRegularization", dict({{"l1", 0.5}, {"l2", 0.25}}), {2, 4}},
      {"AdaptiveAveragePooling1D", dict({{"output_size", 2}}), {2, 5, 4}},
      {"AdaptiveMaxPooling1D", dict({{"output_size", 3}}), {2, 5, 4}},
      {"Add", {}, {2, 3, 4}, DType::kFloat32, {}, {{2, 1, 4}, {2, 4}}},
      {"AlphaDropout", dict({{"rate", 0.25}, {"noise_shape", list({nullptr, 1})}}), {2, 4}},
      {"Average", {}, {2, 3, 4}, DType::kFloat32, {}, {{2, 3, 4}}},
      {"AveragePooling1D", dict({{"pool_size", 3}, {"padding", "same"}}), {2, 5, 4}},
      with({"BatchNormalization",
            dict({{"axis", 1}, {"momentum", 0.5}, {"scale", false}, {"renorm", true}}),
            {2, 3, 4}},
           2),
      {"AdditiveAttention", dict({{"dropout", 0.25}}), {2, 3, 4}, DType::kFloat32, {}, {{2, 5, 4}}},
      {"Attention",
       dict({{"use_scale", true}, {"score_mode", "concat"}}),
       {2, 3, 4},
       DType::kFloat32,
       {},
       {{2, 5, 6}, {2, 5, 4}}},
      {"Bidirectional", dict({{"layer", gru}, {"merge_mode", "sum"}}), {2, 3, 4}},
      {"CategoryEncoding",
       dict({{"num_tokens", 6}, {"output_mode", "count"}}),
       {2, 3},
       DType::kInt32},
      {"Concatenate", dict({{"axis", 1}}), {2, 3, 4}, DType::kFloat32, {}, {{2, 2, 4}}},
      {"Conv1D",
       dict({{"filters", 4}, {"kernel_size", 2}, {"padding", "causal"}, {"groups", 2}}),
       {2, 5, 4}},
      {"Cropping1D", dict({{"cropping", list({2, 0})}}), {2, 5, 4}},
      {"Dense", dict({{"units", 3}, {"use_bias", false}, {"activation", "relu"}}), {2, 4}},
      {"Discretization",
       dict({{"bin_boundaries", list({-0.5, 0, 0.5})}, {"output_mode", "one_hot"}}),
       {2, 3}},
      {"Dot",
       dict({{"axes", list({2, 1})}, {"normalize", true}}),
       {2, 3, 4},
       DType::kFloat32,
       {},
       {{2, 4}}},
      {"Conv1DTranspose",
       dict({{"filters", 3}, {"kernel_size", 3}, {"strides", 2}, {"output_padding", 1}}),
       {2, 5, 4}},
      {"ConvLSTM1D",
       dict({{"filters", 3},
             {"kernel_size", 2},
             {"padding", "same"},
             {"strides", 2},
             {"recurrent_activation", "hard_sigmoid"},
             {"data_format", "channels_first"},
             {"return_sequences", true},
             {"return_state", true}}),
       {2, 3, 4, 5}},
      with({"DepthwiseConv1D",
            dict({{"kernel_size", 2}, {"depth_multiplier", 2}, {"data_format", "channels_first"}}),
            {2, 4, 5}},
           2),
      {"Dropout", dict({{"rate", 0.25}, {"seed", 7}}), {2, 4}},
      {"ELU", dict({{"alpha", 0.5}}), {2, 4}},
      with({"EinsumDense",
            dict({{"equation", "abc,bcd->abd"},
                  {"output_shape", list({nullptr, 5})},
                  {"bias_axes", "bd"},
                  {"activation", "relu"}}),
            {2, 3, 4}},
           -1),
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
      {"GaussianDropout", dict({{"rate", 0.25}, {"seed", 7}}), {2, 4}},
      {"GaussianNoise", dict({{"stddev", 0.25}}), {2, 4}},
      {"GlobalAveragePooling1D", dict({{"keepdims", true}}), {2, 3, 4}},
      with({"GlobalMaxPooling1D", dict({{"data_format", "channels_first"}}), {2, 3, 4}}, 2),
      {"Identity", {}, {2, 4}},
      {"GroupNormalization", dict({{"groups", -1}, {"center", false}}), {2, 3, 4}},
      {"GroupQueryAttention",
       dict({{"head_dim", 2},
             {"num_query_heads", 4},
             {"num_key_value_heads", 2},
             {"use_gate", true},
             {"sliding_window", 5}}),
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
      {"LeakyReLU", dict({{"negative_slope", 0.5}}), {2, 4}},
      {"Masking", dict({{"mask_value", list({1, 2, 3, 4})}}), {2, 3, 4}},
      with({"MaxPooling1D", dict({{"strides", 1}, {"data_format", "channels_first"}}), {2, 4, 5}},
           2),
      {"Maximum", {}, {2, 3, 4}, DType::kFloat32, {}, {{2, 3, 4}}},
      {"Minimum", {}, {2, 3, 4}, DType::kFloat32, {}, {{2, 3, 4}}},
      {"Multiply", {}, {2, 3, 4}, DType::kFloat32, {}, {{2, 3, 4}}},
      with({"Normalization",
            dict({{"axis", list({1, 2})},
                  {"mean", list({1, 2, 3, 4})},
                  {"variance", list({4, 3, 2, 1})},
                  {"invert", true}}),
            {2, 3, 4}},
           -1),
      {"PReLU", dict({{"alpha_initializer", "ones"}, {"shared_axes", list({1})}}), {2, 3, 4}},
      {"Permute", dict({{"dims", list({2, 1})}}), {2, 3, 4}},
      with({"RMSNormalization", dict({{"axis", list({1, 2})}, {"epsilon", 0.25}}), {2, 3, 4}}, -1),
      with({"MultiHeadAttention",
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
           2),
      {"RNN", dict({{"cell", list({lstm_cell, gru_cell})}, {"return_state", true}}), {2, 3, 4}},
      {"ReLU", dict({{"max_value", 2}, {"negative_slope", 0.5}, {"threshold", 0.25}}), {2, 4}},
      {"RepeatVector", dict({{"n", 3}}), {2, 4}},
      {"Rescaling", dict({{"scale", list({1, 2, 3, 4})}, {"offset", -1}}), {2, 4}},
      {"Reshape", dict({{"target_shape", list({-1, 2})}}), {2, 3, 4}},
      {"ReversibleEmbedding",
       dict({{"input_dim", 5}, {"output_dim", 3}, {"tie_weights", false}, {"logit_soft_cap", 2}}),
       {2, 3},
       DType::kInt32},
      {"SeparableConv1D",
       dict({{"filters", 3}, {"kernel_size", 2}, {"padding", "SAME"}, {"dilation_rate", 2}}),
       {2, 5, 4}},
      {"Sequential", dict({{"name", "stack"}, {"layers", list({dense, gru})}}), {2, 3, 4}},
      {"SimpleRNN", dict({{"units", 3}, {"activation", "relu"}, {"stateful", true}}), {2, 3, 4}},
      {"SimpleRNNCell", dict({{"units", 3}}), {2, 4}, DType::kFloat32, {{2, 3}}},
      with({"Softmax", dict({{"axis", list({1, 2})}}), {2, 3, 4}}, 1, {2, 3, 4}),
      {"SpatialDropout1D", dict({{"rate", 0.25}}), {2, 3, 4}},
      {"SpectralNormalization", dict({{"layer", dense}, {"power_iterations", 2}}), {2, 4}},
      {"StackedRNNCells",
       dict({{"cells", list({lstm_cell, gru_cell})}}),
       {2, 4},
       DType::kFloat32,
       {{2, 3}, {2, 3}, {2, 2}}},
      {"Subtract", {}, {2, 3, 4}, DType::kFloat32, {}, {{2, 3, 4}}},
      {"ThresholdedReLU", dict({{"theta", 0.5}}), {2, 4}},
      {"TimeDistributed", dict({{"layer", dense}}), {2, 3, 4}},
      {"UpSampling1D", dict({{"size", 3}}), {2, 3, 4}},
      with({"ZeroPadding1D", dict({{"padding", 2}, {"data_format", "channels_first"}}), {2, 3, 4}},
           2),
      {"UnitNormalization", dict({{"axis", 1}}), {2, 3, 4}},
  };
}

LayerCase layer_case(std::string_view class_name) {
  const std::vector<LayerCase> cases = layer_cases();
  const auto found = std::ranges::find(cases, class_name, &LayerCase::class_name);
  if (found == cases.end()) throw std::invalid_argument(text(class_name, " has no case"));
  return *found;
}

}  // namespace maskflow::test
