// SPDX-License-Identifier: MIT
// Errors, settings of the program, tensors and ops as JavaScript calls them. Here and in the other
// *_bindings.cpp, web/src/engine/native.ts documents each entry of the table at the end.
#include "base/choice.hpp"
#include "bind.hpp"
#include "exchange.hpp"
#include "js_layer.hpp"
#include "model/model.hpp"
#include "ops/op.hpp"

namespace maskflow::bindings {
namespace {

// Unguarded, because a guarded call cannot return the error of an earlier one.
val take_last_error() {
  const LastError error = std::exchange(last_error(), {});
  return object_of(Field{"kind", error.kind},
                   Field{"message", error.message.empty()
                                        ? val("out of memory: dispose of what is no longer needed, "
                                              "or use smaller batches")
                                        : val(error.message)});
}

void configure(const Dict& options) {
  Policy& policy = Policy::current();
  if (const Value* rule = options.find("mask_propagation")) {
    policy.mask_propagation = static_cast<MaskPropagation>(
        choice_index("maskPropagation", *rule, "keras-3.15 keras-3.16"));
  }
  if (const Value* pin = options.find("pin_mask_propagation")) {
    policy.pin_mask_propagation = pin->as_bool("pin_mask_propagation");
  }
  if (const Value* reaction = options.find("on_mask_dropped")) {
    policy.on_mask_dropped =
        static_cast<OnMaskDropped>(choice_index("onMaskDropped", *reaction, "warn error silent"));
  }
  if (const Value* note = options.find("absent_note")) {
    policy.absent_note = note->as_string("absent_note");
  }
  if (const Value* limit = options.find("max_bytes")) {
    const double bytes = limit->as_number("maxBytes");
    if (!(bytes >= 1 && bytes <= 0x1p53)) {
      config_error("maxBytes is ", bytes, " but must be a number of bytes, at least 1");
    }
    set_memory_limit(static_cast<std::uint64_t>(bytes));
  }
  if (const Value* seed = options.find("seed")) {
    policy.random = Random(static_cast<std::uint64_t>(seed->as_integer("seed")));
  }
}

JsObject memory() {
  return object_of(Field{"tensors", live_memory().tensors}, Field{"bytes", live_memory().bytes});
}

Tensor tensor_create(int dtype, const val& shape) {
  return Tensor(static_cast<DType>(dtype), shape_from(shape));
}

double exchange_address() {
  return static_cast<double>(reinterpret_cast<std::uintptr_t>(&exchange()));
}

double tensor_pointer(Tensor& tensor) {
  if (tensor.is_symbolic()) {
    state_error(
        "a symbolic tensor has a shape but no data; build a model from it and call predict");
  }
  return static_cast<double>(reinterpret_cast<std::uintptr_t>(tensor.raw()));
}

JsObject tensor_info(Tensor& tensor) {
  return object_of(Field{"dtype", tensor.dtype()}, Field{"shape", tensor.shape()},
                   Field{"symbolic", tensor.is_symbolic()});
}

MaskPtr tensor_mask(Tensor& tensor) { return tensor.mask(); }

Tensor tensor_with_mask(Tensor& tensor, const val& mask) {
  return with_mask(tensor, mask_from(mask));
}

// Key of the options by position. As in Keras, each is the next attribute with a default.
constexpr Name kPositional = "";

Dict named(const OpDef& op, const Dict& attributes) {
  Dict result;
  for (const auto& [name, value] : attributes.entries()) {
    if (!name.empty()) result[name] = value;
  }
  const List& values = attributes.find(kPositional)->as_list("the options by position");
  std::size_t next = 0;
  for (const OpAttribute& attribute : op.attributes) {
    if (attribute.required || next == values.size()) continue;
    if (result.find(attribute.name) != nullptr) {
      value_error("ops.", op.name, ": '", attribute.name,
                  "' is given twice: by position and by name");
    }
    result[attribute.name] = values[next++];
  }
  if (next < values.size()) {
    value_error("ops.", op.name, ": got ", values.size(), " options by position but has ", next,
                "; pass the others by name, as an object");
  }
  return result;
}

Tensors op_apply(const std::string& name, const Tensors& operands, const Dict& attributes) {
  const OpDef& op = find_op(name);
  if (attributes.find(kPositional) != nullptr)
    return op_apply(name, operands, named(op, attributes));
  const Frame* frame = running_frame();
  return frame == nullptr ? apply_op(op, operands, attributes)
                          : apply_op(op, operands, attributes, *frame);
}

EMSCRIPTEN_BINDINGS(maskflow) {
  emscripten::function("lastError", &take_last_error);
  emscripten::function("exchangeAddress", &exchange_address);
  bind<&set_host>("setHost");
  bind<&configure>("configure");
  bind<&memory>("memory");

  bind<&tensor_create>("tensorCreate");
  bind<&tensor_pointer>("tensorPointer");
  bind<&tensor_info>("tensorInfo");
  bind<&tensor_mask>("tensorMask");
  bind<&tensor_with_mask>("tensorWithMask");
  bind<&op_apply>("opApply");
}

}  // namespace
}  // namespace maskflow::bindings
