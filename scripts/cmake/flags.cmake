# SPDX-License-Identifier: MIT
# Flags of our own code (target maskflow_flags) and those that all code of a build must share.
include(CheckCXXCompilerFlag)

add_library(maskflow_flags INTERFACE)
target_compile_options(maskflow_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror
  # Only a written fma may fuse: the simd variant has to give the same bits everywhere, and clang 21
  # gets the operands of a fused relaxed multiply-add wrong when it makes one by itself.
  -ffp-contract=off)

if(EMSCRIPTEN)
  add_compile_options(-fwasm-exceptions -msimd128)
  add_link_options(-fwasm-exceptions)
  if(MASKFLOW_RELAXED_SIMD)
    add_compile_options(-mrelaxed-simd)
  endif()
elseif(MASKFLOW_HOST_SIMD AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  check_cxx_compiler_flag(-march=x86-64-v3 MASKFLOW_KNOWS_X86_64_V3)
  if(MASKFLOW_KNOWS_X86_64_V3)
    add_compile_options(-march=x86-64-v3)
  endif()
endif()
