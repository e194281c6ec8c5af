// SPDX-License-Identifier: MIT
// Copies, clears and adds rows of four-byte numbers. In wasm, memcpy costs more than copying a
// short row: as an instruction, it is a call out of the module; as code built for size, it copies
// one byte at a time.
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
