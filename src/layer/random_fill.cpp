// SPDX-License-Identifier: MIT
#include "layer/random_fill.hpp"

#include <cmath>
#include <utility>
#include <vector>

namespace maskflow {

double truncated_normal(Random& random) {
  for (;;) {
    const double x = random.normal();
    if (std::fabs(x) < 2) return x;
  }
}

// By Gram and Schmidt on a normal matrix.
void fill_orthogonal(std::span<float> out, Dim rows, Dim columns, double gain, Random& random) {
  const bool wide = columns > rows;
  const auto count = static_cast<std::size_t>(wide ? rows : columns);
  const auto length = static_cast<std::size_t>(wide ? columns : rows);
  std::vector<std::vector<double>> basis;
  while (basis.size() < count) {
    std::vector<double> v(length);
    for (double& x : v) x = random.normal();
    for (const auto& b : basis) {
      double dot = 0;
      for (std::size_t i = 0; i < length; ++i) dot += v[i] * b[i];
      for (std::size_t i = 0; i < length; ++i) v[i] -= dot * b[i];
    }
    double norm = 0;
    for (const double x : v) norm += x * x;
    norm = std::sqrt(norm);
    if (norm < 1e-6) continue;
    for (double& x : v) x /= norm;
    basis.push_back(std::move(v));
  }
  for (std::size_t j = 0; j < count; ++j) {
    for (std::size_t i = 0; i < length; ++i) {
      out[wide ? j * length + i : i * count + j] = static_cast<float>(gain * basis[j][i]);
    }
  }
}

}  // namespace maskflow
