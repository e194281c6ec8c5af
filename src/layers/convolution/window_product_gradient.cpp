// SPDX-License-Identifier: MIT
#include "layers/convolution/window_product_gradient.hpp"

#include <algorithm>

#include "kernels/copy.hpp"
#include "kernels/gemm_gradient.hpp"

namespace maskflow {
namespace {

using kernels::Rows;

// A matrix within the kernel: k rows by n columns, beginning at element `place`.
struct Part {
  std::size_t place, k, n, row_step;
};

// Adds the gradients of windows to dx. Windows overlap, so that products cannot write to dx: they
// are computed block by block and added.
void add_windows(const Rows& g, std::size_t rows, const float* kernel, const Part& part,
                 const Rows& windows, const float* x, float* dx) {
  constexpr std::size_t kBlock = 64;
  const kernels::PackedMatrix transposed(kernel, {part.place, part.n, part.k, 1, part.row_step});
  kernels::Floats block((Count(std::min(kBlock, rows)) * part.k).of<float>());
  for (std::size_t first = 0; first < rows; first += kBlock) {
    const std::size_t count = std::min(kBlock, rows - first);
    kernels::gemm({g[first], g.stride}, count, transposed, kernels::Start::kZero, nullptr,
                  block.data());
    for (std::size_t row = 0; row < count; ++row) {
      kernels::add(block.data() + row * part.k, dx + (windows[first + row] - x), part.k);
    }
  }
}

}  // namespace

void WindowProductGradient::operator()(const float* x, std::span<const std::int32_t> first,
                                       const float* g, float* dx, float* dkernel) const {
  const std::size_t taps = at(kernel.shape()[0]);
  const std::size_t channels = at(kernel.shape()[1]);
  const std::size_t filters = at(kernel.shape()[2]);
  const std::size_t columns = filters / groups;
  // The rows of a window are one long row, as in WindowProduct.
  const std::size_t joined = groups == 1 && dilation == 1 ? taps : 1;
  std::vector<std::int32_t> index;
  for (std::size_t group = 0; group < groups; ++group) {
    index.assign(first.begin(), first.end());
    const Rows from{g + group * columns, filters};
    for (std::size_t tap = 0; tap < taps; tap += joined) {
      for (std::int32_t& row : index) row += tap == 0 ? 0 : static_cast<std::int32_t>(dilation);
      const Part part{tap * channels * filters + group * columns, channels * joined, columns,
                      filters};
      const Rows windows{x + group * channels, channels * groups, index.data()};
      kernels::add_outer(windows, from, index.size(), part.k, part.n, dkernel + part.place,
                         part.row_step);
      if (dx != nullptr) {
        add_windows(from, index.size(), kernel.floats(), part, windows, x, dx);
      }
    }
  }
}

}  // namespace maskflow
