// SPDX-License-Identifier: MIT
// Nodes of graphs: calls of operations on symbolic tensors.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/function_ref.hpp"
#include "base/value.hpp"
#include "tensor/mask.hpp"

namespace maskflow {

// One or several tensors under one argument name; `list` keeps [x] and x apart.
struct TensorArgument {
  std::string name;
  Tensors values;
  bool list = false;
};

// The arguments of one call of a layer, a model or an op.
struct Args {
  Tensors inputs;                       // The tensors of the first argument, flattened.
  bool list = false;                    // Whether the first argument was a list.
  std::vector<std::string> keys;        // Paths of the inputs in a dictionary or a nested list.
  std::vector<TensorArgument> tensors;  // Further tensor arguments: value, key, initial_state, …
  std::optional<Masks> mask;            // Explicit masks of the first argument.
  std::optional<bool> training;
  Dict options;  // All arguments that are not tensors.

  // Defined out of line: many places copy arguments, but none often.
  Args();
  Args(const Args& other);
  Args(Args&& other) noexcept;
  Args& operator=(const Args& other);
  Args& operator=(Args&& other) noexcept;
  ~Args();

  [[nodiscard]] const TensorArgument* find(std::string_view name) const;
  // Returns the value of a boolean option; false if it is absent or null.
  [[nodiscard]] bool flag(Name option) const;
  // Calls f(Tensor&) for every tensor of these arguments, except the masks.
  template <class F>
  void for_each_tensor(F&& f) {
    for (Tensor& tensor : inputs) f(tensor);
    for (TensorArgument& argument : tensors) {
      for (Tensor& tensor : argument.values) f(tensor);
    }
  }
};

// Separates the keys and positions of the path to a tensor in a nested structure.
inline constexpr std::string_view kPathJoin = " / ";
// Returns whether one of the keys is such a path.
[[nodiscard]] bool has_paths(const std::vector<std::string>& keys);

// Tensors and their grouping: one tensor, a list, or a dictionary. A nested structure is a
// dictionary of paths. Here and in Args, the tensors are in the order in which Keras flattens the
// structure: lists by position, dictionaries by key. Graph nodes number their outputs in this
// order.
struct Structure {
  Structure();
  Structure(const Tensor& tensor);
  Structure(Tensors all, bool is_list = false);
  Structure(const Structure& other);
  Structure(Structure&& other) noexcept;
  Structure& operator=(const Structure& other);
  Structure& operator=(Structure&& other) noexcept;
  ~Structure();

  Tensors tensors;
  bool list = false;  // With `keys`, whether the inputs of a model may also be passed as a list.
  std::vector<std::string> keys;
};

// Shapes and dtypes of the result of a call before it runs, with the grouping of the result.
struct OutputSpecs : std::vector<TensorSpec> {
  OutputSpecs();
  OutputSpecs(std::initializer_list<TensorSpec> specs);
  OutputSpecs(std::vector<TensorSpec> specs, bool is_list = false);
  OutputSpecs(const OutputSpecs& other);
  OutputSpecs(OutputSpecs&& other) noexcept;
  OutputSpecs& operator=(const OutputSpecs& other);
  OutputSpecs& operator=(OutputSpecs&& other) noexcept;
  ~OutputSpecs();

  bool list = false;
  std::vector<std::string> keys;
};

class Frame;
class InputLayer;

// An operation that a graph node runs: a layer, a model or an op.
class Operation {
 public:
  virtual ~Operation() = default;
  [[nodiscard]] virtual std::string class_name() const = 0;
  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual bool is_layer() const { return false; }
  // A custom layer that is called InputLayer is none of ours.
  virtual InputLayer* as_input_layer() { return nullptr; }
  virtual Structure run(Args args, Frame& frame) = 0;
};

struct Node {
  Node() = default;
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  std::shared_ptr<Operation> operation;
  Args args;            // Arguments with symbolic tensors; constants are ordinary tensors.
  std::int64_t id = 0;  // Number in the order of creation.
  std::vector<TensorSpec> outputs;
};

// The origin of a symbolic tensor.
class Symbol {
 public:
  Symbol(std::shared_ptr<const Node> node, int index) : node_(std::move(node)), index_(index) {}
  [[nodiscard]] const std::shared_ptr<const Node>& node() const { return node_; }
  [[nodiscard]] int index() const { return index_; }

 private:
  std::shared_ptr<const Node> node_;
  int index_;
};

// Adds a node and returns its symbolic outputs, without masks.
Tensors record(std::shared_ptr<Operation> operation, Args args, std::vector<TensorSpec> outputs);

// Finds the specs of the result of `run` for ops and JavaScript layers, which have no shape
// function. Runs it twice on zeros, with different sizes in place of unknown dimensions; dimensions
// that differ are unknown in the result.
std::vector<TensorSpec> infer_specs(const Args& args, FunctionRef<Tensors(Args)> run);
// Returns whether infer_specs is running code, whose effects must not last.
[[nodiscard]] bool is_inferring_specs();
// Does the same as infer_specs for an op. A file may contain any sizes, so the runs may use at most
// 256 MiB.
std::vector<TensorSpec> infer_op_specs(const Args& args, FunctionRef<Tensors(Args)> run);

}  // namespace maskflow
