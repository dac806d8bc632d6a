# What a skipped case means is one law for all tests: exit code 77 (tests/support), and never a text, which a failure may print too.
set(CONESWEEP_SKIP SKIP_RETURN_CODE 77)

# conesweep_gtest_main: main of the GoogleTest programs, and GoogleTest precompiled for those that are compiled with the same flags. Nothing else is: what every test
# saw would hide includes that are forgotten.
function(conesweep_add_gtest_main)
  if(NOT TARGET conesweep_gtest_main)
    find_package(GTest REQUIRED)
    add_library(conesweep_gtest_main STATIC EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/tests/support/main.cpp)
    add_library(conesweep_test_dense STATIC EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/tests/support/dense.cpp)
    target_include_directories(conesweep_test_dense PRIVATE ${PROJECT_SOURCE_DIR}/tests)
    target_link_libraries(conesweep_test_dense PUBLIC Eigen3::Eigen PRIVATE conesweep_warnings)
    target_link_libraries(conesweep_gtest_main PRIVATE conesweep_warnings PUBLIC GTest::gmock GTest::gtest conesweep_test_dense)
    target_precompile_headers(conesweep_gtest_main PRIVATE <gmock/gmock.h> <gtest/gtest.h>)
  endif()
endfunction()

# conesweep_test_settings(target): what every test program may need: the helpers of tests/, where the samples are, and a cache of models for all of them
function(conesweep_test_settings target)
  set(quick_nvrtc "")
  if(CONESWEEP_HAS_CUDA AND CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
    set(quick_nvrtc --Ofast-compile=min)   # less than half of the time where several laws meet
  endif()
  target_link_libraries(${target} PRIVATE conesweep_warnings)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_compile_definitions(${target} PRIVATE CONESWEEP_SAMPLES="${PROJECT_SOURCE_DIR}/samples" CONESWEEP_TEST_CACHE="${CONESWEEP_KEPT}/models" CONESWEEP_QUICK_NVRTC="${quick_nvrtc}")
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
endfunction()

# conesweep_gtest_program(name a.cpp …): a GoogleTest program. Where CONESWEEP_OWN_FLAGS is set it does not take the precompiled header: GCC 12 does not see that
# that one was optimised in another way, and crashes.
function(conesweep_gtest_program name)
  conesweep_add_gtest_main()
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE conesweep_gtest_main)
  if(NOT CONESWEEP_OWN_FLAGS)
    target_precompile_headers(${name} REUSE_FROM conesweep_gtest_main)
  endif()
  conesweep_test_settings(${name})
endfunction()

# conesweep_test(name SOURCES a.cpp … LIBS l … LABEL law|step|executor|product): one GoogleTest program, a test a suite; by default of name.cpp and the library
# with all its rooms. FILTER leaves some cases out, PREFIX stands before the names of suites.
function(conesweep_test name)
  cmake_parse_arguments(ARG "" "LABEL;TIMEOUT;FILTER;PREFIX" "SOURCES;LIBS" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 1800)
  endif()
  if(NOT ARG_SOURCES)
    set(ARG_SOURCES ${name}.cpp)
  endif()
  if(NOT ARG_LIBS)
    set(ARG_LIBS conesweep_internals)
  endif()
  set(labels ${ARG_LABEL})
  get_filename_component(room ${CMAKE_CURRENT_SOURCE_DIR} NAME)
  if(room IN_LIST CONESWEEP_QUICK_ROOMS)
    list(APPEND labels quick)
    set_property(GLOBAL APPEND PROPERTY CONESWEEP_QUICK_PROGRAMS ${name})
  endif()
  list(JOIN labels " " labels)
  list(JOIN CONESWEEP_SKIP " " skip)
  conesweep_gtest_program(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LIBS})
  set(list ${CMAKE_CURRENT_BINARY_DIR}/${name}_suites.cmake)
  add_custom_command(TARGET ${name} POST_BUILD VERBATIM
    COMMAND ${CMAKE_COMMAND} -D PROGRAM=$<TARGET_FILE:${name}> -D LIST=${list} -D PREFIX=${ARG_PREFIX} -D FILTER=${ARG_FILTER}
      "-DLABELS=${labels}" "-DPROPERTIES=TIMEOUT ${ARG_TIMEOUT} ${skip}" -P ${PROJECT_SOURCE_DIR}/cmake/DiscoverSuites.cmake)
  # what is not built yet fails, and is not forgotten
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/${name}_include.cmake
    "if(EXISTS [==[${list}]==])\n  include([==[${list}]==])\nelse()\n  add_test(${name}_NOT_BUILT ${name}_NOT_BUILT)\nendif()\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}_include.cmake)
endfunction()

# conesweep_test_on_executors(name SOURCES a.cpp … LABEL l): bodies that run on every executor (tests/support/executors.hpp). The cases on cuda are one
# test, cuda.on.name, in the environment of a device (tests/CMakeLists.txt); without one it is skipped.
function(conesweep_test_on_executors name)
  cmake_parse_arguments(ARG "" "LABEL;TIMEOUT" "SOURCES" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 1800)
  endif()
  conesweep_test(${name} SOURCES ${ARG_SOURCES} LABEL ${ARG_LABEL} TIMEOUT ${ARG_TIMEOUT} FILTER "-*/cuda*")
  add_test(NAME cuda.on.${name} COMMAND ${name} --gtest_filter=*/cuda*)
  # long ones first, lest one of them runs alone at the end; ctest learns it only from a run before
  set_tests_properties(cuda.on.${name} PROPERTIES COST 30 LABELS "${ARG_LABEL}" TIMEOUT ${ARG_TIMEOUT} ENVIRONMENT "${CONESWEEP_DEVICE_ENVIRONMENT}" ${CONESWEEP_SKIP})
endfunction()
