// SPDX-License-Identifier: MIT
#include "ops/constant.hpp"

#include <cmath>
#include <vector>

#include "base/error.hpp"

namespace maskflow {
namespace {

bool fits_int32(double x) { return x == std::floor(x) && x < 2147483648.0 && x >= -2147483648.0; }

// The numbers of nested lists, and their common properties.
struct Numbers {
  Shape shape;
  std::vector<double> values;
  bool integers = true;
  bool booleans = true;

  void read(const Value& value, int axis) {
    if (!value.is_list()) {
      if (axis != shape.rank()) config_error("the lists of a constant differ in length");
      booleans = booleans && value.is_bool();
      const double x = value.is_bool() ? (value.as_bool("") ? 1 : 0) : value.as_number("constant");
      integers = integers && fits_int32(x);
      values.push_back(x);
      return;
    }
    const List& items = value.as_list("");
    const auto size = static_cast<Dim>(items.size());
    if (axis == shape.rank() && values.empty()) shape.push_back(size);
    if (axis >= shape.rank() || shape[axis] != size) {
      config_error("the lists of a constant differ in length");
    }
    for (const Value& item : items) read(item, axis + 1);
  }

  [[nodiscard]] DType common() const {
    if (values.empty() || !integers) return DType::kFloat32;
    return booleans ? DType::kBool : DType::kInt32;
  }
};

DType dtype_named(const std::string& name) {
  if (name == "bool") return DType::kBool;
  if (name.starts_with("int") || name.starts_with("uint")) return DType::kInt32;
  if (name.starts_with("float") || name.starts_with("bfloat")) return DType::kFloat32;
  config_error("a constant has dtype '", name, "'; use bool, integers or floats");
}

Value nested_lists(const Tensor& tensor, int axis, std::size_t& next) {
  if (axis == tensor.rank()) {
    const std::size_t i = next++;
    if (tensor.dtype() == DType::kFloat32) return static_cast<double>(tensor.data<float>()[i]);
    if (tensor.dtype() == DType::kInt32) {
      return static_cast<double>(tensor.data<std::int32_t>()[i]);
    }
    return tensor.data<std::uint8_t>()[i] != 0;
  }
  List list;
  for (Dim i = 0; i < tensor.shape()[axis]; ++i) {
    list.push_back(nested_lists(tensor, axis + 1, next));
  }
  return list;
}

}  // namespace

bool is_constant(const Value& value) {
  const Value* const name = value.find("class_name");
  if (name == nullptr || !name->is_string()) return false;
  const std::string& kind = name->as_string("");
  return kind == "__numpy__" || kind == "__tensor__";
}

const Value& plain_constant(const Value& value) {
  if (!is_constant(value)) return value;
  const Value* const config = value.find("config");
  const Value* const lists = config == nullptr ? nullptr : config->find("value");
  if (lists == nullptr) config_error("a constant has no value: ", value);
  return *lists;
}

Tensor constant_from(const Value& value) {
  Numbers numbers;
  numbers.read(plain_constant(value), 0);
  DType dtype = numbers.common();
  if (is_constant(value)) {
    const Value* const name = value.find("config")->find("dtype");
    if (name != nullptr) dtype = dtype_named(name->as_string("dtype"));
    if (dtype == DType::kInt32 && !numbers.integers) {
      config_error("a constant has numbers that do not fit int32");
    }
  }
  Tensor result(dtype, numbers.shape);
  for (std::size_t i = 0; i < numbers.values.size(); ++i) {
    const double x = numbers.values[i];
    if (dtype == DType::kFloat32) {
      result.mutable_data<float>()[i] = static_cast<float>(x);
    } else if (dtype == DType::kInt32) {
      result.mutable_data<std::int32_t>()[i] = static_cast<std::int32_t>(x);
    } else {
      result.mutable_data<std::uint8_t>()[i] = x != 0 ? 1 : 0;
    }
  }
  return result;
}

Value constant_value(const Tensor& tensor, bool typed_scalar) {
  std::size_t next = 0;
  const Value value = nested_lists(tensor, 0, next);
  if (tensor.rank() == 0 && !typed_scalar) return value;
  Dict config;
  config["value"] = value;
  config["dtype"] = name_of(tensor.dtype());
  Dict result;
  // All backends of Keras read arrays. A scalar must be a tensor: Keras writes a scalar array as a
  // number.
  result["class_name"] = tensor.rank() == 0 ? "__tensor__" : "__numpy__";
  result["config"] = config;
  return result;
}

}  // namespace maskflow
