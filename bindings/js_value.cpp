// SPDX-License-Identifier: MIT
#include "js_value.hpp"

namespace maskflow::bindings {

void JsObject::set(const val& name, const val& value) { object_.set(name, value); }
void JsObject::set(const char* name, bool value) { set(name, val(value)); }
void JsObject::set(const char* name, double value) { set(name, val(value)); }
void JsObject::set(const char* name, const std::string& value) { set(name, val(value)); }

void JsList::push(const val& value) { list_.call<void>("push", value); }

val property(const val& object, const char* name) { return object[name]; }

}  // namespace maskflow::bindings
