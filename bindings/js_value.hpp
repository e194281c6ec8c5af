// SPDX-License-Identifier: MIT
// Objects and lists for JavaScript. (The functions of Emscripten's val are templates of the length
// of each name and of each type: a third of what the bindings took.)
#pragma once

#include <emscripten/val.h>

#include <string>

namespace maskflow::bindings {

using emscripten::val;

class JsObject {
 public:
  JsObject() : object_(val::object()) {}
  void set(const val& name, const val& value);
  void set(const char* name, const val& value) { set(val(name), value); }
  void set(const char* name, bool value);
  void set(const char* name, double value);
  void set(const char* name, int value) { set(name, static_cast<double>(value)); }
  void set(const char* name, const std::string& value);
  // (For val's own functions, which convert nothing.)
  [[nodiscard]] const val& value() const { return object_; }
  operator const val&() const { return object_; }

 private:
  val object_;
};

class JsList {
 public:
  JsList() : list_(val::array()) {}
  void push(const val& value);
  operator const val&() const { return list_; }

 private:
  val list_;
};

[[nodiscard]] val property(const val& object, const char* name);

}  // namespace maskflow::bindings

namespace emscripten::internal {

// Nowhere defined: val's own functions would hand them on as objects without contents, and say
// nothing.
template <>
struct BindingType<maskflow::bindings::JsObject>;
template <>
struct BindingType<maskflow::bindings::JsList>;

}  // namespace emscripten::internal
