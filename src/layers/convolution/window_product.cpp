// SPDX-License-Identifier: MIT
#include "layers/convolution/window_product.hpp"

#include "kernels/copy.hpp"

namespace maskflow {
// Without groups and dilation, the rows of a window are adjacent: they are multiplied as one long
// row, by a single product that needs no copy of the windows.
WindowProduct::WindowProduct(VariablePtr kernel, Dim dilation, std::size_t groups)
    : kernel_(std::move(kernel)), dilation_(dilation), groups_(groups) {
  const std::size_t taps = at(kernel_->shape()[0]);
  const std::size_t joined = groups == 1 && dilation == 1 ? taps : 1;
  const std::size_t channels = at(kernel_->shape()[1]);
  const std::size_t filters = at(kernel_->shape()[2]);
  const std::size_t columns = filters / groups;
  std::vector<kernels::MatrixPlace> places;
  places.reserve((Count(groups) * (taps / joined)).of<kernels::MatrixPlace>());
  for (std::size_t g = 0; g < groups; ++g) {
    for (std::size_t tap = 0; tap < taps; tap += joined) {
      places.push_back(
          {tap * channels * filters + g * columns, channels * joined, columns, filters});
    }
  }
  kernel_->use_matrices(std::move(places));
}

void WindowProduct::operator()(const float* x, std::span<const std::int32_t> first,
                               kernels::Start start, const float* bias, float* out) {
  const std::size_t channels = at(kernel_->shape()[1]);
  const std::size_t columns = at(kernel_->shape()[2]) / groups_;
  const std::size_t products = kernel_->matrices().size() / groups_;
  std::vector<std::int32_t> index;
  kernels::Floats part((Count(groups_ == 1 ? 0 : first.size()) * columns).of<float>());
  for (std::size_t g = 0; g < groups_; ++g) {
    float* to = groups_ == 1 ? out : part.data();
    index.assign(first.begin(), first.end());
    for (std::size_t p = 0; p < products; ++p) {
      for (std::int32_t& row : index) row += p == 0 ? 0 : static_cast<std::int32_t>(dilation_);
      kernels::gemm({x + g * channels, channels * groups_, index.data()}, first.size(),
                    kernel_->packed(g * products + p), p == 0 ? start : kernels::Start::kAccumulate,
                    bias == nullptr ? nullptr : bias + g * columns, to);
    }
    if (groups_ == 1) return;
    for (std::size_t r = 0; r < first.size(); ++r) {
      kernels::copy(to + r * columns, out + (r * groups_ + g) * columns, columns);
    }
  }
}

}  // namespace maskflow
