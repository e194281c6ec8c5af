// SPDX-License-Identifier: MIT
// An op: tensors in, tensors out, shapes checked. Ops are what layers, in C++ or in JavaScript, are
// written in; as in Keras their results carry no mask. One table entry per op (see
// RegisterOps at the foot of each file) serves C++, the JavaScript functions generated from it, and
// graphs.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/doc.hpp"
#include "base/error.hpp"
#include "base/value.hpp"
#include "tensor/tensor.hpp"

namespace maskflow {

// What a setting is when it is not given; plain data, so that tables of ops cost no code.
class Default {
 public:
  constexpr Default() = default;  // null
  constexpr Default(bool b) : kind_(Kind::kBool), number_(b ? 1 : 0) {}
  constexpr Default(double x) : kind_(Kind::kNumber), number_(x) {}
  constexpr Default(int n) : Default(static_cast<double>(n)) {}
  constexpr Default(const char* s) : kind_(Kind::kString), string_(s) {}
  [[nodiscard]] Value value() const;
  [[nodiscard]] bool is_null() const { return kind_ == Kind::kNull; }

 private:
  enum class Kind : std::uint8_t { kNull, kBool, kNumber, kString };
  Kind kind_ = Kind::kNull;
  double number_ = 0;
  const char* string_ = "";
};

// A setting of an op: its name, its default, or that it must be given.
struct OpAttribute {
  std::string_view name;
  Doc type = "";  // for the generated TypeScript: "number", "number[]", "boolean", …
  Doc doc = "";
  bool required = false;
  Default fallback;
};

class Frame;
struct OpDef;

// The settings of one call, read by type; errors name op and setting.
class OpAttributes {
 public:
  OpAttributes(const OpDef& op, const Dict& given) : op_(op), given_(given) {}
  [[nodiscard]] const OpDef& op() const { return op_; }
  [[nodiscard]] Value get(Name name) const;
  [[nodiscard]] bool is_null(Name name) const { return get(name).is_null(); }
  [[nodiscard]] bool flag(Name name) const;
  [[nodiscard]] double number(Name name) const;
  [[nodiscard]] std::int64_t integer(Name name) const;
  [[nodiscard]] DType dtype(Name name) const;
  // A list of whole numbers; a single one counts as a list of one.
  [[nodiscard]] std::vector<Dim> integers(Name name) const;

 private:
  const OpDef& op_;
  const Dict& given_;
};

using Operands = std::span<const Tensor>;

struct OpDef {
  std::string_view name;      // Keras's class name, "NotEqual"; in JavaScript `ops.notEqual`
  std::string_view operands;  // names of the tensor arguments: "x1 x2"; "xs*" is one list of them
  std::span<const OpAttribute> attributes;
  Doc doc = "";
  Tensors (*compute)(Operands, const OpAttributes&) = nullptr;
  const void* kernel = nullptr;  // what a `compute` shared by several ops reads from op()
};

// ConfigError for a setting that the op does not have.
void check_settings(const OpDef& op, const Dict& given);

// Puts a table of ops into the registry: `const RegisterOps registration{kOps};` at namespace
// scope.
class RegisterOps {
 public:
  explicit RegisterOps(std::span<const OpDef> ops);

 private:
  friend const std::vector<const OpDef*>& all_ops();
  std::span<const OpDef> ops_;
  const RegisterOps* next_;
};

// All ops, sorted by name.
[[nodiscard]] const std::vector<const OpDef*>& all_ops();
// ConfigError for a name that is none.
[[nodiscard]] const OpDef& find_op(std::string_view name);

// Computes the op, or, when an operand is symbolic, records it in the graph. Every way to an op
// (JavaScript, graphs, layers whose code must also run on symbolic tensors) goes through here.
Tensors apply_op(const OpDef& op, Operands operands, const Dict& attributes);
Tensors apply_op(std::string_view name, Operands operands, const Dict& attributes = {});
// As part of a graph or of user code: the frame's observer is told.
Tensors apply_op(const OpDef& op, Operands operands, const Dict& attributes, const Frame& frame);
// The same for ops with one result.
Tensor apply_op1(Name name, Operands operands, const Dict& attributes);
Tensor apply_op1(Name name, Operands operands);

}  // namespace maskflow
