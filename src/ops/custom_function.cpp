// SPDX-License-Identifier: MIT
#include "ops/custom_function.hpp"

#include <utility>

#include "base/error.hpp"
#include "ops/ops.hpp"

namespace maskflow {

CustomFunction CustomFunction::from_config(const Value& config) {
  CustomFunction function;
  const Value* id = config.find("function_id");
  if (id == nullptr || !id->is_string()) return function;
  function.id_ = id->as_string("function_id");
  function.config_ = config;
  return function;
}

Tensor CustomFunction::operator()(const Tensor& x) const {
  return checked(custom_function_host.apply(id_, x), x.shape(), DType::kFloat32);
}

Tensor CustomFunction::create(const Shape& shape, DType dtype) const {
  return checked(custom_function_host.create(id_, shape, dtype), shape, dtype);
}

Tensor CustomFunction::checked(Tensor result, const Shape& shape, DType dtype) const {
  if (result.shape() != shape) {
    const Value* name = config_.find("config");
    shape_error("the function '", name == nullptr ? "" : name->as_string("config"),
                "' returned shape ", result.shape(), " but must return ", shape);
  }
  return ops::cast(std::move(result), dtype);
}

}  // namespace maskflow
