// SPDX-License-Identifier: MIT
#include "base/merge_sort.hpp"

#include <algorithm>
#include <utility>

namespace maskflow {

void merge_sort(std::vector<std::int32_t>& order, IsBefore is_before) {
  std::vector<std::int32_t> merged(order.size());
  for (std::size_t run = 1; run < order.size(); run *= 2) {
    for (std::size_t start = 0; start < order.size(); start += 2 * run) {
      const std::size_t middle = std::min(start + run, order.size());
      const std::size_t end = std::min(middle + run, order.size());
      std::size_t left = start;
      std::size_t right = middle;
      for (std::size_t i = start; i < end; ++i) {
        const bool takes_right =
            left == middle || (right < end && is_before(order[right], order[left]));
        merged[i] = order[takes_right ? right++ : left++];
      }
    }
    std::swap(order, merged);
  }
}

std::vector<std::int32_t> sorted_positions(std::size_t count, IsBefore is_before) {
  std::vector<std::int32_t> order(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = static_cast<std::int32_t>(i);
  merge_sort(order, is_before);
  return order;
}

}  // namespace maskflow
