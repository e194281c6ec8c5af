// SPDX-License-Identifier: MIT
// An op: tensors in, tensors out, shapes checked. Ops are what layers, in C++ or in JavaScript, are
// written in; as in Keras their results carry no mask. One table entry per op (see RegisterOp at
// the foot of each file) serves C++, the JavaScript functions generated from it, and graphs.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/value.hpp"
#include "tensor/tensor.hpp"

namespace maskflow {

// A setting of an op: its name, its default, or that it must be given.
struct OpAttribute {
  std::string_view name;
  std::string_view
      type;  // for the generated TypeScript: "number", "number[]", "boolean", "DType" …
  std::string_view doc;
  bool required = false;
  Value fallback;
};

struct OpDef;

// The settings of one call, read by type; errors name op and setting.
class OpAttributes {
 public:
  OpAttributes(const OpDef& op, const Dict& given) : op_(op), given_(given) {}
  [[nodiscard]] const Value& get(std::string_view name) const;
  [[nodiscard]] bool is_null(std::string_view name) const { return get(name).is_null(); }
  [[nodiscard]] bool flag(std::string_view name) const { return get(name).as_bool(name); }
  [[nodiscard]] double number(std::string_view name) const { return get(name).as_number(name); }
  [[nodiscard]] std::int64_t integer(std::string_view name) const {
    return get(name).as_integer(name);
  }
  [[nodiscard]] const std::string& string(std::string_view name) const {
    return get(name).as_string(name);
  }
  [[nodiscard]] DType dtype(std::string_view name) const { return dtype_of(string(name)); }
  // A list of whole numbers; a single one counts as a list of one.
  [[nodiscard]] std::vector<Dim> integers(std::string_view name) const;

 private:
  const OpDef& op_;
  const Dict& given_;
};

using Operands = std::span<const Tensor>;

struct OpDef {
  std::string_view name;      // Keras's class name, "NotEqual"; in JavaScript `ops.notEqual`
  std::string_view operands;  // names of the tensor arguments: "x1 x2"; "xs*" is one list of them
  std::vector<OpAttribute> attributes;
  std::string_view doc;
  Tensors (*compute)(Operands, const OpAttributes&);
};

// Puts an op into the registry: `const RegisterOp add{{.name = "Add", ...}};` at namespace scope.
struct RegisterOp {
  explicit RegisterOp(OpDef def);
};

// All ops by name, sorted; used by the schema and by tests.
[[nodiscard]] std::vector<const OpDef*> all_ops();
// ConfigError for a name that is none, with the nearest ones.
[[nodiscard]] const OpDef& find_op(std::string_view name);

// Computes the op, or, when an operand is symbolic, records it in the graph. Every way to an op
// (JavaScript, graphs, layers whose code must also run on symbolic tensors) goes through here.
Tensors apply_op(std::string_view name, Operands operands, const Dict& attributes = {});
// The same for ops with one result.
Tensor apply_op1(std::string_view name, Operands operands, const Dict& attributes = {});

}  // namespace maskflow
