// SPDX-License-Identifier: MIT
#include "layer/initializer.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.hpp"
#include "layer/random_fill.hpp"
#include "ops/constant.hpp"
#include "ops/custom_function.hpp"
#include "ops/ops.hpp"
#include "ops/policy.hpp"

namespace maskflow {
namespace {

enum class Fan { kIn, kOut, kAverage };

struct Known {
  const char* class_name;
  // Variance of variance scaling, as a multiple of 1 / fan; 0 for other initializers.
  double scale;
  Fan fan;
  bool uniform;
};

// Glorot and Bengio 2010; He et al. 2015; LeCun et al. 1998.
constexpr Known kKnown[] = {
    {"GlorotUniform", 1, Fan::kAverage, true},
    {"GlorotNormal", 1, Fan::kAverage, false},
    {"HeUniform", 2, Fan::kIn, true},
    {"HeNormal", 2, Fan::kIn, false},
    {"LecunUniform", 1, Fan::kIn, true},
    {"LecunNormal", 1, Fan::kIn, false},
    {"Zeros", 0, Fan::kIn, false},
    {"Ones", 0, Fan::kIn, false},
    {"Constant", 0, Fan::kIn, false},
    {"RandomUniform", 0, Fan::kIn, true},
    {"RandomNormal", 0, Fan::kIn, false},
    {"TruncatedNormal", 0, Fan::kIn, false},
    {"Orthogonal", 0, Fan::kIn, false},
    {"Identity", 0, Fan::kIn, false},
    {"VarianceScaling", 0, Fan::kIn, false},
};

// Removes case and underscores: "glorot_uniform" and "GlorotUniform" are one name.
std::string normalized(std::string_view name) {
  std::string result = lower_case(name);
  std::erase(result, '_');
  return result;
}

const Known* known_or_null(std::string_view name) {
  std::string key = normalized(name);
  if (key == "uniform" || key == "normal") key = "random" + key;
  if (key == "one" || key == "zero") key += "s";
  // Early versions of Keras 3 used this name.
  if (key == "identityinitializer") key = "identity";
  if (key == "orthogonalinitializer") key = "orthogonal";
  for (const Known& known : kKnown) {
    if (normalized(known.class_name) == key) return &known;
  }
  return nullptr;
}

const Known& find_known(std::string_view name) {
  if (const Known* known = known_or_null(name)) return *known;
  std::string names;
  for (const Known& known : kKnown) names += text(names.empty() ? "" : ", ", known.class_name);
  config_error("unknown initializer '", name, "'; known are ", names);
}

double setting(const Dict& settings, Name name, double fallback) {
  const Value* value = settings.find(name);
  return value == nullptr || value->is_null() ? fallback : value->as_number(name);
}

// Computes the fan by Keras's rule: the last two axes are input and output; the axes before them
// multiply both.
double fan_of(const Shape& shape, Fan fan) {
  if (shape.rank() == 0) return 1;
  const double last = static_cast<double>(shape.back());
  if (shape.rank() == 1) return last;
  const double field = static_cast<double>(shape.size_between(0, shape.rank() - 2));
  const double in = static_cast<double>(shape[-2]) * field;
  const double out = last * field;
  return fan == Fan::kIn ? in : fan == Fan::kOut ? out : (in + out) / 2;
}

void fill_variance_scaling(std::span<float> out, const Shape& shape, const Known& known,
                           const Dict& settings, Random& random) {
  Fan fan = known.fan;
  bool uniform = known.uniform;
  bool truncated = true;
  if (known.scale == 0) {
    const Value* mode = settings.find("mode");
    if (mode != nullptr && mode->as_string("mode") == "fan_out") fan = Fan::kOut;
    if (mode != nullptr && mode->as_string("mode") == "fan_avg") fan = Fan::kAverage;
    const Value* distribution = settings.find("distribution");
    const std::string kind =
        distribution == nullptr ? "truncated_normal" : distribution->as_string("distribution");
    uniform = kind == "uniform";
    truncated = kind != "untruncated_normal";
  }
  const double scale = setting(settings, "scale", known.scale == 0 ? 1 : known.scale);
  const double variance = scale / std::max(1.0, fan_of(shape, fan));
  // 0.8796… is the standard deviation of a standard normal distribution cut at ±2.
  const double deviation = std::sqrt(variance) / (truncated ? 0.87962566103423978 : 1.0);
  const double limit = std::sqrt(3 * variance);
  if (uniform) return random.fill_uniform(out, -limit, limit);
  for (float& x : out) {
    x = static_cast<float>(deviation * (truncated ? truncated_normal(random) : random.normal()));
  }
}

// As in Keras, the value may be an array, which is repeated along axes of size 1 or missing ones.
Tensor create_constant(const Dict& settings, const Shape& shape, DType dtype) {
  const Value* value = settings.find("value");
  const bool is_array = value != nullptr && (value->is_list() || is_constant(*value));
  if (!is_array) return Tensor::full(dtype, shape, setting(settings, "value", 0));
  const Tensor values = constant_from(*value);
  if (!broadcasts_to(values.shape(), shape)) {
    shape_error("initializer Constant has values of shape ", values.shape(),
                " for a weight of shape ", shape);
  }
  return ops::broadcast_to(ops::cast(values, dtype), shape);
}

}  // namespace

Initializer::Initializer(std::string name) : class_name_(find_known(name).class_name) {}

Initializer Initializer::from_config(const Value& config) {
  if (config.is_null()) return Initializer("zeros");
  if (config.is_string()) return Initializer(config.as_string("initializer"));
  const Value* name = config.find("class_name");
  if (name == nullptr)
    config_error("an initializer is a name or {class_name, config}, not ", config);
  const std::string& class_name = name->as_string("class_name");
  Initializer result;
  // Loading accepts unknown classes, because a file with the weights needs no user-defined
  // initializer.
  if (known_or_null(class_name) == nullptr) {
    result.class_name_ = class_name;
    result.unknown_ = config;
    return result;
  }
  result = Initializer(class_name);
  if (const Value* settings = config.find("config")) result.settings_ = settings->as_dict("config");
  return result;
}

Value Initializer::config() const {
  if (!unknown_.is_null()) return unknown_;
  Dict result;
  result["module"] = "keras.initializers";
  result["class_name"] = class_name_;
  result["config"] = settings_;
  result["registered_name"] = nullptr;
  return result;
}

Initializer Initializer::with_ones(int first, int count) const {
  Initializer result = *this;
  result.first_one_ = first;
  result.ones_ = count;
  return result;
}

Tensor Initializer::operator()(const Shape& shape, DType dtype) const {
  if (const CustomFunction custom = CustomFunction::from_config(unknown_); !custom.empty()) {
    if (ones_ == 0) return custom.create(shape, dtype);
    // As in Keras, the function makes the parts of the bias before and after the ones.
    return ops::concatenate(
        std::array{custom.create({first_one_}, dtype), Tensor::full(dtype, {ones_}, 1),
                   custom.create({shape.size() - first_one_ - ones_}, dtype)},
        0);
  }
  Tensor result = create(shape, dtype);
  if (ones_ > 0) std::fill_n(result.mutable_data<float>().begin() + first_one_, ones_, 1.0F);
  return result;
}

Tensor Initializer::create(const Shape& shape, DType dtype) const {
  const Known& known = find_known(class_name_);
  if (class_name_ == "Zeros") return Tensor::zeros(dtype, shape);
  if (class_name_ == "Ones") return Tensor::full(dtype, shape, 1);
  if (class_name_ == "Constant") return create_constant(settings_, shape, dtype);
  Tensor result = Tensor::zeros(DType::kFloat32, shape);
  const std::span<float> out = result.mutable_data<float>();
  Random& random = Policy::current().random;
  if (class_name_ == "RandomUniform") {
    const double low = setting(settings_, "minval", -0.05);
    const double high = setting(settings_, "maxval", 0.05);
    random.fill_uniform(out, low, high);
  } else if (class_name_ == "RandomNormal" || class_name_ == "TruncatedNormal") {
    const double mean = setting(settings_, "mean", 0);
    const double deviation = setting(settings_, "stddev", 0.05);
    const bool cut = class_name_ == "TruncatedNormal";
    for (float& x : out) {
      x = static_cast<float>(mean + deviation * (cut ? truncated_normal(random) : random.normal()));
    }
  } else if (class_name_ == "Orthogonal" || class_name_ == "Identity") {
    if (shape.rank() < 2) {
      shape_error("initializer ", class_name_, " needs at least 2 dimensions, not ", shape);
    }
    const double gain = setting(settings_, "gain", 1);
    const Dim columns = shape.back();
    const Dim rows = shape.size_between(0, shape.rank() - 1);
    if (class_name_ == "Orthogonal") {
      fill_orthogonal(out, rows, columns, gain, random);
    } else {
      for (Dim i = 0; i < std::min(rows, columns); ++i) {
        out[static_cast<std::size_t>(i * columns + i)] = static_cast<float>(gain);
      }
    }
  } else {
    fill_variance_scaling(out, shape, known, settings_, random);
  }
  return result;
}

}  // namespace maskflow
