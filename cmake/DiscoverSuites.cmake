# Run after a GoogleTest program is linked: writes LIST, which ctest reads, with one test a suite of PROGRAM. A suite is loaded once for all of its cases; a test a
# case would load some forty libraries two thousand times.
#   cmake -D PROGRAM=… -D LIST=… -D PREFIX=… -D FILTER=… -D LABELS=… -D PROPERTIES=… -P DiscoverSuites.cmake
set(chosen ${FILTER})
if(NOT chosen)
  set(chosen *)
endif()
execute_process(COMMAND ${PROGRAM} --gtest_list_tests --gtest_filter=${chosen} OUTPUT_VARIABLE listed RESULT_VARIABLE code)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} does not list its tests: ${code}\n${listed}")
endif()
# what a filter leaves out begins with '-': "-*/cuda*" is everything but that
string(REGEX MATCH "-.*" left_out "${FILTER}")
string(REPLACE " " ";" LABELS "${LABELS}")
string(REGEX REPLACE "[][;]" "_" listed "${listed}")   # values of parameters: in a list of CMake brackets hold together what stands between them
string(REPLACE "\n" ";" lines "${listed}")
set(text "")
foreach(line ${lines})
  if(line MATCHES "^([^ #]+)\\.( .*)?$")   # "Suite.", "On/Suite.", "Typed/0.  # TypeParam = double"; cases are indented
    set(suite ${CMAKE_MATCH_1})
    string(APPEND text "add_test([==[${PREFIX}${suite}]==] [==[${PROGRAM}]==] [==[--gtest_filter=${suite}.*${left_out}]==])\n")
    string(APPEND text "set_tests_properties([==[${PREFIX}${suite}]==] PROPERTIES LABELS [==[${LABELS}]==] ${PROPERTIES})\n")
  endif()
endforeach()
if(NOT text)
  message(FATAL_ERROR "${PROGRAM} has no tests:\n${listed}")
endif()
file(WRITE ${LIST} "${text}")
