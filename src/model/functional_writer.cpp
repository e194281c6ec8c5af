// SPDX-License-Identifier: MIT
// Functional configurations in Keras 3's form: a list of operations, each with its inbound nodes.
#include <algorithm>

#include "base/function_ref.hpp"
#include "base/index.hpp"
#include "base/merge_sort.hpp"
#include "layers/core/input_layer.hpp"
#include "model/model.hpp"
#include "ops/constant.hpp"
#include "ops/op.hpp"

namespace maskflow {
namespace {

using WriteItem = FunctionRef<Value(std::size_t)>;

// Writes the items from `from` to `to`, whose keys have the same first `start` characters.
Value write_part(const std::vector<std::string>& keys, std::size_t from, std::size_t to,
                 std::size_t start, bool nested, WriteItem item) {
  if (start > keys[from].size()) return item(from);
  Dict dict;
  List list;
  while (from < to) {
    const std::size_t end = std::min(keys[from].find(kPathJoin, start), keys[from].size());
    const std::string part = keys[from].substr(0, end);
    std::size_t next = from + 1;
    while (end < keys[from].size() && next < to && keys[next].starts_with(text(part, kPathJoin)))
      ++next;
    const Value value = write_part(keys, from, next, end + kPathJoin.size(), true, item);
    const std::string key = part.substr(start);
    if (key == text(list.size())) list.push_back(value);
    dict[key] = value;
    from = next;
  }
  if (nested && list.size() == dict.entries().size()) return list;
  return dict;
}

// Writes one item, a list, or the structure that the keys describe.
Value write_grouped(const std::vector<std::string>& keys, bool is_list, std::size_t count,
                    WriteItem item) {
  if (!keys.empty()) {
    return write_part(keys, 0, keys.size(), 0, has_paths(keys), item);
  }
  if (!is_list) return item(0);
  List list;
  for (std::size_t i = 0; i < count; ++i) list.push_back(item(i));
  return list;
}

class Writer {
 public:
  // As in Keras, calls are numbered and ops are named in the order of their creation.
  explicit Writer(const Graph& graph) : graph_(graph) {
    const auto& nodes = graph.nodes();
    const auto sort = [&](auto less) {
      return sorted_positions(nodes.size(), [&](std::int32_t a, std::int32_t b) {
        return less(*nodes[at(a)], *nodes[at(b)]);
      });
    };
    for (const std::int32_t i : sort([](const Node& a, const Node& b) { return a.id < b.id; }))
      nodes_.push_back(nodes[at(i)]);
    by_operation_ = sorted_positions(nodes_.size(), [&](std::int32_t a, std::int32_t b) {
      return operation_of(a) < operation_of(b);
    });
    for (const std::int32_t i : sort([](const Node& a, const Node& b) {
           return a.operation->name() < b.operation->name();
         }))
      taken_.push_back(nodes[at(i)]->operation->name());
    const std::vector<int> earlier = earlier_calls();
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const Operation& operation = *nodes_[i]->operation;
      // Ops have no names, and every op node is a separate operation.
      calls_.push_back(operation.is_layer() ? Call{operation.name(), earlier[i]}
                                            : Call{unused_name(operation.name()), 0});
    }
  }

  List operations() {
    List result;
    for (const auto& operation : graph_.operations()) {
      const Node& first = *nodes_[at(*first_call(operation.get()))];
      result.push_back(operation->is_layer() ? layer_entry(first) : op_entry(first));
    }
    return result;
  }

  [[nodiscard]] Value history(const Tensor& symbol, int first = 0) const {
    const Call& call = call_of(*symbol.origin()->node());
    return List{call.operation, call.index + first, symbol.origin()->index()};
  }

  // Writes an input or output of the model. Only there, Keras counts the calls of a Functional
  // model from 1.
  [[nodiscard]] Value boundary(const Tensor& symbol) const {
    const std::string class_name = symbol.origin()->node()->operation->class_name();
    return history(symbol, class_name == "Functional" ? 1 : 0);
  }

 private:
  struct Call {
    std::string operation;
    int index;  // Number among the calls of this operation.
  };
  [[nodiscard]] const Call& call_of(const Node& node) const {
    const auto position =
        std::ranges::lower_bound(nodes_, node.id, {}, [](const auto& known) { return known->id; });
    return calls_.at(static_cast<std::size_t>(position - nodes_.begin()));
  }
  [[nodiscard]] const Operation* operation_of(std::int32_t node) const {
    return nodes_[at(node)]->operation.get();
  }
  // Calls are found by binary search: graphs have tens of thousands of them.
  [[nodiscard]] const std::int32_t* first_call(const Operation* operation) const {
    const auto position = std::ranges::lower_bound(
        by_operation_, operation, {}, [&](std::int32_t node) { return operation_of(node); });
    return by_operation_.data() + (position - by_operation_.begin());
  }

  // Returns the number of calls of the same operation before that of each node.
  [[nodiscard]] std::vector<int> earlier_calls() const {
    std::vector<int> counts(nodes_.size());
    for (std::size_t k = 1; k < by_operation_.size(); ++k) {
      const std::int32_t before = by_operation_[k - 1];
      const std::int32_t node = by_operation_[k];
      if (operation_of(node) == operation_of(before)) counts[at(node)] = counts[at(before)] + 1;
    }
    return counts;
  }

  // Returns an unused name, such as not_equal, not_equal_1, …
  std::string unused_name(std::string_view class_name) {
    const std::string base = snake_case(class_name);
    Value& next = next_numbers_[base];
    std::string name;
    do {
      const std::int64_t number = next.is_null() ? 0 : next.as_integer("number of names");
      name = number == 0 ? base : text(base, "_", number);
      next = number + 1;
    } while (std::ranges::binary_search(taken_, name));
    return name;
  }

  Value layer_entry(const Node& first) const {
    auto& layer = static_cast<Layer&>(*first.operation);
    Value serialized = serialize_layer(layer);
    Dict entry = serialized.as_dict("");
    entry["name"] = layer.name();
    List inbound;
    const std::int32_t* const end = by_operation_.data() + by_operation_.size();
    for (const std::int32_t* call = first_call(&layer);
         call != end && operation_of(*call) == &layer; ++call) {
      const Args& args = nodes_[at(*call)]->args;
      if (!args.inputs.empty()) inbound.push_back(layer_call(layer, args));
    }
    entry["inbound_nodes"] = inbound;
    return entry;
  }

  Value layer_call(const Layer& layer, const Args& args) const {
    Dict kwargs;
    List positional{first_argument(args)};
    for (const TensorArgument& argument : args.tensors) {
      const Value value =
          argument.list ? tensor_list(argument.values) : tensor(argument.values.front());
      if (kwargs.entries().empty() && argument.name == argument_at(layer, positional.size())) {
        positional.push_back(value);
      } else {
        kwargs[argument.name] = value;
      }
    }
    for (const Dict::Entry& option : args.options.entries()) kwargs[option.key] = option.value;
    if (args.training) kwargs["training"] = *args.training;
    if (args.mask) {
      kwargs["mask"] = masks(args);
    } else if (layer.takes_mask()) {
      kwargs["mask"] = nullptr;
    }
    Dict call;
    call["args"] = positional;
    call["kwargs"] = kwargs;
    return call;
  }

  // Query, value and key are written by position, so that Keras sees them in this order.
  static std::string argument_at(const Layer& layer, std::size_t position) {
    const LayerClass* const known = find_layer_class(layer.class_name());
    const std::vector<std::string> names = words(known == nullptr ? "" : known->facts.arguments);
    return position < names.size() ? names[position] : "";
  }

  // Masks have the structure of the first argument.
  Value masks(const Args& args) const {
    const Masks& all = *args.mask;
    return write_grouped(args.keys, args.list, all.size(), [&](std::size_t i) {
      return i < all.size() && all[i] ? tensor(all[i]->original()) : Value();
    });
  }

  Value first_argument(const Args& args) const {
    return write_grouped(args.keys, args.list, args.inputs.size(),
                         [&](std::size_t i) { return tensor(args.inputs[i]); });
  }

  Value op_entry(const Node& node) const {
    Dict config;
    config["name"] = call_of(node).operation;
    for (const Dict::Entry& option : node.args.options.entries()) config[option.key] = option.value;
    List operands;
    const bool floats = std::ranges::any_of(node.args.inputs, [](const Tensor& operand) {
      return operand.is_symbolic() && operand.dtype() == DType::kFloat32;
    });
    for (const Tensor& operand : node.args.inputs) {
      if (operand.empty_handle()) {
        operands.push_back(nullptr);
        continue;
      }
      // Configurations write 2.0 as 2. Beside integers only, a float constant needs its dtype.
      const bool typed = !floats && operand.dtype() == DType::kFloat32;
      operands.push_back(operand.is_symbolic() ? tensor(operand) : constant_value(operand, typed));
    }
    Dict call;
    call["args"] = node.args.list ? Value(List{Value(operands)}) : Value(operands);
    call["kwargs"] = Dict();
    Dict entry;
    entry["module"] = "keras.src.ops.numpy";
    entry["class_name"] = node.operation->class_name();
    entry["config"] = config;
    entry["registered_name"] = node.operation->class_name();
    entry["name"] = call_of(node).operation;
    entry["inbound_nodes"] = List{call};
    return entry;
  }

  [[nodiscard]] Value tensor_list(const Tensors& tensors) const {
    List list;
    for (const Tensor& item : tensors) list.push_back(tensor(item));
    return list;
  }

  [[nodiscard]] Value tensor(const Tensor& value) const {
    if (!value.is_symbolic()) return constant_value(value);
    Dict config;
    config["shape"] = shape_value(value.shape());
    config["dtype"] = name_of(value.dtype());
    config["keras_history"] = history(value);
    Dict result;
    result["class_name"] = "__keras_tensor__";
    result["config"] = config;
    return result;
  }

  const Graph& graph_;
  std::vector<std::shared_ptr<const Node>> nodes_;  // The nodes in order of creation.
  std::vector<Call> calls_;                         // The calls, one for each node.
  std::vector<std::int32_t> by_operation_;          // Positions of the nodes, sorted by operation.
  std::vector<std::string> taken_;                  // Names of the operations, sorted.
  Dict next_numbers_;                               // Next number of each name of ops.
};

Value write_structure(const Writer& writer, const Structure& structure) {
  return write_grouped(structure.keys, structure.list, structure.tensors.size(),
                       [&](std::size_t i) { return writer.boundary(structure.tensors[i]); });
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

}  // namespace maskflow
