// SPDX-License-Identifier: MIT
// An op computes tensors from tensors and checks their shapes. Layers, in C++ or in JavaScript, are
// written with ops. As in Keras, the results of ops have no masks. One table entry per op (see
// RegisterOps at the end of each file) serves C++, the generated JavaScript functions, and graphs.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/doc.hpp"
#include "base/error.hpp"
#include "base/value.hpp"
#include "tensor/tensor.hpp"

namespace maskflow {

// Default value of an attribute. It is plain data, so that tables of ops need no code.
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

// An attribute of an op, with its default unless it is required.
struct OpAttribute {
  std::string_view name;
  Doc type = "";  // type in the generated TypeScript: "number", "number[]", "boolean", …
  Doc doc = "";
  bool required = false;
  Default fallback;
};

class Frame;
struct OpDef;

// The attributes of one call, read by type. Errors quote the op and the attribute.
class OpAttributes {
 public:
  OpAttributes(const OpDef& op, const Dict& values) : op_(op), values_(values) {}
  [[nodiscard]] const OpDef& op() const { return op_; }
  [[nodiscard]] Value get(Name name) const;
  [[nodiscard]] bool is_null(Name name) const { return get(name).is_null(); }
  [[nodiscard]] bool flag(Name name) const;
  [[nodiscard]] double number(Name name) const;
  [[nodiscard]] std::int64_t integer(Name name) const;
  [[nodiscard]] DType dtype(Name name) const;
  // Returns a list of integers; a single integer is a list of one.
  [[nodiscard]] std::vector<Dim> integers(Name name) const;

 private:
  const OpDef& op_;
  const Dict& values_;
};

using Operands = std::span<const Tensor>;

struct OpDef {
  // Name of Keras's class, such as "NotEqual"; in JavaScript the op is `ops.notEqual`.
  std::string_view name;
  // Names of the tensor arguments, such as "x1 x2". "xs*" is a list; "bias?" may be absent.
  std::string_view operands;
  std::span<const OpAttribute> attributes;
  Doc doc = "";
  Tensors (*compute)(Operands, const OpAttributes&) = nullptr;
  const void* kernel = nullptr;  // Data for a `compute` that several ops share.
  [[no_unique_address]] SchemaFact returns_list = false;  // Set for an op with several results.
};

// Returns the names of the tensor arguments, without marks.
[[nodiscard]] std::vector<std::string> operand_names(const OpDef& op);
// Returns the optional operand at this position, or null if the call leaves it out.
[[nodiscard]] const Tensor* optional_operand(Operands operands, std::size_t position);

// Returns the operand and its axis of the attribute `axis`. If that is null, the operand is
// flattened.
[[nodiscard]] std::pair<Tensor, int> along_axis(const Tensor& x, const OpAttributes& attributes);

// Returns whether each axis is one of the attribute `axis`: a number, a list, or null for all.
// Throws ValueError if the list has an axis twice.
[[nodiscard]] std::vector<bool> listed_axes(int rank, const OpAttributes& attributes);

// Throws ConfigError for an attribute that the op does not have.
void check_settings(const OpDef& op, const Dict& settings);

// Registers a table of ops, by `const RegisterOps registration{kOps};` at namespace scope. `entry`
// is the smallest entry with their functions: "maskflow/recurrent", whose ops tensors have as
// methods, too; "maskflow" or "maskflow/train", whose ops they do not have. CMakeLists.txt reads
// it, so the registration is one line.
class RegisterOps {
 public:
  explicit RegisterOps(std::span<const OpDef> ops, Doc entry = "maskflow/recurrent");

 private:
  friend const std::vector<const OpDef*>& all_ops();
  friend std::string_view entry_of(const OpDef& op);
  std::span<const OpDef> ops_;
  const RegisterOps* next_;
  [[no_unique_address]] Doc entry_;
};

// Returns the entry that the table of the op is registered with. Only builds with documentation
// have this function.
[[nodiscard]] std::string_view entry_of(const OpDef& op);

// Returns all ops, sorted by name.
[[nodiscard]] const std::vector<const OpDef*>& all_ops();
// Finds an op. Throws ConfigError for an unknown name.
[[nodiscard]] const OpDef& find_op(std::string_view name);

// Computes the op, or records it in the graph if an operand is symbolic. All calls of ops end here:
// those of JavaScript, of graphs, and of layers, whose code must also run on symbolic tensors.
Tensors apply_op(const OpDef& op, Operands operands, const Dict& attributes);
Tensors apply_op(std::string_view name, Operands operands, const Dict& attributes = {});
// Computes a call of a graph or of user code, and notifies the observer of the frame.
Tensors apply_op(const OpDef& op, Operands operands, const Dict& attributes, const Frame& frame);
// Computes a call of an op with one result.
Tensor apply_op1(Name name, Operands operands, const Dict& attributes);
Tensor apply_op1(Name name, Operands operands);

}  // namespace maskflow
