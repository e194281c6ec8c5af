// SPDX-License-Identifier: MIT
#include "base/value.hpp"

#include <cmath>

#include "base/error.hpp"

namespace maskflow {
namespace {

[[noreturn]] void wrong_type(Name setting, const char* expected, const Value& value) {
  config_error("'", setting, "' must be ", expected, ", but is ", value);
}

}  // namespace

Value::Value() = default;
Value::Value(const Value& other) = default;
Value::Value(Value&& other) noexcept = default;
Value& Value::operator=(const Value& other) = default;
Value& Value::operator=(Value&& other) noexcept = default;
Value::~Value() = default;

Value& Value::operator=(bool b) { return *this = Value(b); }
Value& Value::operator=(double x) { return *this = Value(x); }
Value& Value::operator=(const char* s) { return *this = Value(s); }
Value& Value::operator=(const std::string& s) { return *this = Value(s); }
Value& Value::operator=(const List& list) { return *this = Value(list); }
Value& Value::operator=(const Dict& dict) { return *this = Value(dict); }

Dict::Dict() = default;
Dict::Dict(const Dict& other) = default;
Dict::Dict(Dict&& other) noexcept = default;
Dict& Dict::operator=(const Dict& other) = default;
Dict& Dict::operator=(Dict&& other) noexcept = default;
Dict::~Dict() = default;

const Value* Dict::find(std::string_view key) const {
  for (const auto& [name, value] : entries_) {
    if (name == key) return &value;
  }
  return nullptr;
}

const Value* Dict::find(const char* key) const { return find(std::string_view(key)); }

Value& Dict::operator[](const char* key) { return (*this)[std::string_view(key)]; }

Value& Dict::operator[](std::string_view key) {
  for (auto& [name, value] : entries_) {
    if (name == key) return value;
  }
  entries_.push_back({std::string(key), Value()});
  return entries_.back().value;
}

void Dict::append(std::string key, Value value) {
  entries_.push_back({std::move(key), std::move(value)});
}

bool Value::as_bool(Name setting) const {
  if (const bool* b = std::get_if<bool>(&data_)) return *b;
  wrong_type(setting, "true or false", *this);
}

double Value::as_number(Name setting) const {
  if (const double* x = std::get_if<double>(&data_)) return *x;
  wrong_type(setting, "a number", *this);
}

std::int64_t Value::as_integer(Name setting) const {
  const double* x = std::get_if<double>(&data_);
  // The limit is 2^53, because larger doubles are not exact.
  constexpr double kLimit = 9007199254740992.0;
  if (x == nullptr || std::floor(*x) != *x || std::fabs(*x) > kLimit) {
    wrong_type(setting, "an integer", *this);
  }
  return static_cast<std::int64_t>(*x);
}

const std::string& Value::as_string(Name setting) const {
  if (const std::string* s = std::get_if<std::string>(&data_)) return *s;
  wrong_type(setting, "a string", *this);
}

const List& Value::as_list(Name setting) const {
  if (const List* list = std::get_if<List>(&data_)) return *list;
  wrong_type(setting, "a list", *this);
}

const Dict& Value::as_dict(Name setting) const {
  if (const Dict* dict = std::get_if<Dict>(&data_)) return *dict;
  wrong_type(setting, "a dictionary", *this);
}

const Value* Value::find(std::string_view key) const {
  const Dict* dict = std::get_if<Dict>(&data_);
  return dict == nullptr ? nullptr : dict->find(key);
}

const Value* Value::find(const char* key) const { return find(std::string_view(key)); }

namespace {

// Largest number of characters that a message quotes of a value.
constexpr std::size_t kLongest = 2000;

void append_up_to(std::string& out, const Value& value, std::size_t max) {
  if (out.size() > max) return;
  if (value.is_null()) {
    out += "null";
  } else if (value.is_bool()) {
    out += value.as_bool("") ? "true" : "false";
  } else if (value.is_number()) {
    append_text(out, value.as_number(""));
  } else if (value.is_string()) {
    out += "'" + value.as_string("").substr(0, kLongest) + "'";
  } else if (value.is_list()) {
    out += "[";
    const char* separator = "";
    for (const Value& item : value.as_list("")) {
      out += separator;
      append_up_to(out, item, max);
      separator = ", ";
    }
    out += "]";
  } else {
    out += "{";
    const char* separator = "";
    for (const auto& [key, item] : value.as_dict("").entries()) {
      out += separator + key + ": ";
      append_up_to(out, item, max);
      separator = ", ";
    }
    out += "}";
  }
}

}  // namespace

void append_text(std::string& out, const Value& value) {
  append_up_to(out, value, out.size() + kLongest);
}

}  // namespace maskflow
