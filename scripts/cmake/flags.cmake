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
  # All engines with vectors support -mnontrapping-fptoint, conversions without a test around them.
  add_compile_options(-fwasm-exceptions -msimd128 -mbulk-memory -mnontrapping-fptoint -fno-threadsafe-statics -fno-rtti -DEMSCRIPTEN_HAS_UNBOUND_TYPE_NAMES=0)
  add_link_options(-fwasm-exceptions -mbulk-memory -fno-rtti)
  if(MASKFLOW_DEV)
    set(CMAKE_CXX_FLAGS_RELEASE "-O1 -DNDEBUG")
  else()
    # A page pays for every byte: only what loops over numbers (maskflow_hot below) is built for
    # speed.
    set(CMAKE_CXX_FLAGS_RELEASE "-Oz -fno-slp-vectorize -DNDEBUG")
    # Linking as a whole finds out what cannot throw and what nobody calls: a sixteenth of the
    # module. Virtual functions that nobody calls go, too, and functions that are equal become one.
    add_compile_options(-flto -fwhole-program-vtables -fvirtual-function-elimination)
    add_link_options(-flto -Wl,-mllvm,-enable-merge-functions)
  endif()
  include(direct_compile)
elseif(MASKFLOW_32_BIT)
  # Without SSE2, intermediate results would have more bits than floats.
  add_compile_options(-m32 -msse2 -mfpmath=sse)
  add_link_options(-m32)
elseif(MASKFLOW_HOST_SIMD AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  check_cxx_compiler_flag(-march=x86-64-v3 MASKFLOW_KNOWS_X86_64_V3)
  if(MASKFLOW_KNOWS_X86_64_V3)
    add_compile_options(-march=x86-64-v3)
  endif()
endif()

# Precompiled, because reading them was two thirds of the time to compile a file. Most sources
# include both headers of the project. Named without folders of this clone, for the cache of other
# clones.
set(common_headers
  <algorithm> <array> <cmath> <functional> <map> <memory> <optional> <span> <string> <vector>
  <layer/layer.hpp> <ops/ops.hpp>)

set(kernel_headers <algorithm> <array> <cmath> <cstring> <span> <vector> <kernels/simd.hpp>)

# maskflow_hot(TARGET): optimises TARGET for speed, where the others are optimised for size.
function(maskflow_hot target)
  if(EMSCRIPTEN)
    target_compile_options(${target} PRIVATE -O2)
  endif()
endfunction()
