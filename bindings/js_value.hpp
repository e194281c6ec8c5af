// SPDX-License-Identifier: MIT
// Objects and lists for JavaScript. The functions of Emscripten's val are templates of the length
// of each name and of each type; they took a third of the bindings' bytes.
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
  // Returns the object, for functions of val that do not convert their arguments.
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

// Returns a list with `convert(item)` for each item.
template <class Items, class Convert>
[[nodiscard]] JsList list_of(const Items& items, Convert&& convert) {
  JsList list;
  for (const auto& item : items) list.push(convert(item));
  return list;
}

[[nodiscard]] val property(const val& object, const char* name);

}  // namespace maskflow::bindings

namespace emscripten::internal {

// Declared and never defined: functions of val would pass these classes on as objects without
// contents, silently. Now such a call does not compile.
template <>
struct BindingType<maskflow::bindings::JsObject>;
template <>
struct BindingType<maskflow::bindings::JsList>;

}  // namespace emscripten::internal
