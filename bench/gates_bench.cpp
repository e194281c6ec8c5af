// SPDX-License-Identifier: MIT
// State updates of LSTM and GRU, and the activation functions; time per state or element.
#include <benchmark/benchmark.h>

#include "kernels/activation.hpp"
#include "kernels/gates.hpp"
#include "numbers.hpp"

namespace maskflow::bench {
namespace {

void count(benchmark::State& state, std::size_t elements) {
  state.counters["elements/s"] = benchmark::Counter(static_cast<double>(elements),
                                                    benchmark::Counter::kIsIterationInvariantRate);
}

void lstm_update(benchmark::State& state) {
  constexpr std::size_t kBatch = 32;
  const auto units = static_cast<std::size_t>(state.range(0));
  const std::vector<float> gates = numbers(kBatch * 4 * units);
  std::vector<float> c = numbers(kBatch * units);
  std::vector<float> h = c;
  for (auto _ : state) {
    kernels::lstm_update(gates.data(), c.data(), h.data(), kBatch, units);
    benchmark::ClobberMemory();
  }
  count(state, kBatch * units);
}
BENCHMARK(lstm_update)->ArgName("units")->Arg(32)->Arg(33)->Arg(128);

void gru_update(benchmark::State& state) {
  constexpr std::size_t kBatch = 32;
  const auto units = static_cast<std::size_t>(state.range(0));
  // The gates grow from call to call, which does not affect the time.
  std::vector<float> x = numbers(kBatch * 3 * units);
  const std::vector<float> inner = numbers(kBatch * 3 * units);
  std::vector<float> h = numbers(kBatch * units);
  for (auto _ : state) {
    kernels::gru_update(x.data(), inner.data(), h.data(), kBatch, units);
    benchmark::ClobberMemory();
  }
  count(state, kBatch * units);
}
BENCHMARK(gru_update)->ArgName("units")->Arg(32)->Arg(128);

void activation(benchmark::State& state, const kernels::ActivationFunction& function) {
  constexpr std::size_t kElements = 4096;
  const std::vector<float> start = numbers(kElements);
  std::vector<float> x = start;
  for (auto _ : state) {
    // The function runs in place; without this reset, growing values would overflow.
    x = start;
    if (function.pointwise != nullptr) {
      function.pointwise(x.data(), kElements, function.defaults);
    } else {
      function.row(x.data(), kElements);
    }
    benchmark::ClobberMemory();
  }
  count(state, kElements);
}

const bool registered = [] {
  for (const kernels::ActivationFunction& function : kernels::activation_functions()) {
    // GLU has no kernel of this form: it is an op.
    if (function.pointwise == nullptr && function.row == nullptr) continue;
    benchmark::RegisterBenchmark(("activation/" + std::string(function.name)).c_str(),
                                 [&function](benchmark::State& s) { activation(s, function); });
  }
  return true;
}();

}  // namespace
}  // namespace maskflow::bench
