# What a skipped case means is one law for all tests: exit code 77 (tests/support), and never a text, which a failure may print too.
set(CONESWEEP_SKIP SKIP_RETURN_CODE 77)

# conesweep_gtest_main: main of the GoogleTest programs
function(conesweep_add_gtest_main)
  if(NOT TARGET conesweep_gtest_main)
    find_package(GTest REQUIRED)
    add_library(conesweep_gtest_main STATIC EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/tests/support/main.cpp)
    target_link_libraries(conesweep_gtest_main PRIVATE conesweep_warnings PUBLIC GTest::gmock GTest::gtest)
  endif()
endfunction()

# conesweep_test(name SOURCES a.cpp … LIBS l … LABEL law|step|executor|product): one GoogleTest program, its cases found when tests run; FILTER leaves some out, PREFIX stands before their names.
function(conesweep_test name)
  cmake_parse_arguments(ARG "" "LABEL;TIMEOUT;FILTER;PREFIX" "SOURCES;LIBS" ${ARGN})
  conesweep_add_gtest_main()
  find_package(GTest REQUIRED)
  include(GoogleTest)
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 600)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LIBS} conesweep_warnings conesweep_gtest_main)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  set(filter)
  if(ARG_FILTER)
    set(filter TEST_FILTER ${ARG_FILTER})
  endif()
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST TEST_PREFIX "${ARG_PREFIX}" ${filter} PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABEL}" ${CONESWEEP_SKIP})
endfunction()

# conesweep_test_on_executors(name SOURCES a.cpp … LABEL l): bodies that run on every executor (tests/support/executors.hpp). The cases on cuda are one
# test, cuda.on.name, in the environment of a device (tests/CMakeLists.txt); without one it is skipped.
function(conesweep_test_on_executors name)
  cmake_parse_arguments(ARG "" "LABEL;TIMEOUT" "SOURCES" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 1800)
  endif()
  conesweep_test(${name} SOURCES ${ARG_SOURCES} LIBS conesweep_internals LABEL ${ARG_LABEL} TIMEOUT ${ARG_TIMEOUT} FILTER "-*/cuda*")
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_compile_definitions(${name} PRIVATE CONESWEEP_SAMPLES="${PROJECT_SOURCE_DIR}/samples" CONESWEEP_TEST_CACHE="${CMAKE_BINARY_DIR}/tests/cache")
  add_test(NAME cuda.on.${name} COMMAND ${name} --gtest_filter=*/cuda*)
  # long ones first, lest one of them runs alone at the end; ctest learns it only from a run before
  set_tests_properties(cuda.on.${name} PROPERTIES COST 30 LABELS "${ARG_LABEL}" TIMEOUT ${ARG_TIMEOUT} ENVIRONMENT "${CONESWEEP_DEVICE_ENVIRONMENT}" ${CONESWEEP_SKIP})
endfunction()
