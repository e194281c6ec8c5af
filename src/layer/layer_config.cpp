// SPDX-License-Identifier: MIT
// Names and settings that every layer has.
#include <algorithm>

#include "layer/activity_regularizers.hpp"
#include "layer/layer.hpp"
#include "layer/numbered_name.hpp"

namespace maskflow {
namespace {

// Accepts Keras's dtype policies for numbers. All of them compute in float32 here, which is more
// exact than 16 bits and less exact than float64. Policies with other weights (int8, float8) are
// refused.
void check_policy(const Value& dtype) {
  if (dtype.is_null()) return;
  const Value* config = dtype.find("config");
  const Value* name = config == nullptr ? &dtype : config->find("name");
  constexpr std::string_view kKnown =
      "float32 float16 bfloat16 float64 mixed_float16 mixed_bfloat16 int32 int64 int16 int8 uint8 "
      "bool";
  const std::vector<std::string> known = words(kKnown);
  if (name != nullptr && name->is_string() &&
      std::ranges::find(known, name->as_string("dtype")) != known.end()) {
    return;
  }
  unsupported_error("'dtype' is ", dtype, ", which is not supported; known are ", kKnown,
                    ", and all are computed in float32");
}

}  // namespace

void Layer::describe(Fields& fields) {
  if (fields.is_reading() || !name_.empty()) fields.field("name", name_, "");
  fields.field("trainable", trainable_, "");
  fields.field("dtype", dtype_, "");
  if (fields.is_reading()) check_policy(dtype_);
  fields.ignored(
      {"batch_input_shape", "input_shape", "batch_shape", "input_dtype", "activity_regularizer"});
  if (fields.has("input_shape")) {
    List shape = fields.value("input_shape").as_list("input_shape");
    shape.insert(shape.begin(), Value());
    first_shape_ = std::move(shape);
  }
  if (fields.has("batch_input_shape")) first_shape_ = fields.value("batch_input_shape");
  // Every layer accepts this setting; only some write it if it is null.
  constexpr const char* kActivity = "activity_regularizer";
  if (!fields.has(kActivity)) return;
  inert_[kActivity] = fields.value(kActivity);
  if (!fields.value(kActivity).is_null()) has_activity_regularizers = true;
}

void Layer::read_config(const Dict& config) {
  Fields fields = Fields::reading(config);
  describe(fields);
  fields.reject_unknown(class_name_);
  check_config();
}

Value Layer::activity_regularizer() const {
  const Value* value = inert_.find("activity_regularizer");
  return value == nullptr ? Value() : *value;
}

Dict Layer::get_config() {
  ensure_name();
  Dict config;
  Fields fields = Fields::writing(config);
  describe(fields);
  constexpr const char* kActivity = "activity_regularizer";
  if (const Value* value = inert_.find(kActivity)) config[kActivity] = *value;
  return config;
}

void Layer::ensure_name() {
  if (name_.empty()) name_ = numbered_name(default_name());
}

std::string numbered_name(const std::string& base) {
  static Dict counts;
  Value& next = counts[base];
  const std::int64_t count = next.is_null() ? 0 : next.as_integer("number of names");
  next = count + 1;
  return count == 0 ? base : text(base, "_", count);
}

std::string Layer::default_name() const { return snake_case(class_name_); }

}  // namespace maskflow
