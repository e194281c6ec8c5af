// SPDX-License-Identifier: MIT
#include "support/gradients.hpp"

#include <cmath>
#include <optional>

#include "base/text.hpp"
#include "support/tensors.hpp"
#include "training/recorder.hpp"

namespace maskflow::test {
namespace {

// Returns the sum of cotangent * result over all results, in double.
double weighted_sum(const Tensors& results, const Tensors& cotangents) {
  double sum = 0;
  for (std::size_t i = 0; i < cotangents.size(); ++i) {
    if (cotangents[i].empty_handle()) continue;
    const std::vector<double> values = numbers(results[i]);
    const std::vector<double> weights = numbers(cotangents[i]);
    for (std::size_t k = 0; k < values.size(); ++k) sum += values[k] * weights[k];
  }
  return sum;
}

Tensor shifted(const Tensor& x, const Tensor& direction, double step) {
  Tensor result(DType::kFloat32, x.shape());
  const std::span<float> to = result.mutable_data<float>();
  for (std::size_t i = 0; i < to.size(); ++i) {
    to[i] = x.data<float>()[i] + static_cast<float>(step) * direction.data<float>()[i];
  }
  return result;
}

Tensors run(const Computation& computation) {
  Frame frame;
  return computation.run(frame);
}

// Returns the derivative along a direction, by central differences.
double slope(const MakeComputation& make, const Tensors& variables, std::size_t which,
             const Tensor& direction, const Tensors& cotangents, double step) {
  double difference = 0;
  for (const double sign : {1.0, -1.0}) {
    Tensors changed = variables;
    changed[which] = shifted(variables[which], direction, sign * step);
    difference += sign * weighted_sum(run(make(changed)), cotangents);
  }
  return difference / (2 * step);
}

}  // namespace

Tensors random_cotangents(Rng& rng, const Tensors& results) {
  Tensors cotangents;
  for (const Tensor& result : results) {
    const bool is_float = result.dtype() == DType::kFloat32;
    cotangents.push_back(is_float ? random_floats(rng, result.shape()) : Tensor());
  }
  return cotangents;
}

Tensors gradients_of(const Computation& computation, const Tensors& cotangents) {
  Tape tape;
  for (const Tensor& variable : computation.variables) tape.watch(variable);
  Recorder recorder(tape);
  Frame frame;
  frame.observer = &recorder;
  const Tensors results = computation.run(frame);
  return tape.gradients(results, cotangents, computation.variables);
}

std::string check_gradients(const MakeComputation& make, const Tensors& variables, Rng& rng) {
  const Tensors cotangents = random_cotangents(rng, run(make(variables)));
  const Tensors gradients = gradients_of(make(variables), cotangents);
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const Tensor direction = random_floats(rng, variables[i].shape());
    double expected = 0;
    double size = 1;
    if (!gradients[i].empty_handle()) {
      if (gradients[i].shape() != variables[i].shape()) {
        return text("gradient ", i, " has shape ", gradients[i].shape(), ", not ",
                    variables[i].shape());
      }
      const std::vector<double> gradient = numbers(gradients[i]);
      const std::vector<double> along = numbers(direction);
      for (std::size_t k = 0; k < gradient.size(); ++k) {
        expected += gradient[k] * along[k];
        size = std::max(size, std::fabs(gradient[k]));
      }
    }
    double measured = 0;
    bool fits = false;
    for (const double step : {0x1p-7, 0x1p-9, 0x1p-11}) {
      measured = slope(make, variables, i, direction, cotangents, step);
      fits = fits || std::fabs(measured - expected) <= 2e-3 * size;
    }
    if (!fits)
      return text("variable ", i, ": differences give ", measured, ", the tape ", expected);
  }
  return "";
}

}  // namespace maskflow::test
