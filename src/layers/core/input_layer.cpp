// SPDX-License-Identifier: MIT
#include "layers/core/input_layer.hpp"

namespace maskflow {

Shape shape_from(const Value& value, Name what) {
  Shape shape;
  for (const Value& dim : value.as_list(what)) {
    const Dim size = dim.is_null() ? kUnknown : dim.as_integer(what);
    if (!dim.is_null() && size < 0) config_error("'", what, "' has the negative dimension ", size);
    shape.push_back(size);
  }
  return shape;
}

Value shape_value(const Shape& shape) {
  List list;
  for (const Dim dim : shape.dims()) list.push_back(dim == kUnknown ? Value() : Value(dim));
  return list;
}

void InputLayer::describe(Fields& fields) {
  fields.field("batch_shape", batch_shape_, "Shape, with the batch first; null: unknown.");
  std::string name = this->name();
  if (fields.is_reading() || !name.empty()) fields.field("name", name, "");
  set_name(name);
  fields.field("dtype", dtype_name_, "'float32', 'int32' or 'bool'.");
  fields.field("sparse", sparse_, "Must be false.");
  fields.field("ragged", ragged_, "Must be false.");
  fields.field("optional", optional_, "Not used; kept for the config.");
  fields.ignored({"batch_input_shape", "trainable", "input_shape", "shape", "batch_size"});
  if (fields.has("batch_input_shape") && batch_shape_.is_null()) {
    batch_shape_ = fields.value("batch_input_shape");
  }
}

void InputLayer::check_config() const {
  if (sparse_ || ragged_) {
    unsupported_error("sparse and ragged inputs are not supported; pad and mask the sequences");
  }
  static_cast<void>(spec());
}

TensorSpec InputLayer::spec() const {
  if (batch_shape_.is_null()) config_error("an input needs a shape");
  // Text models of Keras often declare int64, but their ids fit in int32.
  const bool is_integer = dtype_name_ == "int64" || dtype_name_ == "uint8" ||
                          dtype_name_ == "int8" || dtype_name_ == "int16";
  const bool is_float =
      dtype_name_ == "float64" || dtype_name_ == "float16" || dtype_name_ == "bfloat16";
  const DType dtype = is_integer ? DType::kInt32
                      : is_float ? DType::kFloat32
                                 : dtype_of(dtype_name_);
  return {shape_from(batch_shape_, "batch_shape"), dtype};
}

Tensor InputLayer::symbol() {
  ensure_name();
  return record(shared_from_this(), {}, {spec()}).front();
}

Tensor input_symbol(const Dict& config) {
  return std::static_pointer_cast<InputLayer>(make_layer("InputLayer", config))->symbol();
}

Tensor input_symbol(const TensorSpec& spec, const std::string& name) {
  Dict config;
  config["batch_shape"] = shape_value(spec.shape);
  config["dtype"] = name_of(spec.dtype);
  if (!name.empty()) config["name"] = name;
  return input_symbol(config);
}

namespace {
const RegisterLayer<InputLayer> registration{
    "InputLayer",
    "An input of a model's graph.",
    {.composed = true, .built_at_init = true, .in_recurrent_module = true, .in_tfjs = true}};
}  // namespace

}  // namespace maskflow
