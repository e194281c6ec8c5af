// SPDX-License-Identifier: MIT
// Embind's own part of a module, for the types that cross the boundary. The linker takes it in
// place of the one that Emscripten has. That one registers forty types, among them
// wide strings and memory views, whose code is a fifth of the glue; and it links printf, which is a
// fiftieth of a page.
#include <emscripten/bind.h>

#include <cstring>
#include <limits>

namespace {

using namespace emscripten::internal;

template <class T>
void register_integer(const char* name) {
  _embind_register_integer(TypeID<T>::get(), name, sizeof(T), std::numeric_limits<T>::min(),
                           std::numeric_limits<T>::max());
}

}  // namespace

EMSCRIPTEN_BINDINGS(types) {
  _embind_register_void(TypeID<void>::get(), "void");
  _embind_register_bool(TypeID<bool>::get(), "bool", true, false);
  register_integer<int>("int");
  register_integer<unsigned long>("unsigned long");
  _embind_register_float(TypeID<double>::get(), "double", sizeof(double));
  _embind_register_std_string(TypeID<std::string>::get(), "std::string");
  _embind_register_emval(TypeID<emscripten::val>::get());
}

extern "C" {

// Keeps the bindings of a file for threads that begin later, of which there are none.
void _embind_register_bindings(InitFunc* /*functions*/) {}

// Names a type in the error about one that is not registered. The glue frees the text.
char* __getTypeName(const void* type);
char* __getTypeName(const void* /*type*/) { return strdup("unregistered"); }
}
