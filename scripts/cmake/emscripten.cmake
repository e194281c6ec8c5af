# SPDX-License-Identifier: MIT
# The toolchain file of the wasm presets: finds (or makes) Emscripten and hands over to its own.

# CMake reads this file again for every compile check; the first answer is kept in the environment.
if(NOT DEFINED ENV{MASKFLOW_EMSCRIPTEN})
  execute_process(
    COMMAND bash "${CMAKE_CURRENT_LIST_DIR}/../install-emscripten.sh"
    OUTPUT_VARIABLE root
    OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
  set(ENV{MASKFLOW_EMSCRIPTEN} "${root}")
endif()

# Without this, Emscripten's compile checks would link as if exceptions were off.
set(CMAKE_CXX_FLAGS_INIT "-fwasm-exceptions")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-fwasm-exceptions")
include("$ENV{MASKFLOW_EMSCRIPTEN}/cmake/Modules/Platform/Emscripten.cmake")
