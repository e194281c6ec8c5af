// SPDX-License-Identifier: MIT
// Rows of numbers of four bytes, copied, cleared and added. memcpy of a wasm engine costs more than
// a short row (as one instruction: a call out of the module; as code: one byte at a time when built
// for size).
#pragma once

#include <cstddef>
#include <cstdint>

namespace maskflow::kernels {

void copy(const float* from, float* to, std::size_t n);
void copy(const std::int32_t* from, std::int32_t* to, std::size_t n);
void clear(float* to, std::size_t n);
void clear(std::int32_t* to, std::size_t n);
void add(const float* from, float* to, std::size_t n);  // to += from

}  // namespace maskflow::kernels
