// SPDX-License-Identifier: MIT
// Names and settings that every layer has.
#include "layers/layer.hpp"

namespace maskflow {

void Layer::describe(Fields& fields) {
  if (fields.is_reading() || !name_.empty()) fields.field("name", name_, "");
  fields.field("trainable", trainable_, "");
  fields.field("dtype", dtype_, "");
  fields.ignored({"batch_input_shape", "batch_shape", "input_dtype"});
}

void Layer::read_config(const Dict& config) {
  Fields fields = Fields::reading(config);
  describe(fields);
  fields.reject_unknown(class_name_);
  check_config();
}

Dict Layer::get_config() {
  ensure_name();
  Dict config;
  Fields fields = Fields::writing(config);
  describe(fields);
  return config;
}

void Layer::ensure_name() {
  if (!name_.empty()) return;
  static Dict counts;
  const std::string base = default_name();
  Value& next = counts[base];
  const std::int64_t count = next.is_null() ? 0 : next.as_integer(base);
  next = count + 1;
  name_ = count == 0 ? base : text(base, "_", count);
}

std::string Layer::default_name() const { return snake_case(class_name_); }

}  // namespace maskflow
