// SPDX-License-Identifier: MIT
// At kinks the subgradients are those of torch, with which the Keras cases were recorded: 0 for
// relu, relu6 and hard_sigmoid.
#include "kernels/activation_gradient.hpp"

#include <cmath>

#include "kernels/loops.hpp"

namespace maskflow::kernels {
namespace {

using P = ActivationParameters;

// F is the derivative at x, where y = f(x).
template <float (*F)(float x, float y, const P& p)>
void pointwise(const float* x, const float* y, const float* g, float* to, std::size_t n,
               const P& p) {
  MASKFLOW_KEEP_ROLLED
  for (std::size_t i = 0; i < n; ++i) to[i] = g[i] * F(x[i], y[i], p);
}

float logistic(float x) { return 1 / (1 + std::exp(-x)); }
float within(bool inside) { return inside ? 1.0F : 0.0F; }

float celu(float x, float y, const P& p) { return x > 0 ? 1 : 1 + y / p[0]; }
float elu(float x, float y, const P& p) { return x > 0 ? 1 : y + p[0]; }
float exponential(float, float y, const P&) { return y; }
float gelu(float x, float, const P& p) {
  if (p[0] != 0) {
    const float t = std::tanh(0.7978845608F * (x + 0.044715F * x * x * x));
    return 0.5F * (1 + t) + 0.5F * x * (1 - t * t) * 0.7978845608F * (1 + 0.134145F * x * x);
  }
  const float density = 0.3989422804F * std::exp(-0.5F * x * x);
  return 0.5F * (1 + std::erf(x * 0.7071067812F)) + x * density;
}
float hard_shrink(float x, float, const P& p) { return within(std::abs(x) > p[0]); }
float hard_sigmoid(float x, float, const P&) { return x > -3 && x < 3 ? 1 / 6.0F : 0; }
float hard_sigmoid_keras2(float x, float, const P&) { return x > -2.5F && x < 2.5F ? 0.2F : 0; }
float hard_silu(float x, float, const P&) { return x <= -3 ? 0 : x >= 3 ? 1 : (2 * x + 3) / 6; }
float hard_tanh(float x, float, const P&) { return within(x > -1 && x < 1); }
float leaky_relu(float x, float, const P& p) { return x > 0 ? 1 : p[0]; }
float linear(float, float, const P&) { return 1; }
float log_sigmoid(float x, float, const P&) { return logistic(-x); }
float mish(float x, float, const P&) {
  const float softplus = x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
  const float t = std::tanh(softplus);
  return t + x * (1 - t * t) * logistic(x);
}
float relu(float x, float, const P& p) {
  const bool bounded = std::isfinite(p[1]);
  if (x > p[2]) {
    // Keras clips to the bound, whose derivative is 1 at both ends, or applies relu6.
    const bool at_bound = x == p[1] && (p[1] != 6 || p[2] != 0);
    return within(!bounded || at_bound || (x >= 0 && x < p[1]));
  }
  return x < p[2] || (p[2] == 0 && !bounded) ? p[0] : 0;
}
float relu6(float x, float, const P&) { return within(x > 0 && x < 6); }
float selu(float x, float y, const P&) {
  return x > 0 ? 1.0507009873554805F : y + 1.0507009873554805F * 1.6732632423543772F;
}
float sigmoid(float, float y, const P&) { return y * (1 - y); }
float silu(float x, float, const P&) {
  const float s = logistic(x);
  return s + x * s * (1 - s);
}
float soft_shrink(float x, float, const P& p) { return within(std::abs(x) > p[0]); }
float softplus(float x, float, const P&) { return logistic(x); }
float softsign(float x, float, const P&) {
  const float d = 1 + std::abs(x);
  return 1 / (d * d);
}
float sparse_plus(float x, float, const P&) { return x <= -1 ? 0 : x < 1 ? (x + 1) / 2 : 1; }
float sparse_sigmoid(float x, float, const P&) { return x > -1 && x < 1 ? 0.5F : 0; }
float squareplus(float x, float, const P& p) { return 0.5F * (1 + x / std::sqrt(x * x + p[0])); }
float tanh(float, float y, const P&) { return 1 - y * y; }
float tanh_shrink(float x, float y, const P&) { return (x - y) * (x - y); }
float threshold(float x, float, const P& p) { return within(x > p[0]); }

struct Entry {
  std::string_view name;
  ActivationSlope slope;
};
constexpr Entry kSlopes[] = {
    {"celu", pointwise<celu>},
    {"elu", pointwise<elu>},
    {"exponential", pointwise<exponential>},
    {"gelu", pointwise<gelu>},
    {"hard_shrink", pointwise<hard_shrink>},
    {"hard_sigmoid", pointwise<hard_sigmoid>},
    {"hard_sigmoid_keras2", pointwise<hard_sigmoid_keras2>},
    {"hard_silu", pointwise<hard_silu>},
    {"hard_tanh", pointwise<hard_tanh>},
    {"leaky_relu", pointwise<leaky_relu>},
    {"linear", pointwise<linear>},
    {"log_sigmoid", pointwise<log_sigmoid>},
    {"mish", pointwise<mish>},
    {"relu", pointwise<relu>},
    {"relu6", pointwise<relu6>},
    {"selu", pointwise<selu>},
    {"sigmoid", pointwise<sigmoid>},
    {"silu", pointwise<silu>},
    {"soft_shrink", pointwise<soft_shrink>},
    {"softplus", pointwise<softplus>},
    {"softsign", pointwise<softsign>},
    {"sparse_plus", pointwise<sparse_plus>},
    {"sparse_sigmoid", pointwise<sparse_sigmoid>},
    {"squareplus", pointwise<squareplus>},
    {"tanh", pointwise<tanh>},
    {"tanh_shrink", pointwise<tanh_shrink>},
    {"threshold", pointwise<threshold>},
};

}  // namespace

ActivationSlope activation_slope(std::string_view name) {
  for (const Entry& entry : kSlopes) {
    if (entry.name == name) return entry.slope;
  }
  return nullptr;
}

}  // namespace maskflow::kernels
