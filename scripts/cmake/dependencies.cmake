# SPDX-License-Identifier: MIT
# Third-party C++ code: an installed package if there is a recent one, else the cache that
# scripts/install-sources.sh fills, else a download. A wasm build and one with 32 bits cannot use
# what is compiled for the host, so they start at the cache.
include(FetchContent)

if(DEFINED ENV{XDG_CACHE_HOME})
  set(_cache "$ENV{XDG_CACHE_HOME}")
else()
  set(_cache "$ENV{HOME}/.cache")
endif()
set(MASKFLOW_SOURCES "${_cache}/maskflow/sources/trixie" CACHE PATH "Unpacked third-party sources")

# maskflow_has(PACKAGE VERSION): sets _found to whether the host has PACKAGE, VERSION or compatible.
macro(maskflow_has package version)
  set(_found FALSE)
  if(NOT EMSCRIPTEN AND NOT MASKFLOW_32_BIT)
    find_package(${package} ${version} QUIET CONFIG)
    set(_found ${${package}_FOUND})
  endif()
endmacro()

# maskflow_source(NAME URL SHA256): NAME's source folder, from the cache or the download.
function(maskflow_source name url sha256)
  if(EXISTS "${MASKFLOW_SOURCES}/${name}")
    set(${name}_dir "${MASKFLOW_SOURCES}/${name}" PARENT_SCOPE)
    return()
  endif()
  message(STATUS "Fetching ${url}")
  # A SOURCE_SUBDIR that does not exist: populate, but add no targets.
  FetchContent_Declare(${name} URL ${url} URL_HASH SHA256=${sha256} SOURCE_SUBDIR none
    DOWNLOAD_EXTRACT_TIMESTAMP TRUE)
  FetchContent_MakeAvailable(${name})
  set(${name}_dir "${${name}_SOURCE_DIR}" PARENT_SCOPE)
endfunction()

# maskflow_headers(NAME): target NAME for the include folder of a header-only source.
function(maskflow_headers name)
  add_library(${name} INTERFACE)
  target_include_directories(${name} SYSTEM INTERFACE "${${name}_dir}/include")
endfunction()

# maskflow_subproject(NAME): builds a source with its own CMakeLists, without its warnings here.
macro(maskflow_subproject name)
  add_subdirectory("${${name}_dir}" "${CMAKE_BINARY_DIR}/third_party/${name}" EXCLUDE_FROM_ALL SYSTEM)
endmacro()

macro(maskflow_use_xsimd)
  maskflow_has(xsimd 13.0)
  if(NOT _found)
    maskflow_source(xsimd
      "https://github.com/xtensor-stack/xsimd/archive/refs/tags/13.2.0.tar.gz"
      edd8cd3d548c185adc70321c53c36df41abe64c1fe2c67bc6d93c3ecda82447a)
    maskflow_headers(xsimd)
  endif()
endmacro()

macro(maskflow_use_benchmark)
  maskflow_has(benchmark 1.9)
  if(NOT _found)
    maskflow_source(benchmark
      "https://github.com/google/benchmark/archive/refs/tags/v1.9.1.tar.gz"
      32131c08ee31eeff2c8968d7e874f3cb648034377dfc32a4c377fa8796d84981)
    set(BENCHMARK_ENABLE_TESTING OFF CACHE BOOL "" FORCE)
    set(BENCHMARK_ENABLE_INSTALL OFF CACHE BOOL "" FORCE)
    set(BENCHMARK_ENABLE_WERROR OFF CACHE BOOL "" FORCE)
    maskflow_subproject(benchmark)
  endif()
endmacro()

macro(maskflow_use_gtest)
  maskflow_has(GTest 1.12)
  if(NOT _found)
    maskflow_source(googletest
      "https://github.com/google/googletest/archive/refs/tags/v1.16.0.tar.gz"
      78c676fc63881529bf97bf9d45948d905a66833fbfa5318ea2cd7478cb98f399)
    set(BUILD_GMOCK OFF CACHE BOOL "" FORCE)
    set(INSTALL_GTEST OFF CACHE BOOL "" FORCE)
    maskflow_subproject(googletest)
  endif()
endmacro()

macro(maskflow_use_nlohmann_json)
  maskflow_has(nlohmann_json 3.10)
  if(NOT _found)
    maskflow_source(nlohmann_json
      "https://github.com/nlohmann/json/archive/refs/tags/v3.11.3.tar.gz"
      0d8ef5af7f9794e3263480193c491549b2ba6cc74bb018906202ada498a79406)
    maskflow_headers(nlohmann_json)
    add_library(nlohmann_json::nlohmann_json ALIAS nlohmann_json)
  endif()
endmacro()
