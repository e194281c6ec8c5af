// SPDX-License-Identifier: MIT
#include "boundary.hpp"

#include "base/depth.hpp"
#include "base/scoped_value.hpp"
#include "held_layers.hpp"

namespace maskflow::bindings {

LastError& last_error() {
  static LastError error;
  return error;
}

namespace {

int running = 0;

// Whether f came to its end.
bool survives(FunctionRef<void()> f) {
  const ScopedValue<int> scope(running, running + 1);
  try {
    f();
    return true;
  } catch (Error& error) {
    last_error() = {error.kind(), error.take_message()};
  } catch (const std::exception&) {
    // (What the standard library throws here: no memory, or an array longer than memory is.) There
    // may be none for a text either.
    last_error() = {ErrorKind::kState, {}};
  }
  return false;
}

}  // namespace

val guarded(FunctionRef<val()> f) {
  val result = val::undefined();
  return survives([&] { result = f(); }) ? result : val::undefined();
}

TensorHandle guarded_handle(FunctionRef<TensorHandle()> f) {
  TensorHandle result = 0;
  return survives([&] { result = f(); }) ? result : 0;
}

int calls_running() { return running; }

Frame*& running_frame() {
  static Frame* frame = nullptr;
  return frame;
}

std::size_t length_of(const val& array) { return property(array, "length").as<std::size_t>(); }

namespace {

template <class Items, class F>
val array_of(const Items& items, F&& convert) {
  JsList array;
  for (const auto& item : items) array.push(convert(item));
  return array;
}

}  // namespace

std::vector<std::string> strings_from(const val& array) {
  std::vector<std::string> result;
  for (std::size_t i = 0, size = length_of(array); i < size; ++i)
    result.push_back(array[i].as<std::string>());
  return result;
}

TensorHandle give(Tensor tensor) {
  return reinterpret_cast<TensorHandle>(std::make_unique<Tensor>(std::move(tensor)).release());
}

Tensor& tensor_at(TensorHandle handle) { return *reinterpret_cast<Tensor*>(handle); }

void free_tensor(TensorHandle handle) { const std::unique_ptr<Tensor> owned(&tensor_at(handle)); }

val to_js(Tensor tensor) { return val(give(std::move(tensor))); }

val to_js(const Tensors& tensors) {
  return array_of(tensors, [](const Tensor& t) { return to_js(t); });
}

val to_js(const MaskPtr& mask) { return mask ? to_js(mask->values()) : val::null(); }

val to_js(const Masks& masks) {
  return array_of(masks, [](const MaskPtr& m) { return to_js(m); });
}

val to_js(const LayerPtr& layer) { return layer ? val(hold(layer)) : val::null(); }

val to_js(const Value& value) {
  if (value.is_null()) return val::null();
  if (value.is_bool()) return val(value.as_bool(""));
  if (value.is_number()) return val(value.as_number(""));
  if (value.is_string()) return val(value.as_string(""));
  if (value.is_list()) {
    return array_of(value.as_list(""), [](const Value& item) { return to_js(item); });
  }
  JsObject object;
  for (const Dict::Entry& entry : value.as_dict("").entries())
    object.set(val(entry.key), to_js(entry.value));
  return object;
}

val to_js(const Shape& shape) {
  return array_of(shape.dims(), [](Dim dim) {
    return dim == kUnknown ? val::null() : val(static_cast<double>(dim));
  });
}

val to_js(const std::vector<Shape>& shapes) {
  return array_of(shapes, [](const Shape& shape) { return to_js(shape); });
}

val to_js(const Args& args) {
  JsObject object;
  object.set("inputs", to_js(args.inputs));
  object.set("list", args.list);
  object.set("keys", array_of(args.keys, [](const std::string& key) { return val(key); }));
  object.set("tensors", array_of(args.tensors, [](const TensorArgument& argument) {
               JsObject entry;
               entry.set("name", argument.name);
               entry.set("values", to_js(argument.values));
               entry.set("list", argument.list);
               return entry;
             }));
  object.set("mask", args.mask ? to_js(*args.mask) : val::null());
  object.set("training", args.training ? val(*args.training) : val::null());
  object.set("options", to_js(Value(args.options)));
  return object;
}

val to_js(const Structure& result) {
  JsObject object;
  object.set("outputs", to_js(result.tensors));
  object.set("list", result.list);
  object.set("keys", array_of(result.keys, [](const std::string& key) { return val(key); }));
  return object;
}

Tensor tensor_from(const val& handle) { return tensor_at(handle.as<TensorHandle>()); }

Tensors tensors_from(const val& handles) {
  Tensors tensors;
  for (std::size_t i = 0; i < length_of(handles); ++i) tensors.push_back(tensor_from(handles[i]));
  return tensors;
}

MaskPtr mask_from(const val& handle) {
  return is_missing(handle) ? nullptr : make_mask(tensor_from(handle));
}

Masks masks_from(const val& handles) {
  Masks masks;
  for (std::size_t i = 0; i < length_of(handles); ++i) masks.push_back(mask_from(handles[i]));
  return masks;
}

// Classes that are asked for again and again: a look-up by name costs as much as a value.
const val& array_class() {
  static const val known = val::global("Array");
  return known;
}

const val& object_class() {
  static const val known = val::global("Object");
  return known;
}

Value value_from(const val& value) {
  const Depth depth;
  if (is_missing(value)) return nullptr;
  if (value.isNumber()) return value.as<double>();
  if (value.isString()) return value.as<std::string>();
  if (value.isTrue() || value.isFalse()) return value.isTrue();
  if (value.instanceof (array_class())) {
    const std::size_t length = length_of(value);
    List list;
    list.reserve(length);
    for (std::size_t i = 0; i < length; ++i) list.push_back(value_from(value[i]));
    return list;
  }
  const std::string type = value.typeOf().as<std::string>();
  if (type != "object") config_error("a configuration holds plain data and layers, not a ", type);
  if (value.instanceof (val::module_property("LayerReference"))) {
    Dict handle;
    handle[kLayerHandleKey] = layer_at(property(value, "handle").as<LayerHandle>())->id();
    return handle;
  }
  return dict_from(value);
}

Dict dict_from(const val& value) {
  Dict dict;
  if (is_missing(value)) return dict;
  const val entries = object_class().call<val>("entries", value);
  const std::size_t length = length_of(entries);
  for (std::size_t i = 0; i < length; ++i) {
    const val entry = entries[i];
    const auto key = entry[0].as<std::string>();
    // (Plain data stands for no layer.)
    if (key == kLayerHandleKey) config_error("a configuration has no '", key, "'");
    const val item = entry[1];
    // An absent option and one that is undefined are the same in JavaScript.
    if (!item.isUndefined()) dict.append(key, value_from(item));
  }
  return dict;
}

Shape shape_from(const val& value) {
  Shape shape;
  for (std::size_t i = 0; i < length_of(value); ++i) {
    const val dim = value[i];
    if (is_missing(dim)) {
      shape.push_back(kUnknown);
      continue;
    }
    const Dim size = value_from(dim).as_integer("shape");
    if (size < 0)
      shape_error("a shape has the negative dimension ", size, "; use null for unknown");
    shape.push_back(size);
  }
  return shape;
}

std::vector<Shape> shapes_from(const val& value) {
  std::vector<Shape> shapes;
  for (std::size_t i = 0; i < length_of(value); ++i) shapes.push_back(shape_from(value[i]));
  return shapes;
}

Args args_from(const val& value) {
  Args args;
  args.inputs = tensors_from(property(value, "inputs"));
  args.list = property(value, "list").as<bool>();
  args.keys = strings_from(property(value, "keys"));
  const val tensors = property(value, "tensors");
  for (std::size_t i = 0; i < length_of(tensors); ++i) {
    const val entry = tensors[i];
    args.tensors.push_back({property(entry, "name").as<std::string>(),
                            tensors_from(property(entry, "values")),
                            property(entry, "list").as<bool>()});
  }
  if (!is_missing(property(value, "mask"))) args.mask = masks_from(property(value, "mask"));
  if (!is_missing(property(value, "training")))
    args.training = property(value, "training").as<bool>();
  args.options = dict_from(property(value, "options"));
  return args;
}

}  // namespace maskflow::bindings
