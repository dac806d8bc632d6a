# Language level, optimisation, warnings, sanitizers, and whether there is a CUDA toolkit.

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)

# No contraction by a compiler anywhere: a result depends on our text, not on the flags of the day.
add_compile_options($<$<COMPILE_LANGUAGE:C,CXX>:-ffp-contract=off>)

add_library(conesweep_warnings INTERFACE)
# GCC 12 sees overlapping copies in std::string's insert and operator+ where there are none (GCC bug 105329)
set(gcc12_restrict $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>)
target_compile_options(conesweep_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor ${gcc12_restrict}>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${CONESWEEP_WERROR}>>:-Werror>)

# GCC collects its garbage from 128 MB on, again and again: later, it takes a tenth less time, and 200 MB more at most
if(CONESWEEP_QUICK)
  add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=1000000>)
endif()

if(CONESWEEP_SANITIZE)
  add_compile_options($<$<COMPILE_LANGUAGE:C,CXX>:-fsanitize=address,undefined> $<$<COMPILE_LANGUAGE:C,CXX>:-fno-sanitize-recover=all>)
  add_link_options(-fsanitize=address,undefined)
endif()

find_program(CONESWEEP_CCACHE ccache)
if(CONESWEEP_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # with precompiled headers it wants to be told that macros may come later, and that nobody asks for the time
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CONESWEEP_CCACHE})
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${CONESWEEP_CCACHE})
endif()

# nvcc's version is asked for before CMake tries it: an old one fails there in other words
set(too_old "")
if(NOT CONESWEEP_CUDA STREQUAL OFF)
  find_program(nvcc NAMES ${CMAKE_CUDA_COMPILER} $ENV{CUDACXX} nvcc NAMES_PER_DIR NO_CACHE)
endif()
if(nvcc)
  execute_process(COMMAND ${nvcc} --version OUTPUT_VARIABLE said ERROR_QUIET)
  if(said MATCHES "release ([0-9.]+)" AND CMAKE_MATCH_1 VERSION_LESS 12)
    set(too_old "${nvcc} is of CUDA ${CMAKE_MATCH_1}; conesweep needs CUDA 12 or later, which has C++20")
  endif()
endif()
if(too_old AND CONESWEEP_CUDA STREQUAL ON)
  message(FATAL_ERROR "${too_old}. Put a newer nvcc on PATH, set CMAKE_CUDA_COMPILER, or set CONESWEEP_CUDA to OFF")
elseif(too_old)
  message(STATUS "${too_old}")
endif()

if(NOT CONESWEEP_CUDA STREQUAL OFF AND NOT too_old)
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)
    if(NOT CMAKE_CUDA_ARCHITECTURES)
      set(CMAKE_CUDA_ARCHITECTURES 75)
    endif()
    enable_language(CUDA)
    set(CMAKE_CUDA_STANDARD 20)
    set(CONESWEEP_HAS_CUDA ON)
    # What of the toolkit we name ourselves, from the compiler alone: CMake 3.25's FindCUDAToolkit stumbles over one made of Python packages.
    string(REGEX MATCH "^[0-9]+" CONESWEEP_CUDA_MAJOR ${CMAKE_CUDA_COMPILER_VERSION})
    find_path(CONESWEEP_CUDA_INCLUDE cuda_runtime_api.h HINTS ${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES} ${CMAKE_CUDA_COMPILER_TOOLKIT_ROOT}/include NO_DEFAULT_PATH REQUIRED)
    find_library(CONESWEEP_CUDART NAMES libcudart.so.${CONESWEEP_CUDA_MAJOR} cudart HINTS ${CMAKE_CUDA_COMPILER_TOOLKIT_ROOT}/lib64 ${CMAKE_CUDA_COMPILER_TOOLKIT_ROOT}/lib
      ${CMAKE_CUDA_IMPLICIT_LINK_DIRECTORIES} NO_DEFAULT_PATH REQUIRED)   # the last: a distribution's own packages, /usr/lib/x86_64-linux-gnu
    get_filename_component(CONESWEEP_CUDA_LIBRARIES ${CONESWEEP_CUDART} DIRECTORY)
    if(CMAKE_CUDA_COMPILER_TOOLKIT_ROOT MATCHES " ")   # then CMake 3.25 reads the folders to link from as far as the space
      list(PREPEND CMAKE_CUDA_IMPLICIT_LINK_DIRECTORIES ${CMAKE_CUDA_HOST_IMPLICIT_LINK_DIRECTORIES})
    endif()
    if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)   # CMake 3.25.1 does not know that nvcc has C++20
      set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
      set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
    endif()
    add_compile_options($<$<COMPILE_LANGUAGE:CUDA>:-fmad=false>)
  elseif(CONESWEEP_CUDA STREQUAL ON)
    message(FATAL_ERROR "CONESWEEP_CUDA=ON, but no CUDA compiler was found; put nvcc on PATH or set CMAKE_CUDA_COMPILER")
  endif()
endif()
if(CONESWEEP_HAS_CUDA)
  message(STATUS "CUDA toolkit: ${CMAKE_CUDA_COMPILER_VERSION}")
else()
  message(STATUS "CUDA toolkit: none; everything that does not need one is built")
endif()
