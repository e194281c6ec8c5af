// SPDX-License-Identifier: MIT
#include "kernels/gates_gradient.hpp"

#include <algorithm>

#include "kernels/math.hpp"

namespace maskflow::kernels {
namespace {

struct Whole {
  [[nodiscard]] Vec load(const float* from) const { return Vec::load_unaligned(from); }
  void store(const Vec& v, float* to) const { v.store_unaligned(to); }
};
struct Part {
  std::size_t n;
  [[nodiscard]] Vec load(const float* from) const { return load_partial(from, n); }
  void store(const Vec& v, float* to) const { store_partial(v, to, n); }
};

// Calls f(i, access) for each vector of units of a row; `access` loads and stores at unit i.
template <class F>
void over_units(std::size_t units, F&& f) {
  std::size_t i = 0;
  for (; i + kLanes <= units; i += kLanes) f(i, Whole{});
  if (i < units) f(i, Part{units - i});
}

Vec one() { return Vec(1.0F); }
// The derivatives of the sigmoid and of tanh, where these have the value y.
Vec of_sigmoid(const Vec& y) { return y * (one() - y); }
Vec of_tanh(const Vec& y) { return xsimd::fnma(y, y, one()); }

}  // namespace

void lstm_forward(float* gates, const float* c_before, float* c, float* h, std::size_t lanes,
                  std::size_t units) {
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    over_units(units, [&](std::size_t i, auto v) {
      const MathNumbers* k = hidden_numbers();
      float* const at = gates + i;
      const auto parts =
          exp_parts<3>({sigmoid_exponent(v.load(at), k), sigmoid_exponent(v.load(at + units), k),
                        tanh_exponent(v.load(at + 2 * units), k)},
                       k);
      const Vec input = sigmoid_of(parts[0], k).value();
      const Vec forget = sigmoid_of(parts[1], k).value();
      const Vec candidate = tanh_of(parts[2], k).value();
      const Vec next = xsimd::fma(forget, v.load(c_before + i), input * candidate);
      const auto rest =
          exp_parts<2>({sigmoid_exponent(v.load(at + 3 * units), k), tanh_exponent(next, k)}, k);
      const Vec output = sigmoid_of(rest[0], k).value();
      v.store(input, at);
      v.store(forget, at + units);
      v.store(candidate, at + 2 * units);
      v.store(output, at + 3 * units);
      v.store(next, c + i);
      v.store(output * tanh_of(rest[1], k).value(), h + i);
    });
    gates += 4 * units;
    c_before += units;
    c += units;
    h += units;
  }
}

void lstm_backward(float* gates, const float* c_before, const float* c, const float* dh, float* dc,
                   std::size_t lanes, std::size_t units) {
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    over_units(units, [&](std::size_t i, auto v) {
      float* const at = gates + i;
      const Vec input = v.load(at);
      const Vec forget = v.load(at + units);
      const Vec candidate = v.load(at + 2 * units);
      const Vec output = v.load(at + 3 * units);
      const Vec tanh_c = gate_tanh(v.load(c + i));
      const Vec g = v.load(dh + i);
      const Vec state = xsimd::fma(g * output, of_tanh(tanh_c), v.load(dc + i));
      v.store(state * candidate * of_sigmoid(input), at);
      v.store(state * v.load(c_before + i) * of_sigmoid(forget), at + units);
      v.store(state * input * of_tanh(candidate), at + 2 * units);
      v.store(g * tanh_c * of_sigmoid(output), at + 3 * units);
      v.store(state * forget, dc + i);
    });
    gates += 4 * units;
    c_before += units;
    c += units;
    dh += units;
    dc += units;
  }
}

void gru_forward(float* x, const float* inner, const float* h_before, float* h, std::size_t lanes,
                 std::size_t units) {
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    over_units(units, [&](std::size_t i, auto v) {
      const MathNumbers* k = hidden_numbers();
      float* const at = x + i;
      const auto parts =
          exp_parts<2>({sigmoid_exponent(v.load(at) + v.load(inner + i), k),
                        sigmoid_exponent(v.load(at + units) + v.load(inner + units + i), k)},
                       k);
      const Vec z = sigmoid_of(parts[0], k).value();
      const Vec r = sigmoid_of(parts[1], k).value();
      const Vec candidate =
          gate_tanh(xsimd::fma(r, v.load(inner + 2 * units + i), v.load(at + 2 * units)));
      v.store(z, at);
      v.store(r, at + units);
      v.store(candidate, at + 2 * units);
      v.store(xsimd::fma(z, v.load(h_before + i), (one() - z) * candidate), h + i);
    });
    x += 3 * units;
    inner += 3 * units;
    h_before += units;
    h += units;
  }
}

void gru_backward(float* gates, float* inner_candidate, const float* h_before, float* dh,
                  std::size_t lanes, std::size_t units) {
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    over_units(units, [&](std::size_t i, auto v) {
      float* const at = gates + i;
      const Vec z = v.load(at);
      const Vec r = v.load(at + units);
      const Vec candidate = v.load(at + 2 * units);
      const Vec g = v.load(dh + i);
      const Vec sum = g * (one() - z) * of_tanh(candidate);
      v.store(g * (v.load(h_before + i) - candidate) * of_sigmoid(z), at);
      v.store(sum * v.load(inner_candidate + i) * of_sigmoid(r), at + units);
      v.store(sum, at + 2 * units);
      v.store(sum * r, inner_candidate + i);
      v.store(g * z, dh + i);
    });
    gates += 3 * units;
    inner_candidate += units;
    h_before += units;
    dh += units;
  }
}

void gru_reset(float* gates, const float* sums, const float* h_before, float* reset_state,
               std::size_t lanes, std::size_t units) {
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    over_units(units, [&](std::size_t i, auto v) {
      float* const at = gates + i;
      const Vec r = sigmoid(v.load(at + units) + v.load(sums + units + i));
      v.store(sigmoid(v.load(at) + v.load(sums + i)), at);
      v.store(r, at + units);
      v.store(r * v.load(h_before + i), reset_state + i);
    });
    gates += 3 * units;
    sums += 2 * units;
    h_before += units;
    reset_state += units;
  }
}

void gru_candidate(float* gates, const float* sums, const float* h_before, float* h,
                   std::size_t lanes, std::size_t units) {
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    over_units(units, [&](std::size_t i, auto v) {
      float* const at = gates + i;
      const Vec z = v.load(at);
      const Vec candidate = gate_tanh(v.load(at + 2 * units) + v.load(sums + i));
      v.store(candidate, at + 2 * units);
      v.store(xsimd::fma(z, v.load(h_before + i), (one() - z) * candidate), h + i);
    });
    gates += 3 * units;
    sums += units;
    h_before += units;
    h += units;
  }
}

void gru_candidate_backward(float* gates, const float* h_before, float* dh, std::size_t lanes,
                            std::size_t units) {
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    over_units(units, [&](std::size_t i, auto v) {
      float* const at = gates + i;
      const Vec z = v.load(at);
      const Vec candidate = v.load(at + 2 * units);
      const Vec g = v.load(dh + i);
      v.store(g * (v.load(h_before + i) - candidate) * of_sigmoid(z), at);
      v.store(g * (one() - z) * of_tanh(candidate), at + 2 * units);
      v.store(g * z, dh + i);
    });
    gates += 3 * units;
    h_before += units;
    dh += units;
  }
}

void gru_reset_backward(float* gates, const float* cotangent, const float* h_before, float* dh,
                        std::size_t lanes, std::size_t units) {
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    over_units(units, [&](std::size_t i, auto v) {
      float* const at = gates + units + i;
      const Vec r = v.load(at);
      const Vec g = v.load(cotangent + i);
      v.store(g * v.load(h_before + i) * of_sigmoid(r), at);
      v.store(xsimd::fma(g, r, v.load(dh + i)), dh + i);
    });
    gates += 3 * units;
    cotangent += units;
    h_before += units;
    dh += units;
  }
}

void tanh_forward(const float* sums, float* h, std::size_t n) {
  map(sums, h, n, [](const Vec& x) { return kernels::tanh(x); });
}

void tanh_backward(const float* h, const float* dh, float* to, std::size_t n) {
  over_units(
      n, [&](std::size_t i, auto v) { v.store(v.load(dh + i) * of_tanh(v.load(h + i)), to + i); });
}

}  // namespace maskflow::kernels
