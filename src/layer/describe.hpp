// SPDX-License-Identifier: MIT
// A layer names its settings once, with defaults, in `describe(fields)`. The same function then
// reads a Keras configuration, writes `get_config`, and emits the schema from which the TypeScript
// classes are generated.
#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/doc.hpp"
#include "base/error.hpp"
#include "base/value.hpp"
#include "layer/initializer.hpp"
#include "ops/activation.hpp"

namespace maskflow {

class Layer;
using LayerPtr = std::shared_ptr<Layer>;

// Conversions of one setting. `type_name` returns a TypeScript type.
void read_value(const Value& value, Name name, bool& out);
void read_value(const Value& value, Name name, int& out);
void read_value(const Value& value, Name name, double& out);
void read_value(const Value& value, Name name, std::string& out);
void read_value(const Value& value, Name name, Activation& out);
void read_value(const Value& value, Name name, Initializer& out);
void read_value(const Value& value, Name name, LayerPtr& out);
void read_value(const Value& value, Name name, Value& out);
[[nodiscard]] Value write_value(const Activation& activation);
[[nodiscard]] Value write_value(const Initializer& initializer);
[[nodiscard]] Value write_value(const LayerPtr& layer);
template <class T>
[[nodiscard]] Value write_value(const T& value) {
  return Value(value);
}
[[nodiscard]] inline std::string type_name(const bool&) { return "boolean"; }
[[nodiscard]] inline std::string type_name(const int&) { return "number"; }
// A double is a number in JavaScript; saved files write 1 as 1.0.
[[nodiscard]] inline std::string type_name(const double&) { return "float"; }
[[nodiscard]] inline std::string type_name(const std::string&) { return "string"; }
[[nodiscard]] inline std::string type_name(const Activation&) { return "ActivationLike"; }
[[nodiscard]] inline std::string type_name(const Initializer&) { return "InitializerLike"; }
[[nodiscard]] inline std::string type_name(const LayerPtr&) { return "Layer"; }
[[nodiscard]] inline std::string type_name(const Value&) { return "unknown"; }

// Declared before they are defined, because vectors and optionals may contain each other.
template <class T>
void read_value(const Value& value, Name name, std::vector<T>& out);
template <class T>
[[nodiscard]] Value write_value(const std::vector<T>& values);
template <class T>
[[nodiscard]] std::string type_name(const std::vector<T>&);
template <class T>
void read_value(const Value& value, Name name, std::optional<T>& out);
template <class T>
[[nodiscard]] Value write_value(const std::optional<T>& value);
template <class T>
[[nodiscard]] std::string type_name(const std::optional<T>&);

// Reads a list; a single item counts as a list of one.
template <class T>
void read_value(const Value& value, Name name, std::vector<T>& out) {
  out.clear();
  if (!value.is_list()) {
    read_value(value, name, out.emplace_back());
    return;
  }
  for (const Value& item : value.as_list(name)) read_value(item, name, out.emplace_back());
}
template <class T>
[[nodiscard]] Value write_value(const std::vector<T>& values) {
  List list;
  for (const T& value : values) list.push_back(write_value(value));
  return list;
}
template <class T>
[[nodiscard]] std::string type_name(const std::vector<T>&) {
  const std::string item = type_name(T());
  return item.find(' ') == std::string::npos ? item + "[]" : "(" + item + ")[]";
}
template <class T>
void read_value(const Value& value, Name name, std::optional<T>& out) {
  if (value.is_null()) {
    out.reset();
  } else {
    read_value(value, name, out.emplace());
  }
}
template <class T>
[[nodiscard]] Value write_value(const std::optional<T>& value) {
  return value ? write_value(*value) : Value();
}
template <class T>
[[nodiscard]] std::string type_name(const std::optional<T>&) {
  return type_name(T()) + " | null";
}

// The conversions above for settings of one type; their type is erased.
struct FieldType {
  void (*read)(const Value& from, Name name, void* to);
  Value (*write)(const void* value);
  std::string (*name)(const void* value);
};
template <class T>
inline constexpr FieldType kFieldType{
    [](const Value& from, Name name, void* to) { read_value(from, name, *static_cast<T*>(to)); },
    [](const void* value) { return write_value(*static_cast<const T*>(value)); },
    [](const void* value) -> std::string {
      if constexpr (!kKeepsDocs) return {};
      return type_name(*static_cast<const T*>(value));
    },
};

// TypeScript type of a setting that its C++ type does not determine: the type of a Value, or
// "number" for a double that saved files write as an integer.
struct TypeScript {
  Doc type;
};

// kOptionalList and kRequiredList refuse a single item, which otherwise counts as a list of one.
enum class FieldKind { kOptional, kRequired, kOptionalList, kRequiredList };

class Fields {
 public:
  static Fields reading(const Dict& config) { return Fields(&config, nullptr, nullptr); }
  static Fields writing(Dict& config) { return Fields(nullptr, &config, nullptr); }
  static Fields schema(List& schema) { return Fields(nullptr, nullptr, &schema); }

  template <class T>
  void field(Name name, T& value, Doc doc, FieldKind kind = FieldKind::kOptional) {
    visit(name, &value, kFieldType<T>, doc, kind);
  }
  template <class T>
  void field(Name name, T& value, TypeScript type, Doc doc, FieldKind kind = FieldKind::kOptional) {
    visit(name, &value, kFieldType<T>, doc, kind);
    if (kKeepsDocs && schema_ != nullptr) set_schema_type(std::string(type.type.text()));
  }

  // A setting with one of several words, such as "valid same". Another word is a ConfigError. An
  // optional setting may be null.
  void choice(Name name, std::string& value, std::string_view words, Doc doc) {
    choose(name, &value, kFieldType<std::string>, words, doc);
  }
  // Keras also accepts paddings in capitals.
  void padding(std::string& value, std::string_view words, Doc doc);
  void choice(Name name, std::optional<std::string>& value, std::string_view words, Doc doc) {
    choose(name, &value, kFieldType<std::optional<std::string>>, words, doc);
  }

  // Settings that only training needs (regularizers, constraints); they are kept for get_config.
  void inert(Dict& settings, std::initializer_list<const char*> names);
  // Settings of other versions of Keras that have no effect here; they are not kept.
  void ignored(std::initializer_list<const char*> names);
  // Called after reading; throws ConfigError for a key that is not a setting.
  void reject_unknown(std::string_view class_name) const;
  [[nodiscard]] bool is_reading() const { return in_ != nullptr; }
  // True while reading, if the key has a value that is not null.
  [[nodiscard]] bool has(Name name) const;
  // The value of a key for which has() is true.
  [[nodiscard]] Value value(Name name) const { return *in_->find(name); }

 private:
  Fields(const Dict* in, Dict* out, List* schema) : in_(in), out_(out), schema_(schema) {}
  const Value* take(Name name);
  void visit(Name name, void* value, const FieldType& type, Doc doc, FieldKind kind);
  void choose(Name name, void* value, const FieldType& type, std::string_view words, Doc doc);
  // Adds a regularizer or a constraint to the schema; other inert settings are not part of it.
  void add_inert_to_schema(std::string_view name);
  // Replaces the type of the last entry of the schema.
  void set_schema_type(std::string type);

  const Dict* in_;
  Dict* out_;
  List* schema_;
  std::vector<std::string> known_;
};

// Throws ConfigError unless `value` is finite and > 0; `name` is the setting.
void require_positive(Name name, double value);

}  // namespace maskflow
