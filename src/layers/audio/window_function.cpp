// SPDX-License-Identifier: MIT
// Window functions by the formulas of scipy.signal.windows.
#include "layers/audio/window_function.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace maskflow {
namespace {

constexpr double kPi = 3.14159265358979323846;

// Position of a sample in a window of `length` samples, at least 2.
struct Place {
  double x;            // from 0 at the first sample to 1 at the last one
  double from_middle;  // 0 in the middle, 1 at both ends
  double length;
};

// A sum of cosines: a[0] - a[1] cos(2 pi x) + a[2] cos(4 pi x) - ...
template <std::size_t N>
double cosines(const Place& at, const double (&factors)[N]) {
  double sum = 0;
  double sign = 1;
  for (std::size_t k = 0; k < N; ++k, sign = -sign) {
    sum += sign * factors[k] * std::cos(2 * kPi * static_cast<double>(k) * at.x);
  }
  return sum;
}

double bohman(const Place& at) {
  const double r = at.from_middle;
  return r >= 1 ? 0 : (1 - r) * std::cos(kPi * r) + std::sin(kPi * r) / kPi;
}

double lanczos(const Place& at) {
  const double y = kPi * (2 * at.x - 1);
  return y == 0 ? 1 : std::sin(y) / y;
}

// The window reaches half a sample beyond the first and the last one.
double parzen(const Place& at) {
  const double r = at.from_middle * (at.length - 1) / at.length;
  return r <= 0.5 ? 1 - 6 * r * r * (1 - r) : 2 * (1 - r) * (1 - r) * (1 - r);
}

double triangle(const Place& at) {
  return 1 - at.from_middle * (at.length - 1) / (at.length + std::fmod(at.length, 2.0));
}

double tukey(const Place& at) {
  const double near_end = std::min(at.x, 1 - at.x);
  return near_end >= 0.25 ? 1 : (1 + std::cos(kPi * (4 * near_end - 1))) / 2;
}

using Function = double (*)(const Place&);
// In the order of kWindowFunctions.
constexpr std::array<Function, 16> kFunctions{
    [](const Place& at) {
      return 0.62 - 0.48 * std::abs(at.x - 0.5) - 0.38 * std::cos(2 * kPi * at.x);
    },
    [](const Place& at) { return 1 - at.from_middle; },
    [](const Place& at) {
      return cosines(at, {0.42, 0.5, 0.08});
    },
    [](const Place& at) {
      return cosines(at, {0.35875, 0.48829, 0.14128, 0.01168});
    },
    bohman,
    [](const Place&) { return 1.0; },
    [](const Place& at) { return std::sin(kPi * (at.x * (at.length - 1) + 0.5) / at.length); },
    [](const Place& at) { return std::exp(-at.from_middle * (at.length - 1) / 2); },
    [](const Place& at) {
      return cosines(at, {0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368});
    },
    [](const Place& at) {
      return cosines(at, {0.54, 0.46});
    },
    [](const Place& at) {
      return cosines(at, {0.5, 0.5});
    },
    lanczos,
    [](const Place& at) {
      return cosines(at, {0.3635819, 0.4891775, 0.1365995, 0.0106411});
    },
    parzen,
    triangle,
    tukey,
};

}  // namespace

Tensor window_function(std::string_view name, Dim length, bool periodic) {
  const std::vector<std::string> names = words(kWindowFunctions);
  const auto index = std::ranges::find(names, name) - names.begin();
  const Function function = kFunctions[static_cast<std::size_t>(index)];
  Tensor window = Tensor::full(DType::kFloat32, {length}, 1);
  if (length == 1) return window;
  const auto whole = static_cast<double>(periodic ? length + 1 : length);
  for (Dim i = 0; i < length; ++i) {
    const double x = static_cast<double>(i) / (whole - 1);
    const Place place{x, std::abs(2 * x - 1), whole};
    window.mutable_floats()[i] = static_cast<float>(function(place));
  }
  return window;
}

}  // namespace maskflow
