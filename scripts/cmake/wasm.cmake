# SPDX-License-Identifier: MIT
# Targets of wasm builds alone: the modules that the package ships.

# maskflow_node_program(TARGET): TARGET becomes a program that Node runs, with the host's files.
function(maskflow_node_program target)
  target_link_options(${target} PRIVATE
    --oformat=js -sENVIRONMENT=node -sNODERAWFS -sEXIT_RUNTIME -sALLOW_MEMORY_GROWTH -sSTACK_SIZE=1MB)
  # The package is `"type": "module"`, and this is not one.
  set_target_properties(${target} PROPERTIES SUFFIX .cjs)
endfunction()

set(more_bindings measure_bindings.cpp profile_bindings.cpp quantize_bindings.cpp stream_bindings.cpp
  version_bindings.cpp)
set(training_bindings optimizer_bindings.cpp training_bindings.cpp)
file(GLOB binding_sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/bindings/*.cpp")
# Tables that the whole module alone has.
list(TRANSFORM more_bindings PREPEND "${CMAKE_SOURCE_DIR}/bindings/")
list(TRANSFORM training_bindings PREPEND "${CMAKE_SOURCE_DIR}/bindings/")
list(FILTER binding_sources EXCLUDE REGEX "/(schema|team_exports)\\.cpp$")

list(REMOVE_ITEM binding_sources ${more_bindings} ${training_bindings})
# The only objects that see Emscripten.
maskflow_objects(bindings_recurrent ${binding_sources})
maskflow_objects(bindings_more ${more_bindings})
maskflow_objects(bindings_training ${training_bindings})
target_precompile_headers(bindings_recurrent PRIVATE
  ${common_headers} <emscripten/bind.h> <emscripten/val.h>)
target_precompile_headers(bindings_more REUSE_FROM bindings_recurrent)
target_precompile_headers(bindings_training REUSE_FROM bindings_recurrent)

# maskflow_module(NAME OBJECT_LIBRARIES...): a module that the package ships.
function(maskflow_module name)
  list(TRANSFORM ARGN REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>")
  add_executable(${name} ${ARGN})
  set_target_properties(${name} PROPERTIES SUFFIX .mjs LINKER_LANGUAGE CXX)
  maskflow_cached_link(${name})
  if(MASKFLOW_DEV)
    target_link_options(${name} PRIVATE -O0 -sASSERTIONS=0)
  else()
    # The compiler has inlined all that is worth inlining, file by file.
    # Names tell scripts/build/function_order.mjs which functions of two variants are the same; it
    # removes them.
    # Partial redundancy elimination copies computations into branches that lack them: 0.3 % of a
    # module. Files have passed it when they were compiled.
    target_link_options(${name} PRIVATE -Oz -Wl,-mllvm,-inline-threshold=-40
      -Wl,-mllvm,-enable-pre=false --profiling-funcs)
  endif()
  # After the objects, because bindings/embind_types.cpp has what its native part would have.
  target_link_libraries(${name} PRIVATE -lembind)
  target_link_options(${name} PRIVATE
    -sMODULARIZE -sEXPORT_ES6 -sEXPORT_NAME=Module -sENVIRONMENT=web,worker -sFILESYSTEM=0
    # A page may forbid eval.
    -sDYNAMIC_EXECUTION=0
    -sALLOW_MEMORY_GROWTH -sINITIAL_MEMORY=16MB -sSTACK_SIZE=1MB
    -sMALLOC=emmalloc
    # Else 64-bit integers need wrappers that differ from module to module.
    -sWASM_BIGINT
    -sINCOMING_MODULE_JS_API=instantiateWasm
    -sEXPORTED_RUNTIME_METHODS=HEAPU8,HEAP32,HEAPF32
    # Naming this library keeps Emscripten from shortening import and export names, which it does by
    # frequency of use: with plain names one glue serves every module (scripts/build.mjs compares).
    -lexports.js)
endfunction()

# maskflow_variant(NAME [COMPILE OPTIONS...] [BINDINGS SOURCES...] [LINK OPTIONS...]): the modules
# in the variant NAME. COMPILE is for the kernels and BINDINGS alone: all other objects are compiled
# once. Linking as a whole gives the features of the kernels to the module.
function(maskflow_variant variant)
  cmake_parse_arguments(PARSE_ARGV 1 for "" "" "COMPILE;BINDINGS;LINK")
  maskflow_core(${variant} ${for_COMPILE})
  set(recurrent core_recurrent kernels_${variant} bindings_recurrent)
  if(for_BINDINGS)
    maskflow_objects(bindings_${variant} ${for_BINDINGS})
    target_compile_options(bindings_${variant} PRIVATE ${for_COMPILE})
    list(APPEND recurrent bindings_${variant})
  endif()
  set(more core_more bindings_more)
  set(training core_training bindings_training)
  maskflow_module(maskflow_${variant} ${recurrent} ${more})
  maskflow_module(maskflow_train_${variant} ${recurrent} ${more} ${training})
  maskflow_module(maskflow_recurrent_${variant} ${recurrent})
  foreach(module maskflow maskflow_train maskflow_recurrent)
    target_link_options(${module}_${variant} PRIVATE ${for_LINK})
  endforeach()
  set(variants ${variants} ${variant} PARENT_SCOPE)
endfunction()
maskflow_variant(simd)
# Fused multiply-add.
maskflow_variant(relaxed COMPILE -mrelaxed-simd)
# maskflow_threads_variant(NAME [COMPILE OPTIONS...]): a variant for several threads. The memory is
# imported and shared. It is exported, too, because the glue of the other variants finds it there.
# Emscripten is not told, so that it takes its libraries without atomic instructions: helpers call
# none of them.
macro(maskflow_threads_variant variant)
  maskflow_variant(${variant} ${ARGN} -matomics -DMASKFLOW_THREADS
    BINDINGS "${CMAKE_SOURCE_DIR}/bindings/team_exports.cpp"
    LINK -Wl,--import-memory,--export-memory,--shared-memory,--no-check-features
      -sEXPORTED_FUNCTIONS=__emscripten_stack_restore)
endmacro()
maskflow_threads_variant(threads COMPILE -mrelaxed-simd)
maskflow_threads_variant(simd_threads COMPILE)
