# SPDX-License-Identifier: MIT
# Compiles with the clang behind em++: starting em++, a Python program, takes a quarter of the time
# of a short file. Linking stays with em++.

# Asks em++ what it adds to the flags of its caller: all that its command has before a marker.
function(maskflow_emscripten_flags result)
  set(marker "-DMASKFLOW_MARKER")
  separate_arguments(flags UNIX_COMMAND "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_RELEASE}")
  get_directory_property(options COMPILE_OPTIONS)
  execute_process(
    COMMAND "${CMAKE_CXX_COMPILER}" ${marker} ${flags} ${options} "-###" -c -x c++ /dev/null -o none.o
    ERROR_VARIABLE printed OUTPUT_QUIET RESULT_VARIABLE failed)
  set(command "")
  if(NOT failed AND printed MATCHES "([^\n]*clang[^\n]*)[\" ]+${marker}")
    set(command "${CMAKE_MATCH_1}")
  endif()
  set(${result} "${command}" PARENT_SCOPE)
endfunction()

maskflow_emscripten_flags(_clang)
# An em++ that prints something else compiles as before.
if(_clang)
  set(CMAKE_CXX_COMPILE_OBJECT
    "${_clang} <DEFINES> <INCLUDES> <FLAGS> -o <OBJECT> -c <SOURCE>")
endif()
