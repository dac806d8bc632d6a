# Configures the project in inside/ with conesweep's sources in it, by add_subdirectory and by FetchContent, compiles the user's files there and runs the one that
# needs no library. With CONESWEEP_ALL the library is built there too, and the user's program on it run.
set(work ${BUILD}/tests/package_inside)
file(REMOVE_RECURSE ${work})
include(${CMAKE_CURRENT_LIST_DIR}/run_command.cmake)

foreach(by add_subdirectory FetchContent)
  run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/inside -B ${work}/${by} -G ${GENERATOR} -D BY=${by} -D CONESWEEP_SOURCE=${SOURCE} -D CONESWEEP_CUDA=OFF
    -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_CXX_FLAGS=${FLAGS} -D ASKED_QUICK=OFF)
  run(${CMAKE_COMMAND} --build ${work}/${by} --target user_objects headers_alone)
  run(${work}/${by}/headers_alone)
endforeach()

if(DEFINED ENV{CONESWEEP_ALL})
  set(folder ${work}/add_subdirectory)
  run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/inside -B ${folder} -D CMAKE_BUILD_TYPE=Release -D ASKED_BUILD_TYPE=Release -D CONESWEEP_QUICK=ON -D ASKED_QUICK=ON -D CONESWEEP_UNITY=ON)
  run(${CMAKE_COMMAND} --build ${folder} --target user)
  run(${folder}/user ${SOURCE}/samples/bouncing_ball.toml ${work}/run)
endif()
