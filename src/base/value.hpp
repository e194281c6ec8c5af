// SPDX-License-Identifier: MIT
// A tree of plain data, such as a Keras configuration. Numbers are doubles, as in JavaScript. NaN
// and infinities are ordinary values, which JSON text could not carry.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/name.hpp"

namespace maskflow {

class Value;
using List = std::vector<Value>;

// A dictionary in order of insertion, as in configurations. Functions that use the entries are
// defined in value.cpp, where Value is complete.
class Dict {
 public:
  struct Entry;
  Dict();
  Dict(const Dict& other);
  Dict(Dict&& other) noexcept;
  Dict& operator=(const Dict& other);
  Dict& operator=(Dict&& other) noexcept;
  ~Dict();
  [[nodiscard]] const Value* find(std::string_view key) const;
  [[nodiscard]] const Value* find(const char* key) const;
  Value& operator[](std::string_view key);
  Value& operator[](const char* key);
  // Adds an entry whose key is known to be new. Searching for it first would make the cost of a
  // long dictionary quadratic.
  void append(std::string key, Value value);
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
};

class Value {
 public:
  Value();
  Value(const Value& other);
  Value(Value&& other) noexcept;
  Value& operator=(const Value& other);
  Value& operator=(Value&& other) noexcept;
  ~Value();
  // The most frequent assignments, without a temporary Value: each of hundreds of places that
  // assign would otherwise be longer.
  Value& operator=(std::nullptr_t) { return *this = Value(); }
  Value& operator=(bool b);
  Value& operator=(double x);
  Value& operator=(int n) { return *this = static_cast<double>(n); }
  Value& operator=(std::int64_t n) { return *this = static_cast<double>(n); }
  Value& operator=(const char* s);
  Value& operator=(const std::string& s);
  Value& operator=(const List& list);
  Value& operator=(const Dict& dict);
  Value(std::nullptr_t) {}
  Value(bool b) : data_(b) {}
  Value(double x) : data_(x) {}
  Value(int n) : data_(static_cast<double>(n)) {}
  Value(std::int64_t n) : data_(static_cast<double>(n)) {}
  Value(std::string s) : data_(std::move(s)) {}
  Value(std::string_view s) : data_(std::string(s)) {}
  Value(const char* s) : data_(std::string(s)) {}
  Value(List list) : data_(std::move(list)) {}
  Value(Dict dict) : data_(std::move(dict)) {}

  [[nodiscard]] bool is_null() const { return std::holds_alternative<std::monostate>(data_); }
  [[nodiscard]] bool is_bool() const { return std::holds_alternative<bool>(data_); }
  [[nodiscard]] bool is_number() const { return std::holds_alternative<double>(data_); }
  [[nodiscard]] bool is_string() const { return std::holds_alternative<std::string>(data_); }
  [[nodiscard]] bool is_list() const { return std::holds_alternative<List>(data_); }
  [[nodiscard]] bool is_dict() const { return std::holds_alternative<Dict>(data_); }

  // Return the value as a type. For a value of another type they throw ConfigError, which quotes
  // the name of the setting.
  [[nodiscard]] bool as_bool(Name setting) const;
  [[nodiscard]] double as_number(Name setting) const;
  [[nodiscard]] std::int64_t as_integer(Name setting) const;
  [[nodiscard]] const std::string& as_string(Name setting) const;
  [[nodiscard]] const List& as_list(Name setting) const;
  [[nodiscard]] const Dict& as_dict(Name setting) const;

  // The value at `key` of a dictionary; null if it has no such key or this is not a dictionary.
  [[nodiscard]] const Value* find(std::string_view key) const;
  [[nodiscard]] const Value* find(const char* key) const;

 private:
  std::variant<std::monostate, bool, double, std::string, List, Dict> data_;
};

struct Dict::Entry {
  std::string key;
  Value value;
};

// Appends short JSON-like text for messages.
void append_text(std::string& out, const Value& value);

}  // namespace maskflow
