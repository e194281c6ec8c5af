// SPDX-License-Identifier: MIT
// Reads Functional configurations that functional_writer.cpp or Keras 3 wrote.
#include <algorithm>

#include "base/depth.hpp"
#include "base/index.hpp"
#include "base/memory.hpp"
#include "base/merge_sort.hpp"
#include "layers/core/input_layer.hpp"
#include "model/model.hpp"
#include "ops/constant.hpp"
#include "ops/op.hpp"

namespace maskflow {
namespace {

bool is_keras_tensor(const Value& value) {
  const Value* name = value.find("class_name");
  return name != nullptr && name->is_string() && name->as_string("") == "__keras_tensor__";
}

// The origin of a tensor: output `index` of call `node` of an operation. Configurations write
// [name, node, index].
struct History {
  std::string name;
  std::size_t node;
  std::size_t index;
};

History history_from(const Value& value) {
  const List& parts = value.as_list("keras_history");
  if (parts.size() < 3)
    config_error("a keras_history is [name, call, output], but this is ", value);
  return {parts[0].as_string("keras_history"),
          static_cast<std::size_t>(parts[1].as_integer("node index")),
          static_cast<std::size_t>(parts[2].as_integer("tensor index"))};
}

History history_of(const Value& keras_tensor) {
  const Value* config = keras_tensor.find("config");
  const Value* history = config == nullptr ? nullptr : config->find("keras_history");
  if (history == nullptr) config_error("a tensor of the graph has no keras_history");
  return history_from(*history);
}

bool holds_tensor(const Value& value) {
  if (is_keras_tensor(value) || is_constant(value)) return true;
  if (value.is_list()) return std::ranges::any_of(value.as_list(""), holds_tensor);
  return value.is_dict() && std::ranges::any_of(value.as_dict("").entries(), [](const auto& e) {
           return holds_tensor(e.value);
         });
}

// Returns the entries in the order of their keys, as Python sorts named arguments.
std::vector<const Dict::Entry*> sorted_entries(const Dict& dict) {
  std::vector<const Dict::Entry*> entries;
  for (const std::int32_t position :
       sorted_positions(dict.entries().size(), [&](std::int32_t a, std::int32_t b) {
         return dict.entries()[at(a)].key < dict.entries()[at(b)].key;
       }))
    entries.push_back(&dict.entries()[at(position)]);
  return entries;
}

// Calls f(path, leaf) for each leaf of nested lists and dictionaries, in the order in which Keras
// flattens them.
void for_each_leaf(const Value& value, const std::string& path,
                   FunctionRef<bool(const Value&)> is_leaf,
                   FunctionRef<void(const std::string& path, const Value&)> f) {
  const Depth depth;
  if (is_leaf(value)) {
    f(path, value);
    return;
  }
  const auto enter = [&](const std::string& key, const Value& part) {
    for_each_leaf(part, path.empty() ? key : text(path, kPathJoin, key), is_leaf, f);
  };
  if (value.is_dict()) {
    for (const Dict::Entry* e : sorted_entries(value.as_dict(""))) enter(e->key, e->value);
    return;
  }
  const List& list = value.as_list("a structure of tensors");
  for (std::size_t i = 0; i < list.size(); ++i) enter(text(i), list[i]);
}

// Removes the keys of a single tensor or a plain list, which need none.
void drop_positions(bool list, std::vector<std::string>& keys) {
  if ((list && !has_paths(keys)) || (keys.size() == 1 && keys.front().empty())) keys.clear();
}

class Reader {
 public:
  explicit Reader(const List& entries) {
    for (const Value& entry : entries) add_operation(entry);
    while (!pending_.empty()) {
      const std::size_t before = pending_.size();
      std::erase_if(pending_, [this](const Pending& call) {
        // The calls of an operation keep their order, because the configuration numbers them.
        return built_[call.operation].calls.size() == call.number && ready(*call.call) &&
               (apply(call), true);
      });
      if (pending_.size() == before) {
        config_error("the graph is not complete: '", built_[pending_.front().operation].name,
                     "' uses a tensor that nothing in the configuration produces");
      }
    }
  }

  [[nodiscard]] Tensor symbol(const History& history) const {
    const auto& [name, node, index] = history;
    const Built* const operation = find(name);
    if (operation == nullptr || node >= operation->calls.size() ||
        index >= operation->calls[node].size()) {
      config_error("the configuration refers to output ", index, " of call ", node, " of '", name,
                   "', which does not exist");
    }
    return operation->calls[node][index];
  }

  // Returns an input or output of the model. Only there, Keras counts the calls of a Functional
  // model from 1, because node 0 is its own construction.
  [[nodiscard]] Tensor boundary(const Value& value) const {
    History history = history_from(value);
    const Built* const operation = find(history.name);
    if (operation != nullptr && operation->layer != nullptr && history.node > 0 &&
        operation->layer->class_name() == "Functional") {
      --history.node;
    }
    return symbol(history);
  }

 private:
  // An operation of the list, with the results of its calls so far.
  struct Built {
    std::string name;
    const Value* entry;
    LayerPtr layer;  // Null for an op.
    std::vector<Tensors> calls;
  };
  struct Pending {
    std::size_t operation;  // in built_
    std::size_t number;     // Number among the calls of the operation.
    const Value* call;
  };

  [[nodiscard]] const Built* find(std::string_view name) const {
    const auto position = std::ranges::find(built_, name, &Built::name);
    return position == built_.end() ? nullptr : &*position;
  }

  void add_operation(const Value& entry) {
    const Value* name = entry.find("name");
    if (name == nullptr) name = entry.find("config") ? entry.find("config")->find("name") : nullptr;
    if (name == nullptr) config_error("an operation of the graph has no name");
    const std::string& key = name->as_string("name");
    Built& operation = built_.emplace_back(Built{key, &entry, nullptr, {}});
    if (!is_op(entry)) {
      LayerPtr layer = deserialize_layer(entry);
      if (layer->name().empty()) layer->set_name(key);
      operation.layer = layer;
      if (InputLayer* const input = layer->as_input_layer()) {
        operation.calls.push_back({input->symbol()});
        return;
      }
    }
    const Value* inbound = entry.find("inbound_nodes");
    if (inbound == nullptr) return;
    std::size_t number = 0;
    for (const Value& call : inbound->as_list("inbound_nodes"))
      pending_.push_back({built_.size() - 1, number++, &call});
  }

  static bool is_op(const Value& entry) {
    const Value* module = entry.find("module");
    return module != nullptr && module->is_string() &&
           module->as_string("").find(".ops") != std::string::npos;
  }

  // True if all tensors among the arguments of a call have been built.
  [[nodiscard]] bool ready(const Value& value) const {
    if (is_keras_tensor(value)) {
      const History history = history_of(value);
      const Built* const operation = find(history.name);
      return operation != nullptr && history.node < operation->calls.size();
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
    Built& operation = built_[call.operation];
    operation.calls.push_back(operation.layer == nullptr
                                  ? apply_op_entry(*operation.entry, positional, named)
                                  : apply_layer(*operation.layer, positional, named));
  }

  // Applies an op. Without symbolic operands it is computed at once, within a limit, because a few
  // bytes of a file may request large values.
  Tensors compute(const OpDef& op, const Tensors& operands, const Dict& attributes) {
    if (std::ranges::any_of(operands, &Tensor::is_symbolic)) {
      return apply_op(op.name, operands, attributes);
    }
    const MemoryRoom room(room_for_values_,
                          "the operations of a file may compute 256 MiB of values");
    Tensors results = apply_op(op.name, operands, attributes);
    for (const Tensor& result : results) {
      room_for_values_ -= std::min<std::uint64_t>(room_for_values_, result.bytes());
    }
    return results;
  }

  // Keras also writes arguments that were not passed, as null or false.
  static bool is_absent(const Value& argument) {
    return argument.is_null() || (argument.is_bool() && !argument.as_bool(""));
  }

  Tensors apply_op_entry(const Value& entry, const List& positional, const Dict& named) {
    const Value* class_name = entry.find("class_name");
    if (class_name == nullptr) config_error("an operation of the graph has no class_name");
    const OpDef& op = find_op(class_name->as_string("class_name"));
    const std::vector<std::string> names = operand_names(op);
    const bool list = op.operands.ends_with('*');
    Tensors operands;
    Dict attributes;
    for (std::size_t i = 0; i < positional.size(); ++i) {
      if (list && (is_keras_tensor(positional[i]) || is_constant(positional[i]))) {
        // The operands are further arguments, as in einsum(…, a, b).
        operands.push_back(operand_from(positional[i]));
      } else if (list && (i == 0 || positional[i].is_list())) {
        for (const Value& item : positional[i].as_list("args"))
          operands.push_back(operand_from(item));
      } else if (i < names.size() || (list && op.attributes.empty())) {
        operands.push_back(operand_from(positional[i]));
      } else if (i - names.size() < op.attributes.size()) {
        attributes[op.attributes[i - names.size()].name] = plain_constant(positional[i]);
      } else if (!positional[i].is_null()) {
        config_error(op.name, " has ", names.size() + op.attributes.size(),
                     " arguments, but the graph passes ", positional.size());
      }
    }
    const Value* config = entry.find("config");
    for (const Dict* dict : {config == nullptr ? &named : &config->as_dict("config"), &named}) {
      for (const Dict::Entry& e : dict->entries()) {
        if (e.key == "name") continue;
        const auto operand = std::ranges::find(names, e.key);
        if (operand != names.end()) {
          const auto position = static_cast<std::size_t>(operand - names.begin());
          operands.resize(std::max(operands.size(), position + 1));
          operands[position] = operand_from(e.value);
        } else if (std::ranges::find(op.attributes, e.key, &OpAttribute::name) !=
                       op.attributes.end() ||
                   !is_absent(e.value)) {
          // The op refuses an unknown attribute. Ignoring it would change the numbers silently.
          attributes[e.key] = plain_constant(e.value);
        }
      }
    }
    return compute(op, operands, attributes);
  }

  Tensors apply_layer(Layer& layer, const List& positional, const Dict& named) const {
    // Options of built-in layers are never lists, so a list is a constant tensor.
    const bool native = layer.kind() != "js";
    Args args;
    if (!positional.empty()) set_first(args, positional.front());
    for (std::size_t i = 1; i < positional.size(); ++i) {
      if (positional[i].is_null()) continue;
      add_tensors(args, argument_name(layer, i), positional[i]);
    }
    for (const Dict::Entry* const entry : sorted_entries(named)) {
      const Dict::Entry& e = *entry;
      if (e.value.is_null()) continue;
      if (e.key == "mask") {
        args.mask = masks(args, e.value);
      } else if (e.key == "training") {
        // Until Keras 3.15, files also contain the default, false.
        args.training = e.value.as_bool("training");
      } else if (args.inputs.empty()) {
        set_first(args, e.value);
      } else if (holds_tensor(e.value) || (e.value.is_list() && native)) {
        add_tensors(args, e.key, e.value);
      } else {
        args.options.append(e.key, e.value);
      }
    }
    return layer.apply(std::move(args));
  }

  static std::string argument_name(const Layer& layer, std::size_t position) {
    const LayerClass* const known = find_layer_class(layer.class_name());
    const std::vector<std::string> names = words(known == nullptr ? "" : known->facts.arguments);
    if (position < names.size()) return names[position];
    config_error("'", layer.name(), "' was called with ", position + 1,
                 " positional arguments; pass all but the tensors by name");
  }

  // Calls f for the tensors, constants and nulls of an argument.
  static void for_each_item(const Value& argument,
                            FunctionRef<void(const std::string& path, const Value&)> f) {
    const auto is_item = [&](const Value& part) {
      if (is_keras_tensor(part) || is_constant(part)) return true;
      return &part == &argument ? !part.is_list() && !part.is_dict() : !holds_tensor(part);
    };
    for_each_leaf(argument, "", is_item, f);
  }

  void set_first(Args& args, const Value& value) const {
    args.list = value.is_list();
    for_each_item(value, [&](const std::string& path, const Value& item) {
      args.keys.push_back(path);
      args.inputs.push_back(tensor_or_constant(item));
    });
    drop_positions(value.is_list(), args.keys);
  }

  void add_tensors(Args& args, std::string name, const Value& value) const {
    TensorArgument argument{std::move(name), {}, value.is_list() && holds_tensor(value)};
    if (argument.list) {
      for (const Value& item : value.as_list("kwargs"))
        argument.values.push_back(tensor_or_constant(item));
    } else {
      argument.values.push_back(tensor_or_constant(value));
    }
    args.tensors.push_back(std::move(argument));
  }

  // Reads the masks of a call. {"class_name": "__attached_mask__", "config": tensor} is the mask of
  // the tensor: Keras 2 filled it in, but Keras 3 does not beside other tensor arguments.
  [[nodiscard]] Masks masks(const Args& args, const Value& value) const {
    Masks result;
    const Value* kind = value.find("class_name");
    if (kind != nullptr && kind->is_string() && kind->as_string("") == "__attached_mask__") {
      const Value* tensor = value.find("config");
      if (tensor == nullptr || !is_keras_tensor(*tensor))
        config_error("an __attached_mask__ needs a tensor, but this is ", value);
      return {symbol(history_of(*tensor)).mask()};
    }
    const auto add = [&](const Value& item) {
      result.push_back(item.is_null() ? nullptr : make_mask(tensor_or_constant(item)));
    };
    if (!args.keys.empty() && (value.is_dict() || value.is_list())) {
      result.resize(args.keys.size());
      for_each_item(value, [&](const std::string& path, const Value& item) {
        const auto position = std::ranges::find(args.keys, path);
        if (position == args.keys.end() || item.is_null()) return;
        result[static_cast<std::size_t>(position - args.keys.begin())] =
            make_mask(tensor_or_constant(item));
      });
    } else if (args.list && value.is_list()) {
      std::ranges::for_each(value.as_list("mask"), add);
    } else {
      add(value);
    }
    return result;
  }

  // Returns an empty handle for an optional tensor that was not passed.
  [[nodiscard]] Tensor operand_from(const Value& value) const {
    return value.is_null() ? Tensor() : tensor_or_constant(value);
  }
  [[nodiscard]] Tensor tensor_or_constant(const Value& value) const {
    return is_keras_tensor(value) ? symbol(history_of(value)) : constant_from(value);
  }

  std::uint64_t room_for_values_ = std::uint64_t{256} << 20;
  std::vector<Built> built_;
  std::vector<Pending> pending_;
};

Structure read_structure(const Reader& reader, const Value& value) {
  const auto is_history = [](const Value& part) {
    return part.is_list() && !part.as_list("").empty() && part.as_list("").front().is_string();
  };
  Structure result;
  for_each_leaf(value, "", is_history, [&](const std::string& path, const Value& history) {
    result.keys.push_back(path);
    result.tensors.push_back(reader.boundary(history));
  });
  if (result.tensors.empty()) config_error("a model needs at least one input and one output");
  const bool list = value.is_list() && !is_history(value);
  result.list = list || (value.is_dict() && std::ranges::is_sorted(value.as_dict("").entries(), {},
                                                                   &Dict::Entry::key));
  drop_positions(list, result.keys);
  return result;
}

}  // namespace

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
