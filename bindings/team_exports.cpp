// SPDX-License-Identifier: MIT
// The exports for helpers, in the variant `threads` alone. docs/internals/threads.md says who calls
// them, and in which order. A helper first calls Emscripten's _emscripten_stack_restore, which
// scripts/cmake/wasm.cmake exports.
#include <emscripten/emscripten.h>

#include <cstddef>
#include <cstdint>
#include <new>

#include "kernels/team.hpp"

// Made by the linker: sets the address of the thread's variables and writes their first values.
extern "C" void __wasm_init_tls(void* block);

namespace {

// Kernels keep little on the stack.
constexpr std::size_t kStackSize = std::size_t{256} << 10;

// Bytes of a helper's own variables, which are below its stack.
std::size_t variables_size() { return (__builtin_wasm_tls_size() + 63) / 64 * 64; }
std::size_t block_size() { return variables_size() + kStackSize; }

char* blocks = nullptr;

char* block_of(int member) { return blocks + static_cast<std::size_t>(member - 1) * block_size(); }

}  // namespace

extern "C" {

EMSCRIPTEN_KEEPALIVE int team_start(int helpers, int may_block) {
  blocks = static_cast<char*>(::operator new(static_cast<std::size_t>(helpers) * block_size(),
                                             std::align_val_t{64}, std::nothrow));
  if (blocks == nullptr) return 0;
  maskflow::kernels::team_start(helpers, may_block != 0);
  return 1;
}

EMSCRIPTEN_KEEPALIVE void team_use(int helpers, std::size_t least_work) {
  maskflow::kernels::team_use(helpers, least_work);
}

EMSCRIPTEN_KEEPALIVE void* team_stack(int member) { return block_of(member) + block_size(); }

EMSCRIPTEN_KEEPALIVE void team_member(int member) {
  __wasm_init_tls(block_of(member));
  maskflow::kernels::team_member(member);
}

EMSCRIPTEN_KEEPALIVE int team_arrived() { return maskflow::kernels::team_arrived(); }
EMSCRIPTEN_KEEPALIVE void team_end() { maskflow::kernels::team_end(); }
EMSCRIPTEN_KEEPALIVE void team_fail() { maskflow::kernels::team_fail(); }
}
