# SPDX-License-Identifier: MIT
# What only a wasm build makes: the module the package ships, and the program that prints the schema.

# maskflow_node_program(TARGET): TARGET becomes a program that Node runs, with the host's files.
function(maskflow_node_program target)
  target_link_options(${target} PRIVATE
    --oformat=js -sENVIRONMENT=node -sNODERAWFS -sEXIT_RUNTIME -sALLOW_MEMORY_GROWTH -sSTACK_SIZE=1MB)
  # The package is `"type": "module"`, and this is not one.
  set_target_properties(${target} PROPERTIES SUFFIX .cjs)
endfunction()

file(GLOB binding_sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/bindings/*.cpp")
set(schema_source "${CMAKE_SOURCE_DIR}/bindings/schema.cpp")
list(REMOVE_ITEM binding_sources "${schema_source}")

if(EXISTS "${schema_source}")
  # The core once more, with the texts of the reference (base/doc.hpp) and without optimisation.
  add_executable(maskflow_schema "${schema_source}" ${core_sources})
  target_compile_definitions(maskflow_schema PRIVATE MASKFLOW_SCHEMA)
  target_compile_options(maskflow_schema PRIVATE -O0 -fno-lto)
  target_include_directories(maskflow_schema PRIVATE "${CMAKE_SOURCE_DIR}/src")
  target_precompile_headers(maskflow_schema PRIVATE ${common_headers})
  target_link_libraries(maskflow_schema PRIVATE xsimd maskflow_flags)
  maskflow_node_program(maskflow_schema)
endif()

if(binding_sources)
  add_executable(maskflow ${binding_sources})
  target_link_libraries(maskflow PRIVATE maskflow_core)
  set_target_properties(maskflow PROPERTIES SUFFIX .mjs)
  target_precompile_headers(maskflow PRIVATE ${common_headers} <emscripten/bind.h> <emscripten/val.h>)
  target_link_options(maskflow PRIVATE
    -Oz -lembind
    -sMODULARIZE -sEXPORT_ES6 -sENVIRONMENT=web,worker -sFILESYSTEM=0
    # A page may forbid eval.
    -sDYNAMIC_EXECUTION=0
    -sALLOW_MEMORY_GROWTH -sINITIAL_MEMORY=16MB -sSTACK_SIZE=1MB
    -sMALLOC=emmalloc
    -sINCOMING_MODULE_JS_API=instantiateWasm,wasmBinary,onAbort,print,printErr
    -sEXPORTED_RUNTIME_METHODS=HEAPU8,HEAP32,HEAPF32
    # Naming this library keeps Emscripten from shortening import and export names, which it does by
    # frequency of use: with plain names one glue serves every variant (scripts/build.mjs compares).
    -lexports.js)
endif()
