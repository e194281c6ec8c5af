// SPDX-License-Identifier: MIT
#include "support/layer_cases.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>
#include <utility>

#include "ops/ops.hpp"
#include "support/fixtures.hpp"
#include "support/graphs.hpp"
#include "support/json.hpp"

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

// Every row keeps a step: a row without kept steps has no defined mean and is tested separately.
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
    // Value and key are one sequence, because Attention uses the mask of the value for both.
    if (last == nullptr || last->shape() != shape) last = make_mask(random_mask(rng, shape));
    tensor = tensor.with_mask(last);
  });
  return args;
}

Args LayerCase::padded(const Args& args, Dim more, Rng& rng) const {
  Args longer = args;
  longer.for_each_tensor([&](Tensor& tensor) {
    const MaskPtr tensor_mask = tensor.mask();
    if (tensor_mask == nullptr) return;
    Shape shape = tensor.shape();
    shape.set(time_axis, more);
    const Tensor padding = ops::cast(random_floats(rng, shape, 3), tensor.dtype());
    Shape hidden = tensor_mask->shape();
    const int axis = hidden.rank() == tensor.rank() ? time_axis : 1;
    hidden.set(axis, more);
    const Tensor none = Tensor::zeros(DType::kBool, hidden);
    tensor =
        ops::concatenate(std::array{tensor, padding}, time_axis)
            .with_mask(make_mask(ops::concatenate(std::array{tensor_mask->values(), none}, axis)));
  });
  return longer;
}

Tensor LayerCase::spread(Tensor keep, int rank) const {
  while (keep.rank() < rank) {
    keep = ops::expand_dims(keep, keep.rank() <= time_axis ? 1 : -1);
  }
  return keep;
}

Args LayerCase::with_other_padding(const Args& args, Rng& rng) const {
  Args other = args;
  other.for_each_tensor([&](Tensor& tensor) {
    const MaskPtr tensor_mask = tensor.mask();
    if (tensor_mask == nullptr) return;
    const Tensor keep = spread(tensor_mask->values(), tensor.rank());
    const Tensor numbers = ops::cast(random_floats(rng, tensor.shape(), 3), tensor.dtype());
    tensor = ops::where(keep, tensor, numbers).with_mask(tensor_mask);
  });
  return other;
}

namespace {

// Returns the case with a time axis other than axis 1.
LayerCase with(LayerCase c, int time_axis, const Shape& mask = {}) {
  c.time_axis = time_axis;
  c.mask = mask;
  return c;
}

// Returns configurations that no recorded case has, and cases of classes without recorded cases.
std::vector<LayerCase> written_cases() {
  const Value lstm_cell = serialized("LSTMCell", {{"units", 3}});
  const Value gru_cell = serialized("GRUCell", {{"units", 2}, {"reset_after", false}});
  const Value gru = serialized("GRU", {{"units", 3}, {"return_sequences", true}});
  const Value dense = serialized("Dense", {{"units", 2}, {"activation", "tanh"}});
  return {
      {"Add", {}, {2, 3, 4}, DType::kFloat32, {}, {{2, 1, 4}, {2, 4}}},
      {"AlphaDropout", dict({{"rate", 0.25}, {"noise_shape", list({nullptr, 1})}}), {2, 4}},
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
      with({"GlobalMaxPooling1D", dict({{"data_format", "channels_first"}}), {2, 3, 4}}, 2),
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
      {"Masking", dict({{"mask_value", list({1, 2, 3, 4})}}), {2, 3, 4}},
      with({"MaxPooling1D", dict({{"strides", 1}, {"data_format", "channels_first"}}), {2, 4, 5}},
           2),
      with({"Normalization",
            dict({{"axis", list({1, 2})},
                  {"mean", list({1, 2, 3, 4})},
                  {"variance", list({4, 3, 2, 1})},
                  {"invert", true}}),
            {2, 3, 4}},
           -1),
      // With two inputs, differences of Minimum hit fewer kinks than with three.
      {"MelSpectrogram",
       dict({{"fft_length", 16},
             {"sequence_stride", 3},
             {"sequence_length", 12},
             {"window", "hamming"},
             {"num_mel_bins", 4},
             {"max_freq", 7000},
             {"power_to_db", false}}),
       {2, 30}},
      {"Minimum", {}, {2, 3, 4}, DType::kFloat32, {}, {{2, 3, 4}}},
      {"PReLU", dict({{"alpha_initializer", "ones"}, {"shared_axes", list({1})}}), {2, 3, 4}},
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
      {"Rescaling", dict({{"scale", list({1, 2, 3, 4})}, {"offset", -1}}), {2, 4}},
      {"Reshape", dict({{"target_shape", list({-1, 2})}}), {2, 3, 4}},
      {"ReversibleEmbedding",
       dict({{"input_dim", 5}, {"output_dim", 3}, {"tie_weights", false}, {"logit_soft_cap", 2}}),
       {2, 3},
       DType::kInt32},
      {"STFTSpectrogram",
       dict({{"mode", "psd"},
             {"frame_length", 6},
             {"frame_step", 2},
             {"fft_length", 9},
             {"window", "blackman"},
             {"periodic", true},
             {"scaling", "spectrum"},
             {"padding", "same"},
             {"expand_dims", true}}),
       {2, 9, 3}},
      {"SeparableConv1D",
       dict({{"filters", 3}, {"kernel_size", 2}, {"padding", "SAME"}, {"dilation_rate", 2}}),
       {2, 5, 4}},
      {"Sequential", dict({{"name", "stack"}, {"layers", list({dense, gru})}}), {2, 3, 4}},
      {"SimpleRNN", dict({{"units", 3}, {"activation", "relu"}, {"stateful", true}}), {2, 3, 4}},
      with({"Softmax", dict({{"axis", list({1, 2})}}), {2, 3, 4}}, 1, {2, 3, 4}),
      {"SpectralNormalization", dict({{"layer", dense}, {"power_iterations", 2}}), {2, 4}},
      {"StackedRNNCells",
       dict({{"cells", list({lstm_cell, gru_cell})}}),
       {2, 4},
       DType::kFloat32,
       {{2, 3}, {2, 3}, {2, 2}}},
      {"ThresholdedReLU", dict({{"theta", 0.5}}), {2, 4}},
      {"TimeDistributed", dict({{"layer", dense}}), {2, 3, 4}},
      with({"ZeroPadding1D", dict({{"padding", 2}, {"data_format", "channels_first"}}), {2, 3, 4}},
           2),
      {"UnitNormalization", dict({{"axis", 1}}), {2, 3, 4}},
  };
}

Shape recorded_shape(const Value& tensor) { return tensor_from(tensor).shape(); }

bool is_channels_first(const Dict& config) {
  const Value* format = config.find("data_format");
  return format != nullptr && text_of(*format) == "channels_first";
}

Dict settings_of(Layer& layer) {
  const Dict config = layer.get_config();
  Dict settings;
  for (const auto& [key, value] : config.entries()) {
    if (key != "name" && key != "trainable" && key != "dtype") settings[key] = value;
  }
  return settings;
}

// Returns the configuration and the shapes of a recorded call; nullopt if a LayerCase cannot
// express the call.
std::optional<LayerCase> case_from(const Value& recorded, const LayerClass& layer_class) {
  if (at(recorded, "expect").find("error") != nullptr) return std::nullopt;
  const LayerPtr layer = deserialize_layer(at(recorded, "layer"));
  if (is_channels_first(layer->get_config())) return std::nullopt;
  LayerCase result{layer_class.name, settings_of(*layer), {}};
  const List& inputs = at(recorded, "inputs").as_list("inputs");
  const Value& form = at(recorded, "arg");
  result.input = recorded_shape(inputs.front());
  result.dtype = tensor_from(inputs.front()).dtype();
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    if (form.is_list()) {
      result.named.emplace_back(form.as_list("arg")[i].as_string("arg"), recorded_shape(inputs[i]));
    } else {
      result.others.push_back(recorded_shape(inputs[i]));
    }
  }
  for (const auto& [key, value] : at(recorded, "call").as_dict("call").entries()) {
    if (key == "states") {
      for (const Value& state : value.as_list("states"))
        result.states.push_back(recorded_shape(state));
    } else if (key != "mask" && key != "training" && !value.is_null()) {
      return std::nullopt;
    }
  }
  return result;
}

// Returns the number of arguments and of settings that differ from the default.
std::size_t extent(const LayerCase& c, const LayerClass& layer_class) {
  Dict defaults;
  Fields fields = Fields::writing(defaults);
  layer_class.make()->describe(fields);
  const auto is_changed = [&](const Dict::Entry& setting) {
    const Value* usual = defaults.find(setting.key);
    return usual == nullptr || text_of(*usual) != text_of(setting.value);
  };
  const auto changed = std::ranges::count_if(c.config.entries(), is_changed);
  return static_cast<std::size_t>(changed) + c.others.size() + c.named.size() + c.states.size();
}

// Returns the recorded case with the most arguments and settings; nullopt for a class without
// recorded cases.
std::optional<LayerCase> recorded_case(const LayerClass& layer_class) {
  const std::string name = text("\"", layer_class.name, "\"");
  std::optional<LayerCase> best;
  std::size_t best_extent = 0;
  for (const std::string& family : fixture_names("layers")) {
    const std::string content = fixture_text("layers/" + family + ".json");
    if (content.find(name) == std::string::npos) continue;
    const Value fixture = parse_json(content);
    for (const Value& recorded : at(fixture, "cases").as_list("cases")) {
      const Value* layer = recorded.find("layer");
      if (layer == nullptr || at(*layer, "class_name").as_string("") != layer_class.name) continue;
      const std::optional<LayerCase> candidate = case_from(recorded, layer_class);
      if (!candidate) continue;
      const std::size_t candidate_extent = extent(*candidate, layer_class);
      if (best && candidate_extent <= best_extent) continue;
      best = candidate;
      best_extent = candidate_extent;
    }
  }
  return best;
}

std::vector<LayerCase> all_cases() {
  std::vector<LayerCase> cases = written_cases();
  for (const LayerClass* known : all_layer_classes()) {
    const auto is_written = [&](const LayerCase& c) { return c.class_name == known->name; };
    if (std::ranges::any_of(cases, is_written)) continue;
    if (std::optional<LayerCase> recorded = recorded_case(*known)) cases.push_back(*recorded);
  }
  return cases;
}

}  // namespace

const std::vector<LayerCase>& layer_cases() {
  static const std::vector<LayerCase> cases = all_cases();
  return cases;
}

std::vector<LayerCase> called_layer_cases() {
  std::vector<LayerCase> cases = layer_cases();
  std::erase_if(cases, [](const LayerCase& c) { return c.class_name == "InputLayer"; });
  LayerCase& batch = *std::ranges::find(cases, "BatchNormalization", &LayerCase::class_name);
  batch.config = {};
  batch.time_axis = 1;
  return cases;
}

LayerCase layer_case(std::string_view class_name) {
  const std::vector<LayerCase>& cases = layer_cases();
  const auto position = std::ranges::find(cases, class_name, &LayerCase::class_name);
  if (position == cases.end()) {
    throw std::invalid_argument(
        text(class_name, " has no case; record one in tests/fixtures/layers"));
  }
  return *position;
}

}  // namespace maskflow::test
