// SPDX-License-Identifier: MIT
#include "kernels/gates_gradient.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "kernels/math.hpp"

namespace maskflow::kernels {
namespace {

Vec load(const float* from) { return Vec::load_unaligned(from); }

// A row of numbers for each lane, `stride` apart.
struct Row {
  float* at;
  std::size_t stride;
};
// Rows that a step only reads; Steps do not write them.
Row read_only(const float* at, std::size_t stride) { return {const_cast<float*>(at), stride}; }

// Computes `n` units of one lane, a multiple of kLanes. A step is compiled once, for whole vectors.
using Step = void (*)(float* const* rows, std::size_t n);
constexpr std::size_t kMaxRows = 10;

// Runs a step for each lane, of whose rows it writes the first `written`. The units behind the last
// whole vector are computed in a copy of their own. Testing for the end at each load instead would
// double the time.
[[gnu::noinline]] void over_lanes(std::span<const Row> rows, std::size_t written, std::size_t lanes,
                                  std::size_t units, Step step) {
  const std::size_t rest = units % kLanes;
  const std::size_t whole = units - rest;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    std::array<float*, kMaxRows> at;
    MASKFLOW_KEEP_SCALAR
    for (std::size_t row = 0; row < rows.size(); ++row) {
      at[row] = rows[row].at + lane * rows[row].stride;
    }
    step(at.data(), whole);
    if (rest == 0) continue;
    float room[kMaxRows * kLanes] = {};
    std::array<float*, kMaxRows> copies;
    MASKFLOW_KEEP_SCALAR
    for (std::size_t row = 0; row < rows.size(); ++row) {
      copies[row] = room + row * kLanes;
      std::copy_n(at[row] + whole, rest, copies[row]);
    }
    step(copies.data(), kLanes);
    MASKFLOW_KEEP_SCALAR
    for (std::size_t row = 0; row < written; ++row) {
      std::copy_n(copies[row], rest, at[row] + whole);
    }
  }
}

Vec one() { return Vec(1.0F); }
// The derivatives of the sigmoid and of tanh, where these have the value y.
Vec of_sigmoid(const Vec& y) { return y * (one() - y); }
Vec of_tanh(const Vec& y) { return xsimd::fnma(y, y, one()); }

// Each step begins by reading the addresses of its rows: stores of vectors could change them as far
// as the compiler knows.

void lstm_forward_step(float* const* rows, std::size_t n) {
  float* const gates[4] = {rows[0], rows[1], rows[2], rows[3]};
  float* const c = rows[4];
  float* const h = rows[5];
  const float* const c_before = rows[6];
  for (std::size_t i = 0; i < n; i += kLanes) {
    const MathNumbers* k = hidden_numbers();
    const auto parts = exp_parts<3>(
        {sigmoid_exponent(load(gates[0] + i), k), sigmoid_exponent(load(gates[1] + i), k),
         tanh_exponent(load(gates[2] + i), k)},
        k);
    const Vec input = sigmoid_of(parts[0], k).value();
    const Vec forget = sigmoid_of(parts[1], k).value();
    const Vec candidate = tanh_of(parts[2], k).value();
    const Vec next = xsimd::fma(forget, load(c_before + i), input * candidate);
    const auto rest =
        exp_parts<2>({sigmoid_exponent(load(gates[3] + i), k), tanh_exponent(next, k)}, k);
    const Vec output = sigmoid_of(rest[0], k).value();
    input.store_unaligned(gates[0] + i);
    forget.store_unaligned(gates[1] + i);
    candidate.store_unaligned(gates[2] + i);
    output.store_unaligned(gates[3] + i);
    next.store_unaligned(c + i);
    (output * tanh_of(rest[1], k).value()).store_unaligned(h + i);
  }
}

void lstm_backward_step(float* const* rows, std::size_t n) {
  float* const gates[4] = {rows[0], rows[1], rows[2], rows[3]};
  float* const dc = rows[4];
  const float* const c_before = rows[5];
  const float* const c = rows[6];
  const float* const dh = rows[7];
  for (std::size_t i = 0; i < n; i += kLanes) {
    const Vec input = load(gates[0] + i);
    const Vec forget = load(gates[1] + i);
    const Vec candidate = load(gates[2] + i);
    const Vec output = load(gates[3] + i);
    const Vec tanh_c = gate_tanh(load(c + i));
    const Vec g = load(dh + i);
    const Vec state = xsimd::fma(g * output, of_tanh(tanh_c), load(dc + i));
    (state * candidate * of_sigmoid(input)).store_unaligned(gates[0] + i);
    (state * load(c_before + i) * of_sigmoid(forget)).store_unaligned(gates[1] + i);
    (state * input * of_tanh(candidate)).store_unaligned(gates[2] + i);
    (g * tanh_c * of_sigmoid(output)).store_unaligned(gates[3] + i);
    (state * forget).store_unaligned(dc + i);
  }
}

void gru_forward_step(float* const* rows, std::size_t n) {
  float* const x[3] = {rows[0], rows[1], rows[2]};
  float* const h = rows[3];
  const float* const inner[3] = {rows[4], rows[5], rows[6]};
  const float* const h_before = rows[7];
  for (std::size_t i = 0; i < n; i += kLanes) {
    const MathNumbers* k = hidden_numbers();
    const auto parts = exp_parts<2>({sigmoid_exponent(load(x[0] + i) + load(inner[0] + i), k),
                                     sigmoid_exponent(load(x[1] + i) + load(inner[1] + i), k)},
                                    k);
    const Vec z = sigmoid_of(parts[0], k).value();
    const Vec r = sigmoid_of(parts[1], k).value();
    const Vec candidate = gate_tanh(xsimd::fma(r, load(inner[2] + i), load(x[2] + i)));
    z.store_unaligned(x[0] + i);
    r.store_unaligned(x[1] + i);
    candidate.store_unaligned(x[2] + i);
    xsimd::fma(z, load(h_before + i), (one() - z) * candidate).store_unaligned(h + i);
  }
}

void gru_backward_step(float* const* rows, std::size_t n) {
  float* const gates[3] = {rows[0], rows[1], rows[2]};
  float* const inner_candidate = rows[3];
  float* const dh = rows[4];
  const float* const h_before = rows[5];
  for (std::size_t i = 0; i < n; i += kLanes) {
    const Vec z = load(gates[0] + i);
    const Vec r = load(gates[1] + i);
    const Vec candidate = load(gates[2] + i);
    const Vec g = load(dh + i);
    const Vec sum = g * (one() - z) * of_tanh(candidate);
    (g * (load(h_before + i) - candidate) * of_sigmoid(z)).store_unaligned(gates[0] + i);
    (sum * load(inner_candidate + i) * of_sigmoid(r)).store_unaligned(gates[1] + i);
    sum.store_unaligned(gates[2] + i);
    (sum * r).store_unaligned(inner_candidate + i);
    (g * z).store_unaligned(dh + i);
  }
}

void gru_reset_step(float* const* rows, std::size_t n) {
  float* const gates[2] = {rows[0], rows[1]};
  float* const reset_state = rows[2];
  const float* const sums[2] = {rows[3], rows[4]};
  const float* const h_before = rows[5];
  for (std::size_t i = 0; i < n; i += kLanes) {
    const Vec r = sigmoid(load(gates[1] + i) + load(sums[1] + i));
    sigmoid(load(gates[0] + i) + load(sums[0] + i)).store_unaligned(gates[0] + i);
    r.store_unaligned(gates[1] + i);
    (r * load(h_before + i)).store_unaligned(reset_state + i);
  }
}

void gru_candidate_step(float* const* rows, std::size_t n) {
  float* const gate = rows[0];
  float* const h = rows[1];
  const float* const update = rows[2];
  const float* const sums = rows[3];
  const float* const h_before = rows[4];
  for (std::size_t i = 0; i < n; i += kLanes) {
    const Vec z = load(update + i);
    const Vec candidate = gate_tanh(load(gate + i) + load(sums + i));
    candidate.store_unaligned(gate + i);
    xsimd::fma(z, load(h_before + i), (one() - z) * candidate).store_unaligned(h + i);
  }
}

void gru_candidate_backward_step(float* const* rows, std::size_t n) {
  float* const gates[2] = {rows[0], rows[1]};
  float* const dh = rows[2];
  const float* const h_before = rows[3];
  for (std::size_t i = 0; i < n; i += kLanes) {
    const Vec z = load(gates[0] + i);
    const Vec candidate = load(gates[1] + i);
    const Vec g = load(dh + i);
    (g * (load(h_before + i) - candidate) * of_sigmoid(z)).store_unaligned(gates[0] + i);
    (g * (one() - z) * of_tanh(candidate)).store_unaligned(gates[1] + i);
    (g * z).store_unaligned(dh + i);
  }
}

void gru_reset_backward_step(float* const* rows, std::size_t n) {
  float* const gate = rows[0];
  float* const dh = rows[1];
  const float* const cotangent = rows[2];
  const float* const h_before = rows[3];
  for (std::size_t i = 0; i < n; i += kLanes) {
    const Vec r = load(gate + i);
    const Vec g = load(cotangent + i);
    (g * load(h_before + i) * of_sigmoid(r)).store_unaligned(gate + i);
    xsimd::fma(g, r, load(dh + i)).store_unaligned(dh + i);
  }
}

void tanh_backward_step(float* const* rows, std::size_t n) {
  float* const to = rows[0];
  const float* const h = rows[1];
  const float* const dh = rows[2];
  for (std::size_t i = 0; i < n; i += kLanes) {
    (load(dh + i) * of_tanh(load(h + i))).store_unaligned(to + i);
  }
}

}  // namespace

void lstm_forward(float* gates, const float* c_before, float* c, float* h, std::size_t lanes,
                  std::size_t units) {
  const std::size_t all = 4 * units;
  const Row rows[] = {
      {gates, all}, {gates + units, all}, {gates + 2 * units, all},  {gates + 3 * units, all},
      {c, units},   {h, units},           read_only(c_before, units)};
  over_lanes(rows, 6, lanes, units, lstm_forward_step);
}

void lstm_backward(float* gates, const float* c_before, const float* c, const float* dh, float* dc,
                   std::size_t lanes, std::size_t units) {
  const std::size_t all = 4 * units;
  const Row rows[] = {
      {gates, all}, {gates + units, all},       {gates + 2 * units, all}, {gates + 3 * units, all},
      {dc, units},  read_only(c_before, units), read_only(c, units),      read_only(dh, units)};
  over_lanes(rows, 5, lanes, units, lstm_backward_step);
}

void gru_forward(float* x, const float* inner, const float* h_before, float* h, std::size_t lanes,
                 std::size_t units) {
  const std::size_t all = 3 * units;
  const Row rows[] = {{x, all},
                      {x + units, all},
                      {x + 2 * units, all},
                      {h, units},
                      read_only(inner, all),
                      read_only(inner + units, all),
                      read_only(inner + 2 * units, all),
                      read_only(h_before, units)};
  over_lanes(rows, 4, lanes, units, gru_forward_step);
}

void gru_backward(float* gates, float* inner_candidate, const float* h_before, float* dh,
                  std::size_t lanes, std::size_t units) {
  const std::size_t all = 3 * units;
  const Row rows[] = {
      {gates, all}, {gates + units, all},      {gates + 2 * units, all}, {inner_candidate, units},
      {dh, units},  read_only(h_before, units)};
  over_lanes(rows, 5, lanes, units, gru_backward_step);
}

void gru_reset(float* gates, const float* sums, const float* h_before, float* reset_state,
               std::size_t lanes, std::size_t units) {
  const std::size_t all = 3 * units;
  const Row rows[] = {{gates, all},
                      {gates + units, all},
                      {reset_state, units},
                      read_only(sums, 2 * units),
                      read_only(sums + units, 2 * units),
                      read_only(h_before, units)};
  over_lanes(rows, 3, lanes, units, gru_reset_step);
}

void gru_candidate(float* gates, const float* sums, const float* h_before, float* h,
                   std::size_t lanes, std::size_t units) {
  const std::size_t all = 3 * units;
  const Row rows[] = {{gates + 2 * units, all},
                      {h, units},
                      read_only(gates, all),
                      read_only(sums, units),
                      read_only(h_before, units)};
  over_lanes(rows, 2, lanes, units, gru_candidate_step);
}

void gru_candidate_backward(float* gates, const float* h_before, float* dh, std::size_t lanes,
                            std::size_t units) {
  const std::size_t all = 3 * units;
  const Row rows[] = {
      {gates, all}, {gates + 2 * units, all}, {dh, units}, read_only(h_before, units)};
  over_lanes(rows, 3, lanes, units, gru_candidate_backward_step);
}

void gru_reset_backward(float* gates, const float* cotangent, const float* h_before, float* dh,
                        std::size_t lanes, std::size_t units) {
  const Row rows[] = {{gates + units, 3 * units},
                      {dh, units},
                      read_only(cotangent, units),
                      read_only(h_before, units)};
  over_lanes(rows, 2, lanes, units, gru_reset_backward_step);
}

void tanh_backward(const float* h, const float* dh, float* to, std::size_t n) {
  const Row rows[] = {{to, 0}, read_only(h, 0), read_only(dh, 0)};
  over_lanes(rows, 1, 1, n, tanh_backward_step);
}

}  // namespace maskflow::kernels
