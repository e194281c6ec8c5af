// SPDX-License-Identifier: MIT
// The graph as it grows: what was applied to which symbolic tensors.
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
  Tensors inputs;                       // the first argument, flattened
  bool list = false;                    // it was a list
  std::vector<std::string> keys;        // paths of the inputs in a dictionary or a nested list
  std::vector<TensorArgument> tensors;  // further tensor arguments: value, key, initial_state, …
  std::optional<Masks> mask;            // explicit mask(s) of the first argument
  std::optional<bool> training;
  Dict options;  // everything that is not a tensor

  // Out of line: copying arguments is frequent in the text, not in time.
  Args();
  Args(const Args& other);
  Args(Args&& other) noexcept;
  Args& operator=(const Args& other);
  Args& operator=(Args&& other) noexcept;
  ~Args();

  [[nodiscard]] const TensorArgument* find(std::string_view name) const;
  // A yes or no among the options; no when it is not there.
  [[nodiscard]] bool flag(Name option) const;
  // Calls f(Tensor&) on every tensor of these arguments, masks excepted.
  template <class F>
  void for_each_tensor(F&& f) {
    for (Tensor& tensor : inputs) f(tensor);
    for (TensorArgument& argument : tensors) {
      for (Tensor& tensor : argument.values) f(tensor);
    }
  }
};

// Between the keys and places that lead to a tensor of a nested structure.
inline constexpr std::string_view kPathJoin = " / ";
// Is one of the keys such a path?
[[nodiscard]] bool has_paths(const std::vector<std::string>& keys);

// Tensors, and how they are grouped: one, a list, or a dictionary. A nested structure is a
// dictionary of paths. Tensors stand in the order in which Keras flattens the structure, here and
// in Args: lists by position, dictionaries by key. Output numbers of graph nodes count in it.
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
  bool list = false;  // with `keys`: inputs of a model that may come as a list, too
  std::vector<std::string> keys;
};

// What is known of the result of a call before it runs; grouped as the result will be.
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

// A layer, a model or an op: what a graph node runs.
class Operation {
 public:
  virtual ~Operation() = default;
  [[nodiscard]] virtual std::string class_name() const = 0;
  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual bool is_layer() const { return false; }
  virtual Structure run(Args args, Frame& frame) = 0;
};

struct Node {
  Node() = default;
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  std::shared_ptr<Operation> operation;
  Args args;            // symbolic, constants included as ordinary tensors
  std::int64_t id = 0;  // order of creation
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

// Adds a node and returns its symbolic outputs (without masks).
Tensors record(std::shared_ptr<Operation> operation, Args args, std::vector<TensorSpec> outputs);

// The specs of what `run` returns for inputs of these specs, found by running it on zeros twice
// with different sizes in place of the unknown dimensions: what differs is unknown in the result.
// For code whose shapes cannot be asked for: JavaScript layers and ops.
std::vector<TensorSpec> infer_specs(const Args& args, FunctionRef<Tensors(Args)> run);
// The same for an op, which a file may give any sizes: 256 MiB must do.
std::vector<TensorSpec> infer_op_specs(const Args& args, FunctionRef<Tensors(Args)> run);

}  // namespace maskflow
