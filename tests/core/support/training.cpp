// SPDX-License-Identifier: MIT
#include "support/training.hpp"

#include <algorithm>
#include <cmath>

#include "support/tensors.hpp"

namespace maskflow::test {

std::shared_ptr<Optimizer> optimizer_from(const Value& serialized) {
  return std::static_pointer_cast<Optimizer>(
      deserialize_configurable(ConfigurableKind::kOptimizer, serialized));
}

VariablePtr variable(const std::string& name, const Tensor& value) {
  auto result =
      std::make_shared<Variable>(name, value.shape(), Initializer("zeros"), true, value.dtype());
  result->set_value(value);
  return result;
}

void build(Optimizer& optimizer, const std::vector<VariablePtr>& variables) {
  std::vector<Trained> trained;
  for (const VariablePtr& weight : variables) {
    trained.push_back({weight, weight->name(), nullptr});
  }
  optimizer.build(std::move(trained));
}

void apply(Optimizer& optimizer, const Tensors& gradients,
           const std::vector<VariablePtr>& variables) {
  std::vector<VariableGradient> all;
  for (const Tensor& gradient : gradients) all.push_back({gradient});
  optimizer.apply(all, variables);
}

std::string recorded_difference(const Tensor& actual, const Tensor& expected, double spread,
                                double floor) {
  if (actual.shape() != expected.shape() || actual.dtype() != expected.dtype()) {
    return text("is ", actual.dtype(), " ", actual.shape(), ", expected ", expected.dtype(), " ",
                expected.shape());
  }
  const std::vector<double> a = numbers(actual);
  const std::vector<double> b = numbers(expected);
  double largest = floor;
  for (const double x : b) largest = std::max(largest, std::fabs(x));
  const double limit = std::max(1e-5, 8 * spread) * largest;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::fabs(a[i] - b[i]) <= limit || (std::isnan(a[i]) && std::isnan(b[i]))) continue;
    return text("[", i, "]: ", a[i], " instead of ", b[i], ", which is off by more than ", limit);
  }
  return "";
}

}  // namespace maskflow::test
