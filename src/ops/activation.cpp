// SPDX-License-Identifier: MIT
#include "ops/activation.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "base/error.hpp"
#include "base/error_codes.hpp"
#include "kernels/copy.hpp"
#include "kernels/team.hpp"
#include "ops/integer_clip.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

constexpr std::pair<std::string_view, std::string_view> kAliases[] = {
    {"swish", "silu"},      {"hard_swish", "hard_silu"}, {"exp", "exponential"},
    {"ReLU", "relu"},       {"LeakyReLU", "leaky_relu"}, {"ELU", "elu"},
    {"Softmax", "softmax"},
};

// Time of a function of one number, in multiply-adds.
constexpr std::size_t kWork = 16;

const kernels::ActivationFunction& checked_activation(std::string_view name) {
  if (const auto* function = find_activation(name)) return *function;
  std::string names;
  for (const auto& function : kernels::activation_functions()) {
    names += text(names.empty() ? "" : ", ", function.name);
  }
  fail_with(kUnknownActivation, "unknown activation '", name, "'; known are ", names);
}

}  // namespace

const kernels::ActivationFunction* find_activation(std::string_view name) {
  for (const auto& [alias, target] : kAliases) {
    if (name == alias) name = target;
  }
  for (const auto& function : kernels::activation_functions()) {
    if (function.name == name) return &function;
  }
  return nullptr;
}

Activation::Activation(std::string_view name)
    : function_(&checked_activation(name)), parameters_(function_->defaults) {
  name_ = function_->name;
}

Activation Activation::from_config(const Value& config) {
  if (config.is_null()) return Activation();
  if (config.is_string()) return Activation(config.as_string("activation"));
  if (CustomFunction custom = CustomFunction::from_config(config); !custom.empty()) {
    Activation result;
    result.name_ = "function";
    result.custom_ = std::move(custom);
    return result;
  }
  const Value* class_name = config.find("class_name");
  const Value* settings = config.find("config");
  if (class_name == nullptr) config_error("'activation' must be a name, not ", config);
  // A serialized function is {"class_name": "function", "config": "relu"}.
  if (settings != nullptr && settings->is_string())
    return Activation(settings->as_string("config"));
  Activation result(class_name->as_string("class_name"));
  for (std::size_t i = 0; i < 3 && settings != nullptr; ++i) {
    const Value* value = settings->find(result.function_->names[i]);
    if (value != nullptr && value->is_number()) {
      result.parameters_[i] = static_cast<float>(value->as_number("config"));
    }
  }
  return result;
}

Value Activation::config() const { return is_custom() ? custom_.config() : Value(name_); }

void Activation::apply(float* rows, std::size_t count, std::size_t width) const {
  if (is_custom()) return apply(rows, count, width, width);
  if (is_pointwise()) {
    kernels::parallel_elements(count * width, kWork, [&](std::size_t begin, std::size_t end) {
      function_->pointwise(rows + begin, end - begin, parameters_);
    });
    return;
  }
  if (function_->row == nullptr) {
    unsupported_error("activation '", name_,
                      "' halves the last axis, which this layer does not support; use an "
                      "Activation layer");
  }
  kernels::parallel_rows(count, width * kWork, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) function_->row(rows + row * width, width);
  });
}

void Activation::apply(float* rows, std::size_t count, std::size_t width,
                       std::size_t stride) const {
  if (!is_custom()) {
    for (std::size_t row = 0; row < count; ++row) apply(rows + row * stride, 1, width);
    return;
  }
  Tensor x(DType::kFloat32, {static_cast<Dim>(count), static_cast<Dim>(width)});
  float* const copies = x.mutable_floats();
  for (std::size_t row = 0; row < count; ++row) {
    kernels::copy(rows + row * stride, copies + row * width, width);
  }
  const Tensor y = custom_(x);
  for (std::size_t row = 0; row < count; ++row) {
    kernels::copy(y.floats() + row * width, rows + row * stride, width);
  }
}

std::optional<IntegerClip> integer_clip(std::string_view function,
                                        const kernels::ActivationParameters& parameters) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (function == "relu6") return IntegerClip{0, 6, -kInfinity};
  if (function == "hard_tanh") return IntegerClip{-1, 1, -kInfinity};
  if (function != "relu") return std::nullopt;
  const auto [slope, high, threshold] = parameters;
  // Keras rounds the settings towards zero, too.
  if (slope != 0 || high < 0) return std::nullopt;
  const double low = high == kInfinity ? -kInfinity : 0;
  return IntegerClip{low, std::trunc(high), std::trunc(threshold)};
}

Tensor clip_integers(const Tensor& x, const IntegerClip& clip) {
  Tensor result(DType::kInt32, x.shape());
  const auto source = x.data<std::int32_t>();
  const auto out = result.mutable_data<std::int32_t>();
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double number = source[i];
    const bool passes = number > clip.threshold;
    out[i] =
        passes ? static_cast<std::int32_t>(std::min(std::max(number, clip.low), clip.high)) : 0;
  }
  return result;
}

Tensor Activation::operator()(const Tensor& x) const {
  if (is_custom()) return custom_(ops::cast(x, DType::kFloat32));
  if (x.dtype() == DType::kInt32) {
    if (const auto clip = integer_clip(name_, parameters_)) return clip_integers(x, *clip);
  }
  if (!is_pointwise() && function_->row == nullptr) return ops::glu(x);
  Tensor result(DType::kFloat32, x.shape());
  if (result.bytes() == 0) return result;
  std::memcpy(result.mutable_raw(), ops::cast(x, DType::kFloat32).raw(), result.bytes());
  const auto width = x.rank() == 0 ? std::size_t{1} : x.shape().length(-1);
  apply(result.mutable_floats(), result.size() / width, width);
  return result;
}

}  // namespace maskflow
