// SPDX-License-Identifier: MIT
#include "support/fixtures.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "ops/op.hpp"
#include "support/json.hpp"
#include "support/layers.hpp"

namespace maskflow::test {
namespace {

std::vector<std::byte> decode_base64(const std::string& text) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<std::byte> bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    const std::size_t digit = kAlphabet.find(c);
    if (digit == std::string_view::npos) throw std::runtime_error("the fixture is not base64");
    bits = (bits << 6U) | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes.push_back(static_cast<std::byte>((bits >> static_cast<unsigned>(count)) & 0xffU));
    }
  }
  return bytes;
}

MaskPtr mask_from(const Value& recorded) { return make_mask(tensor_from(recorded)); }

Tensors tensors_from(const Value& recorded) {
  if (!recorded.is_list()) return {tensor_from(recorded)};
  Tensors result;
  for (const Value& item : recorded.as_list("")) result.push_back(tensor_from(item));
  return result;
}

bool holds_tensors(const Value& value) {
  if (!value.is_list()) return value.find("data") != nullptr;
  const List& items = value.as_list("");
  return !items.empty() && items.front().find("data") != nullptr;
}

Masks masks_from(const Value& recorded) {
  if (!recorded.is_list()) return {mask_from(recorded)};
  Masks result;
  for (const Value& item : recorded.as_list("")) result.push_back(mask_from(item));
  return result;
}

Args args_of(const Value& recorded) {
  Args args;
  const List& inputs = at(recorded, "inputs").as_list("inputs");
  const List& masks = at(recorded, "masks").as_list("masks");
  const Value& form = at(recorded, "arg");
  args.list = form.is_string() && form.as_string("arg") == "list";
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Tensor input = tensor_from(inputs[i]).with_mask(mask_from(masks.at(i)));
    if (form.is_list() && i > 0) {
      args.tensors.push_back({form.as_list("arg")[i].as_string("arg"), {input}, false});
    } else {
      args.inputs.push_back(input);
    }
  }
  for (const auto& [key, value] : at(recorded, "call").as_dict("call").entries()) {
    if (value.is_null()) continue;
    if (key == "mask") {
      args.mask = masks_from(value);
    } else if (key == "training") {
      args.training = value.as_bool("training");
    } else if (holds_tensors(value)) {
      args.tensors.push_back({key, tensors_from(value), value.is_list()});
    } else {
      args.options[key] = value;
    }
  }
  return args;
}

void set_weights(Layer& layer, const Value& recorded) {
  std::vector<Shape> shapes;
  for (const Value& input : at(recorded, "inputs").as_list("inputs")) {
    shapes.push_back(tensor_from(input).shape());
  }
  layer.ensure_name();
  layer.build_once(shapes);
  layer.set_weights(tensors_from(at(recorded, "weights")));
}

bool must_fail(const Value& recorded) { return at(recorded, "expect").find("error") != nullptr; }

// Returns the expected mask: that of the case or of another mask rule. "input.mask" and "call.mask"
// refer to the masks of the arguments.
MaskPtr expected_mask(const Value& recorded, const Value& mask) {
  if (!mask.is_string()) return mask_from(mask);
  if (mask.as_string("") == "input.mask") return mask_from(at(recorded, "masks").as_list("")[0]);
  return mask_from(at(at(recorded, "call"), "mask"));
}

// Compares the weights after the call, which cases contain whose call changes weights.
std::string compare_weights(const Value& recorded, const Tensors& weights) {
  const Value* after = at(recorded, "expect").find("weights_after");
  if (after == nullptr) return "";
  const Tensors expected = tensors_from(*after);
  if (weights.size() != expected.size()) {
    return text(weights.size(), " weights instead of ", expected.size());
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const std::string problem = difference(weights[i], expected[i], {1e-5, 1e-6});
    if (!problem.empty()) return text("weight ", i, " after the call ", problem);
  }
  return "";
}

// Keras also warns of masks that are used: GroupQueryAttention uses those that its inner layers
// drop, a layer that uses its mask and returns no steps has none to return, and a layer inside may
// have attached it to the result.
bool warns_in_vain(const Value& recorded, const Outcome& outcome) {
  const std::string& name = at(at(recorded, "layer"), "class_name").as_string("class_name");
  if (name == "GroupQueryAttention") return true;
  if (!outcome.outputs.empty() && outcome.outputs.front().mask()) return true;
  const bool keeps_nothing = name == "Flatten" || name == "GlobalMaxPooling1D";
  const Value& input = at(recorded, "inputs").as_list("inputs").front();
  const auto rank = std::ssize(at(input, "shape").as_list("shape"));
  return !keeps_nothing && !outcome.outputs.empty() && outcome.outputs.front().rank() < rank;
}

std::string compare(const Value& recorded, const Value* changed, const Outcome& outcome) {
  const Value& expect = at(recorded, "expect");
  const List& outputs = at(expect, "outputs").as_list("outputs");
  const Value& masked = changed == nullptr ? expect : *changed;
  const List& masks = at(masked, "masks").as_list("masks");
  if (outcome.outputs.size() != outputs.size()) {
    return text(outcome.outputs.size(), " outputs instead of ", outputs.size());
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const Tensor& output = outcome.outputs[i];
    const std::string problem = difference(output, tensor_from(outputs[i]), {1e-5, 1e-6});
    if (!problem.empty()) return text("output ", i, " ", problem);
    const MaskPtr mask = i < masks.size() ? expected_mask(recorded, masks[i]) : nullptr;
    const auto same = same_mask(output.mask(), mask);
    if (!same) return text("mask of output ", i, ": ", same.message());
  }
  const bool warned = !outcome.warnings.empty();
  if (warned != at(masked, "warns_mask_destroyed").as_bool("") &&
      (warned || !warns_in_vain(recorded, outcome))) {
    return warned ? "warned of a dropped mask" : "did not warn of the dropped mask";
  }
  return compare_weights(recorded, outcome.weights);
}

// Returns the name of the op of an activation function: hard_swish becomes HardSilu.
std::string op_name(std::string fn) {
  if (fn == "exponential") fn = "exp";
  if (fn == "swish") fn = "silu";
  if (fn == "hard_swish") fn = "hard_silu";
  std::string name;
  bool upper = true;
  for (const char c : fn) {
    if (c != '_') name += upper ? static_cast<char>(std::toupper(c)) : c;
    upper = c == '_';
  }
  return name;
}

}  // namespace

const Value& at(const Value& value, std::string_view key) {
  const Value* item = value.find(key);
  if (item == nullptr) throw std::runtime_error(text("the fixture has no '", key, "'"));
  return *item;
}

std::vector<std::string> fixture_names(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(MASKFLOW_FIXTURES "/" + folder)) {
    if (file.path().extension() == ".json") names.push_back(file.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

std::string fixture_text(const std::string& path) {
  std::ifstream file(MASKFLOW_FIXTURES "/" + path, std::ios::binary);
  if (!file) throw std::runtime_error("no fixture " + path);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

Value read_fixture(const std::string& path) { return parse_json(fixture_text(path)); }

Tensor tensor_from(const Value& recorded) {
  if (recorded.is_null()) return {};
  Shape shape;
  for (const Value& dim : at(recorded, "shape").as_list("shape")) {
    shape.push_back(dim.as_integer("shape"));
  }
  Tensor result(dtype_of(at(recorded, "dtype").as_string("dtype")), shape);
  const std::vector<std::byte> bytes = decode_base64(at(recorded, "data").as_string("data"));
  if (bytes.size() != result.bytes())
    throw std::runtime_error("the data of the fixture is truncated");
  if (!bytes.empty()) std::memcpy(result.mutable_raw(), bytes.data(), bytes.size());
  return result;
}

Outcome run_case(const Value& recorded, MaskPropagation rule) {
  const Scope scope(rule);
  const LayerPtr layer = deserialize_layer(at(recorded, "layer"));
  if (!must_fail(recorded) || !at(recorded, "weights").as_list("weights").empty()) {
    set_weights(*layer, recorded);
  }
  const Value* repeat = recorded.find("repeat");
  Outcome outcome;
  for (std::int64_t n = repeat == nullptr ? 1 : repeat->as_integer("repeat"); n > 0; --n) {
    outcome.outputs = layer->apply(args_of(recorded));
  }
  outcome.warnings = scope.warnings();
  for (const Layer::Weight& weight : layer->weights()) {
    outcome.weights.push_back(weight.variable->value());
  }
  return outcome;
}

std::string check_case(const Value& recorded, const Value* changed, MaskPropagation rule) {
  try {
    const Outcome outcome = run_case(recorded, rule);
    return must_fail(recorded) ? "should have failed" : compare(recorded, changed, outcome);
  } catch (const Error& error) {
    return must_fail(recorded) ? "" : error.what();
  }
}

std::string check_activation(const Value& recorded) {
  const std::string& fn = at(recorded, "fn").as_string("fn");
  const Dict& kwargs = at(recorded, "kwargs").as_dict("kwargs");
  const Tensor x = tensor_from(at(recorded, "x"));
  const Tensor expected = tensor_from(at(recorded, "y"));
  std::string problem;
  if (kwargs.entries().empty()) {
    const LayerPtr layer = make("Activation", {{"activation", fn}});
    problem = difference((*layer)(x), expected, {1e-5, 1e-6});
  }
  if (!problem.empty() || fn == "linear") return problem;
  return difference(apply_op(op_name(fn), std::array{x}, kwargs).front(), expected, {1e-5, 1e-6});
}

}  // namespace maskflow::test
