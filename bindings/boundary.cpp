// SPDX-License-Identifier: MIT
#include "boundary.hpp"

#include <cstring>

#include "base/depth.hpp"
#include "base/error_codes.hpp"
#include "base/scoped_value.hpp"
#include "held_layers.hpp"
#include "ops/ops.hpp"

namespace maskflow::bindings {

LastError& last_error() {
  static LastError error;
  return error;
}

namespace {

int running_calls = 0;

// Returns false if f threw.
bool completes(FunctionRef<void()> f) {
  const ScopedValue<int> scope(running_calls, running_calls + 1);
  try {
    f();
    return true;
  } catch (Error& error) {
    last_error() = {error.kind(), error.take_message()};
  } catch (const std::exception&) {
    // The standard library throws this if memory is exhausted or an array would be longer than
    // memory. The message stays empty, because its text might need memory, too.
    last_error() = {kOutOfMemory, {}};
  }
  return false;
}

}  // namespace

val guarded(FunctionRef<val()> f) {
  val result = val::undefined();
  return completes([&] { result = f(); }) ? result : val::undefined();
}

TensorHandle guarded_handle(FunctionRef<TensorHandle()> f) {
  TensorHandle result = 0;
  return completes([&] { result = f(); }) ? result : 0;
}

int calls_running() { return running_calls; }

Frame*& running_frame() {
  static Frame* frame = nullptr;
  return frame;
}

void callback_error() { fail_with(ErrorKind::kCallback, "JavaScript code threw"); }

std::size_t length_of(const val& array) { return property(array, "length").as<std::size_t>(); }

std::vector<std::string> strings_from(const val& array) {
  std::vector<std::string> result;
  for (std::size_t i = 0, size = length_of(array); i < size; ++i)
    result.push_back(array[i].as<std::string>());
  return result;
}

TensorHandle give_tensor(Tensor tensor) { return give(std::move(tensor)); }

Tensor& tensor_at(TensorHandle handle) { return *reinterpret_cast<Tensor*>(handle); }

void free_tensor(TensorHandle handle) { free_given<Tensor>(handle); }

val to_js(Tensor tensor) { return val(give_tensor(std::move(tensor))); }

val to_js(const Tensors& tensors) {
  return list_of(tensors, [](const Tensor& t) { return to_js(t); });
}

val to_js(const MaskPtr& mask) { return mask ? to_js(mask->values()) : val::null(); }

val to_js(const Masks& masks) {
  return list_of(masks, [](const MaskPtr& m) { return to_js(m); });
}

val to_js(const LayerPtr& layer) { return layer ? val(hold(layer)) : val::null(); }

val to_js(const Value& value) {
  if (value.is_null()) return val::null();
  if (value.is_bool()) return val(value.as_bool(""));
  if (value.is_number()) return val(value.as_number(""));
  if (value.is_string()) return val(value.as_string(""));
  if (value.is_list()) {
    return list_of(value.as_list(""), [](const Value& item) { return to_js(item); });
  }
  JsObject object;
  for (const Dict::Entry& entry : value.as_dict("").entries())
    object.set(val(entry.key), to_js(entry.value));
  return object;
}

val to_js(const Shape& shape) {
  return list_of(shape.dims(), [](Dim dim) {
    return dim == kUnknown ? val::null() : val(static_cast<double>(dim));
  });
}

val to_js(const std::vector<Shape>& shapes) {
  return list_of(shapes, [](const Shape& shape) { return to_js(shape); });
}

val to_js(const std::vector<std::string>& strings) {
  return list_of(strings, [](const std::string& string) { return val(string); });
}

val to_js(const Args& args) {
  const JsList tensors = list_of(args.tensors, [](const TensorArgument& argument) {
    return object_of(Field{"name", argument.name}, Field{"values", argument.values},
                     Field{"list", argument.list});
  });
  return object_of(Field{"inputs", args.inputs}, Field{"list", args.list}, Field{"keys", args.keys},
                   Field{"tensors", tensors},
                   Field{"mask", args.mask ? to_js(*args.mask) : val::null()},
                   Field{"training", args.training}, Field{"options", Value(args.options)});
}

val to_js(const Structure& result) {
  return object_of(Field{"outputs", result.tensors}, Field{"list", result.list},
                   Field{"keys", result.keys});
}

Tensor tensor_from(const val& handle) { return tensor_at(handle.as<TensorHandle>()); }

// An absent operand of an op is null.
Tensors tensors_from(const val& handles) {
  Tensors tensors;
  for (std::size_t i = 0; i < length_of(handles); ++i) {
    const val handle = handles[i];
    tensors.push_back(is_missing(handle) ? Tensor() : tensor_from(handle));
  }
  return tensors;
}

MaskPtr mask_from(const val& handle) {
  if (is_missing(handle)) return nullptr;
  const Tensor values = tensor_from(handle);
  if (!values.is_symbolic() || values.dtype() == DType::kBool) return make_mask(values);
  // Other numbers become booleans, as those of a tensor with data do.
  return std::make_shared<Mask>(ops::not_equal(values, Tensor::scalar(values.dtype(), 0)), values);
}

Masks masks_from(const val& handles) {
  Masks masks;
  for (std::size_t i = 0; i < length_of(handles); ++i) masks.push_back(mask_from(handles[i]));
  return masks;
}

namespace {

// Reads the bytes of LayerReference.pack (web/src/engine/config_value.ts), which has the format.
class Unpacker {
 public:
  explicit Unpacker(const std::string& bytes) : bytes_(bytes) {}

  Value value() {
    const Depth depth;
    switch (bytes_[at_++]) {
      case 't':
        return true;
      case 'f':
        return false;
      case 'd':
        return number<double>();
      case 's':
        return string();
      case 'l':
        return list();
      case 'o':
        return dict();
      case 'h': {
        Dict handle;
        handle[kLayerHandleKey] = layer_at(number<LayerHandle>())->id();
        return handle;
      }
      case 'x':
        config_error("a configuration contains plain data and layers, not a ", string());
      default:
        return nullptr;
    }
  }

 private:
  template <class T>
  T number() {
    T number;
    std::memcpy(&number, bytes_.data() + at_, sizeof number);
    at_ += sizeof number;
    return number;
  }
  std::string string() {
    const auto length = number<std::uint32_t>();
    at_ += length;
    return bytes_.substr(at_ - length, length);
  }
  List list() {
    const auto length = number<std::uint32_t>();
    List list;
    list.reserve(length);
    for (std::uint32_t i = 0; i < length; ++i) list.push_back(value());
    return list;
  }
  Dict dict() {
    Dict dict;
    for (auto left = number<std::uint32_t>(); left > 0; --left) {
      std::string key = string();
      // Only LayerReference may stand for a layer; plain data with this key would forge one.
      if (key == kLayerHandleKey) config_error("a configuration must not contain '", key, "'");
      Value item = value();
      dict.append(std::move(key), std::move(item));
    }
    return dict;
  }

  const std::string& bytes_;
  std::size_t at_ = 0;
};

// The class is looked up once, because a lookup by name costs as much as converting a value.
const val& packer() {
  static const val reference = val::module_property("LayerReference");
  return reference;
}

}  // namespace

// A config crosses in one piece, because each call between the languages costs as much as reading
// ten values.
Value value_from(const val& value) {
  if (is_missing(value)) return nullptr;
  if (value.isNumber()) return value.as<double>();
  const auto bytes = packer().call<std::string>("pack", value);
  return Unpacker(bytes).value();
}

Dict dict_from(const val& value) {
  if (is_missing(value)) return {};
  return value_from(value).as_dict("the options");
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
