// SPDX-License-Identifier: MIT
// Functional configurations in Keras 3's form: a list of operations, each with its inbound nodes.
#include <algorithm>
#include <map>

#include "layers/input_layer.hpp"
#include "model/model.hpp"
#include "ops/op.hpp"

namespace maskflow {
namespace {

bool is_keras_tensor(const Value& value) {
  const Value* name = value.find("class_name");
  return name != nullptr && name->is_string() && name->as_string("") == "__keras_tensor__";
}

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> result(1);
  for (const char c : text) {
    if (c == ' ') {
      result.emplace_back();
    } else if (c != '*') {
      result.back() += c;
    }
  }
  if (result.back().empty()) result.pop_back();
  return result;
}

// --- writing ---------------------------------------------------------------------------------------

class Writer {
 public:
  explicit Writer(const Graph& graph) : graph_(graph) {
    std::map<std::string, int> used;
    std::map<const Operation*, int> counts;
    for (const auto& node : graph.nodes()) {
      const Operation* operation = node->operation.get();
      node_index_[node.get()] = counts[operation]++;
      // Ops have no names of their own; every op node is an operation of its own.
      if (operation->is_layer()) {
        names_[node.get()] = operation->name();
      } else {
        std::string base = operation->name();
        base[0] = static_cast<char>(base[0] | 0x20);
        const int count = used[base]++;
        names_[node.get()] = count == 0 ? base : text(base, "_", count);
        node_index_[node.get()] = 0;
      }
    }
  }

  List operations() {
    List result;
    std::vector<const Operation*> done;
    for (const auto& node : graph_.nodes()) {
      const Operation* operation = node->operation.get();
      if (operation->is_layer() && std::ranges::find(done, operation) != done.end()) continue;
      done.push_back(operation);
      result.push_back(operation->is_layer() ? layer_entry(*node) : op_entry(*node));
    }
    return result;
  }

  [[nodiscard]] Value history(const Tensor& symbol) const {
    const Node* node = symbol.origin()->node().get();
    return List{names_.at(node), node_index_.at(node), symbol.origin()->index()};
  }

 private:
  Value layer_entry(const Node& first) const {
    auto& layer = static_cast<Layer&>(*first.operation);
    Value serialized = serialize_layer(layer);
    Dict entry = serialized.as_dict("");
    entry["name"] = layer.name();
    List inbound;
    for (const auto& node : graph_.nodes()) {
      if (node->operation.get() == &layer && !node->args.inputs.empty()) {
        inbound.push_back(layer_call(layer, node->args));
      }
    }
    entry["inbound_nodes"] = inbound;
    return entry;
  }

  Value layer_call(const Layer& layer, const Args& args) const {
    Dict kwargs;
    for (const TensorArgument& argument : args.tensors) {
      kwargs[argument.name] =
          argument.list ? tensor_list(argument.values) : tensor(argument.values.front());
    }
    for (const Dict::Entry& option : args.options.entries()) kwargs[option.key] = option.value;
    if (args.training) kwargs["training"] = *args.training;
    if (args.mask) {
      List masks;
      for (const MaskPtr& mask : *args.mask)
        masks.push_back(mask ? tensor(mask->values()) : Value());
      kwargs["mask"] = args.list ? Value(masks) : masks.front();
    } else if (layer.takes_mask()) {
      kwargs["mask"] = nullptr;
    }
    Dict call;
    call["args"] = List{first_argument(args)};
    call["kwargs"] = kwargs;
    return call;
  }

  Value first_argument(const Args& args) const {
    if (args.keys.empty())
      return args.list ? tensor_list(args.inputs) : tensor(args.inputs.front());
    Dict result;
    for (std::size_t i = 0; i < args.keys.size(); ++i)
      result[args.keys[i]] = tensor(args.inputs[i]);
    return result;
  }

  Value op_entry(const Node& node) const {
    Dict config;
    config["name"] = names_.at(&node);
    for (const Dict::Entry& option : node.args.options.entries()) config[option.key] = option.value;
    List operands;
    for (const Tensor& operand : node.args.inputs) operands.push_back(tensor(operand));
    Dict call;
    call["args"] = node.args.list ? Value(List{Value(operands)}) : Value(operands);
    call["kwargs"] = Dict();
    Dict entry;
    entry["module"] = "keras.src.ops.numpy";
    entry["class_name"] = node.operation->class_name();
    entry["config"] = config;
    entry["registered_name"] = node.operation->class_name();
    entry["name"] = names_.at(&node);
    entry["inbound_nodes"] = List{call};
    return entry;
  }

  [[nodiscard]] Value tensor_list(const Tensors& tensors) const {
    List list;
    for (const Tensor& item : tensors) list.push_back(tensor(item));
    return list;
  }

  [[nodiscard]] Value tensor(const Tensor& value) const {
    if (!value.is_symbolic()) return constant(value);
    Dict config;
    config["shape"] = shape_value(value.shape());
    config["dtype"] = name_of(value.dtype());
    config["keras_history"] = history(value);
    Dict result;
    result["class_name"] = "__keras_tensor__";
    result["config"] = config;
    return result;
  }

  // Constants of the graph: a number, or nested lists of numbers.
  static Value constant(const Tensor& value) {
    std::size_t at = 0;
    return constant(value, 0, at);
  }
  static Value constant(const Tensor& value, int axis, std::size_t& at) {
    if (axis == value.rank()) {
      const std::size_t i = at++;
      if (value.dtype() == DType::kFloat32) return static_cast<double>(value.data<float>()[i]);
      if (value.dtype() == DType::kInt32) return static_cast<double>(value.data<std::int32_t>()[i]);
      return value.data<std::uint8_t>()[i] != 0;
    }
    List list;
    for (Dim i = 0; i < value.shape()[axis]; ++i) list.push_back(constant(value, axis + 1, at));
    return list;
  }

  const Graph& graph_;
  std::map<const Node*, std::string> names_;
  std::map<const Node*, int> node_index_;
};

// --- reading ---------------------------------------------------------------------------------------

class Reader {
 public:
  explicit Reader(const List& entries) {
    for (const Value& entry : entries) add_operation(entry);
    while (!pending_.empty()) {
      const std::size_t before = pending_.size();
      std::erase_if(pending_, [this](const Pending& call) {
        return ready(*call.call) && (apply(call), true);
      });
      if (pending_.size() == before) {
        config_error("the graph is not complete: '", pending_.front().name,
                     "' takes a tensor that nothing in the configuration makes");
      }
    }
  }

  [[nodiscard]] Tensor symbol(const Value& history) const {
    const List& parts = history.as_list("keras_history");
    const std::string& name = parts.at(0).as_string("keras_history");
    const auto found = outputs_.find(name);
    const auto node = static_cast<std::size_t>(parts.at(1).as_integer("node index"));
    const auto index = static_cast<std::size_t>(parts.at(2).as_integer("tensor index"));
    if (found == outputs_.end() || node >= found->second.size() ||
        index >= found->second[node].size()) {
      config_error("the configuration refers to output ", index, " of call ", node, " of '", name,
                   "', which does not exist");
    }
    return found->second[node][index];
  }

 private:
  struct Pending {
    std::string name;
    const Value* entry;
    const Value* call;
  };

  void add_operation(const Value& entry) {
    const Value* name = entry.find("name");
    if (name == nullptr) name = entry.find("config") ? entry.find("config")->find("name") : nullptr;
    if (name == nullptr) config_error("an operation of the graph has no name");
    const std::string& key = name->as_string("name");
    if (!is_op(entry)) {
      LayerPtr layer = deserialize_layer(entry);
      if (layer->name().empty()) layer->set_name(key);
      layers_[key] = layer;
      if (layer->class_name() == "InputLayer") {
        outputs_[key].push_back({std::static_pointer_cast<InputLayer>(layer)->symbol()});
        return;
      }
    }
    const Value* inbound = entry.find("inbound_nodes");
    if (inbound == nullptr) return;
    for (const Value& call : inbound->as_list("inbound_nodes"))
      pending_.push_back({key, &entry, &call});
  }

  static bool is_op(const Value& entry) {
    const Value* module = entry.find("module");
    return module != nullptr && module->is_string() &&
           module->as_string("").find(".ops") != std::string::npos;
  }

  // Are all tensors that a call takes there?
  [[nodiscard]] bool ready(const Value& value) const {
    if (is_keras_tensor(value)) {
      const Value* history = value.find("config")->find("keras_history");
      const List& parts = history->as_list("keras_history");
      const auto found = outputs_.find(parts.at(0).as_string("keras_history"));
      return found != outputs_.end() &&
             static_cast<std::size_t>(parts.at(1).as_integer("node index")) < found->second.size();
    }
    if (value.is_list()) {
      return std::ranges::all_of(value.as_list(""), [this](const Value& v) { return ready(v); });
    }
    if (value.is_dict()) {
      return std::ranges::all_of(value.as_dict("").entries(),
                                 [this](const Dict::Entry& e) { return ready(e.value); });
    }
    return true;
  }

  void apply(const Pending& call) {
    const Value* args = call.call->find("args");
    const Value* kwargs = call.call->find("kwargs");
    const List positional = args == nullptr ? List() : args->as_list("args");
    const Dict named = kwargs == nullptr ? Dict() : kwargs->as_dict("kwargs");
    const bool op = is_op(*call.entry);
    outputs_[call.name].push_back(op ? apply_op_entry(*call.entry, positional, named)
                                     : apply_layer(*layers_.at(call.name), positional, named));
  }

  Tensors apply_op_entry(const Value& entry, const List& positional, const Dict& named) const {
    const OpDef& op = find_op(entry.find("class_name")->as_string("class_name"));
    const std::vector<std::string> names = words(op.operands);
    const bool list = op.operands.ends_with('*');
    Tensors operands;
    Dict attributes;
    for (std::size_t i = 0; i < positional.size(); ++i) {
      if (i == 0 && list) {
        for (const Value& item : positional[i].as_list("args"))
          operands.push_back(tensor_or_constant(item));
      } else if (i < names.size()) {
        operands.push_back(tensor_or_constant(positional[i]));
      } else if (i - names.size() < op.attributes.size()) {
        attributes[op.attributes[i - names.size()].name] = positional[i];
      }
    }
    const Value* config = entry.find("config");
    for (const Dict* dict : {config == nullptr ? &named : &config->as_dict("config"), &named}) {
      for (const Dict::Entry& e : dict->entries()) {
        if (e.key == "name") continue;
        if (std::ranges::find(names, e.key) != names.end()) {
          operands.push_back(tensor_or_constant(e.value));
        } else if (std::ranges::any_of(op.attributes,
                                       [&](const OpAttribute& a) { return a.name == e.key; })) {
          attributes[e.key] = e.value;
        }
      }
    }
    return apply_op(op.name, operands, attributes);
  }

  Tensors apply_layer(Layer& layer, const List& positional, const Dict& named) const {
    Args args;
    if (!positional.empty()) set_first(args, positional.front());
    for (std::size_t i = 1; i < positional.size(); ++i) {
      if (positional[i].is_null()) continue;
      add_tensors(args, argument_name(layer, i), positional[i]);
    }
    for (const Dict::Entry& e : named.entries()) {
      if (e.value.is_null()) continue;
      if (e.key == "mask") {
        args.mask = masks(e.value);
      } else if (e.key == "training") {
        // Recorded defaults (false) freeze nothing: the model's own training replaces them.
        args.training = e.value.as_bool("training");
      } else if (args.inputs.empty()) {
        set_first(args, e.value);
      } else if (holds_tensor(e.value)) {
        add_tensors(args, e.key, e.value);
      } else {
        args.options[e.key] = e.value;
      }
    }
    return layer.run(std::move(args));
  }

  static bool holds_tensor(const Value& value) {
    if (is_keras_tensor(value)) return true;
    return value.is_list() && std::ranges::any_of(value.as_list(""), holds_tensor);
  }

  static std::string argument_name(const Layer& layer, std::size_t position) {
    for (const LayerClass* known : all_layer_classes()) {
      if (known->name == layer.class_name() && position < known->arguments.size()) {
        return std::string(known->arguments[position]);
      }
    }
    config_error("'", layer.name(), "' was called with ", position + 1,
                 " positional arguments; only tensors of known arguments can be");
  }

  void set_first(Args& args, const Value& value) const {
    if (value.is_list() && !is_keras_tensor(value)) {
      args.list = true;
      for (const Value& item : value.as_list("args"))
        args.inputs.push_back(tensor_or_constant(item));
    } else if (value.is_dict() && !is_keras_tensor(value)) {
      for (const Dict::Entry& e : value.as_dict("args").entries()) {
        args.keys.push_back(e.key);
        args.inputs.push_back(tensor_or_constant(e.value));
      }
    } else {
      args.inputs.push_back(tensor_or_constant(value));
    }
  }

  void add_tensors(Args& args, std::string name, const Value& value) const {
    TensorArgument argument{std::move(name), {}, value.is_list()};
    if (value.is_list()) {
      for (const Value& item : value.as_list("kwargs"))
        argument.values.push_back(tensor_or_constant(item));
    } else {
      argument.values.push_back(tensor_or_constant(value));
    }
    args.tensors.push_back(std::move(argument));
  }

  [[nodiscard]] Masks masks(const Value& value) const {
    Masks result;
    if (is_keras_tensor(value) || !value.is_list()) return {make_mask(tensor_or_constant(value))};
    for (const Value& item : value.as_list("mask")) {
      result.push_back(item.is_null() ? nullptr : make_mask(tensor_or_constant(item)));
    }
    return result;
  }

  [[nodiscard]] Tensor tensor_or_constant(const Value& value) const {
    if (is_keras_tensor(value)) return symbol(*value.find("config")->find("keras_history"));
    Shape shape;
    std::vector<double> numbers;
    bool whole = true;
    flatten(value, 0, shape, numbers, whole);
    Tensor result(whole ? DType::kInt32 : DType::kFloat32, shape);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (whole) {
        result.mutable_data<std::int32_t>()[i] = static_cast<std::int32_t>(numbers[i]);
      } else {
        result.mutable_data<float>()[i] = static_cast<float>(numbers[i]);
      }
    }
    return result;
  }

  static void flatten(const Value& value, int axis, Shape& shape, std::vector<double>& out,
                      bool& whole) {
    if (value.is_list()) {
      const List& items = value.as_list("");
      if (axis == shape.rank()) shape.push_back(static_cast<Dim>(items.size()));
      if (shape[axis] != static_cast<Dim>(items.size()))
        config_error("a constant of the graph is ragged");
      for (const Value& item : items) flatten(item, axis + 1, shape, out, whole);
      return;
    }
    const double x = value.is_bool() ? (value.as_bool("") ? 1 : 0) : value.as_number("constant");
    whole = whole && x == static_cast<double>(static_cast<std::int64_t>(x)) && x < 2147483648.0 &&
            x >= -2147483648.0;
    out.push_back(x);
  }

  std::map<std::string, LayerPtr> layers_;
  std::map<std::string, std::vector<Tensors>> outputs_;  // operation -> call -> results
  std::vector<Pending> pending_;
};

Structure read_structure(const Reader& reader, const Value& value) {
  Structure result;
  if (value.is_dict()) {
    for (const Dict::Entry& e : value.as_dict("").entries()) {
      result.keys.push_back(e.key);
      result.tensors.push_back(reader.symbol(e.value));
    }
    return result;
  }
  const List& list = value.as_list("input_layers");
  if (list.empty()) config_error("a model needs at least one input and one output");
  if (list.front().is_string()) {
    result.tensors.push_back(reader.symbol(value));
    return result;
  }
  result.list = true;
  for (const Value& item : list) result.tensors.push_back(reader.symbol(item));
  return result;
}

Value write_structure(const Writer& writer, const Structure& structure) {
  if (!structure.keys.empty()) {
    Dict dict;
    for (std::size_t i = 0; i < structure.keys.size(); ++i) {
      dict[structure.keys[i]] = writer.history(structure.tensors[i]);
    }
    return dict;
  }
  if (!structure.list) return writer.history(structure.tensors.front());
  List list;
  for (const Tensor& tensor : structure.tensors) list.push_back(writer.history(tensor));
  return list;
}

}  // namespace

Dict functional_config(const Graph& graph, const Structure& inputs, const Structure& outputs) {
  Writer writer(graph);
  Dict config;
  config["layers"] = writer.operations();
  config["input_layers"] = write_structure(writer, inputs);
  config["output_layers"] = write_structure(writer, outputs);
  return config;
}

FunctionalParts functional_from_config(const Dict& config) {
  const Value* layers = config.find("layers");
  const Value* inputs = config.find("input_layers");
  const Value* outputs = config.find("output_layers");
  if (layers == nullptr || inputs == nullptr || outputs == nullptr) {
    config_error("a Functional configuration needs layers, input_layers and output_layers");
  }
  const Reader reader(layers->as_list("layers"));
  return {read_structure(reader, *inputs), read_structure(reader, *outputs)};
}

}  // namespace maskflow
