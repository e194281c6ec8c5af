// SPDX-License-Identifier: MIT
#include "support/naive_rnn.hpp"

#include <cmath>

namespace maskflow::test {
namespace {

using Row = std::vector<double>;

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

// Returns columns first .. first + count of row * matrix.
Row product(const Row& row, const Tensor& matrix, std::size_t first, std::size_t count) {
  const std::span<const float> m = matrix.data<float>();
  const auto width = static_cast<std::size_t>(matrix.shape().back());
  Row result(count, 0.0);
  for (std::size_t j = 0; j < count; ++j) {
    for (std::size_t k = 0; k < row.size(); ++k) {
      result[j] += row[k] * static_cast<double>(m[k * width + first + j]);
    }
  }
  return result;
}

Row bias_row(const Tensor& bias, std::size_t first, std::size_t count) {
  const auto from = bias.data<float>().subspan(first, count);
  return {from.begin(), from.end()};
}

Row sum(Row a, const Row& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
  return a;
}

template <class F>
Row mapped(Row row, F&& f) {
  for (double& x : row) x = f(x);
  return row;
}

struct Cell {
  Kind kind;
  const Tensor& kernel;
  const Tensor& recurrent;
  const Tensor& bias;
  std::size_t units;

  // Returns x K + b + h R for one gate.
  [[nodiscard]] Row gate(const Row& x, const Row& h, std::size_t index) const {
    const std::size_t first = index * units;
    return sum(sum(product(x, kernel, first, units), bias_row(bias, first, units)),
               product(h, recurrent, first, units));
  }

  // Advances the states; returns the output.
  Row step(const Row& x, std::vector<Row>& states) const {
    if (kind == Kind::kSimpleRnn) {
      states[0] = mapped(gate(x, states[0], 0), [](double v) { return std::tanh(v); });
    } else if (kind == Kind::kLstm) {
      lstm(x, states[0], states[1]);
    } else {
      gru(x, states[0]);
    }
    return states[0];
  }

  void lstm(const Row& x, Row& h, Row& c) const {
    const Row input = mapped(gate(x, h, 0), sigmoid);
    const Row forget = mapped(gate(x, h, 1), sigmoid);
    const Row candidate = gate(x, h, 2);
    const Row output = mapped(gate(x, h, 3), sigmoid);
    for (std::size_t i = 0; i < units; ++i) {
      c[i] = forget[i] * c[i] + input[i] * std::tanh(candidate[i]);
      h[i] = output[i] * std::tanh(c[i]);
    }
  }

  void gru(const Row& x, Row& h) const {
    // With reset_after the bias has a second row, which belongs to the recurrent product.
    const bool after = kind == Kind::kGru;
    const auto inner_bias = [&](std::size_t index) {
      return after ? bias_row(bias, (3 + index) * units, units) : Row(units, 0.0);
    };
    const Row z = mapped(sum(gate(x, h, 0), inner_bias(0)), sigmoid);
    const Row r = mapped(sum(gate(x, h, 1), inner_bias(1)), sigmoid);
    Row reset = h;
    for (std::size_t i = 0; i < units; ++i) reset[i] *= r[i];
    Row inner = product(after ? h : reset, recurrent, 2 * units, units);
    if (after) {
      inner = sum(inner, inner_bias(2));
      for (std::size_t i = 0; i < units; ++i) inner[i] *= r[i];
    }
    const Row outer = sum(product(x, kernel, 2 * units, units), bias_row(bias, 2 * units, units));
    for (std::size_t i = 0; i < units; ++i) {
      h[i] = z[i] * h[i] + (1 - z[i]) * std::tanh(outer[i] + inner[i]);
    }
  }
};

Row row_of(const Tensor& matrix, std::size_t index, std::size_t width) {
  const auto from = matrix.data<float>().subspan(index * width, width);
  return {from.begin(), from.end()};
}

void store(const Row& row, Tensor& matrix, std::size_t index) {
  float* to = matrix.mutable_floats() + index * row.size();
  for (const double x : row) *to++ = static_cast<float>(x);
}

}  // namespace

std::string name_of(Kind kind) {
  const char* const names[] = {"SimpleRNN", "LSTM", "GRU", "GRUResetBefore"};
  return names[static_cast<int>(kind)];
}

NaiveResult naive_rnn(Kind kind, const Tensors& weights, const Tensor& x,
                      const std::vector<std::uint8_t>& keep, const Tensors& initial,
                      const NaiveOptions& options) {
  const Dim batch = x.shape()[0];
  const Dim time = x.shape()[1];
  const Dim units = weights[1].shape()[0];
  const auto width = static_cast<std::size_t>(units);
  const auto steps = static_cast<std::size_t>(time);
  const auto features = static_cast<std::size_t>(x.shape()[2]);
  const Cell cell{kind, weights[0], weights[1], weights[2], width};
  NaiveResult result;
  result.output = options.return_sequences ? Tensor(DType::kFloat32, {batch, time, units})
                                           : Tensor(DType::kFloat32, {batch, units});
  result.states.resize(state_count(kind));
  for (Tensor& state : result.states) state = Tensor(DType::kFloat32, {batch, units});
  for (std::size_t row = 0; row < static_cast<std::size_t>(batch); ++row) {
    std::vector<Row> states(state_count(kind), Row(width, 0.0));
    for (std::size_t s = 0; s < initial.size(); ++s) states[s] = row_of(initial[s], row, width);
    Row visible(width, 0.0);
    for (std::size_t p = 0; p < steps; ++p) {
      const std::size_t at = row * steps + (options.go_backwards ? steps - 1 - p : p);
      if (keep[at] != 0) {
        visible = cell.step(row_of(x, at, features), states);
      } else if (options.zero_output_for_mask) {
        visible.assign(width, 0.0);
      }
      if (options.return_sequences) store(visible, result.output, row * steps + p);
    }
    if (!options.return_sequences) store(visible, result.output, row);
    for (std::size_t s = 0; s < states.size(); ++s) store(states[s], result.states[s], row);
  }
  return result;
}

}  // namespace maskflow::test
