# Installs conesweep to a folder of its own, builds the project beside this file against it, and runs that.
set(work ${BUILD}/tests/package)
file(REMOVE_RECURSE ${work})
file(MAKE_DIRECTORY ${work})
include(${CMAKE_CURRENT_LIST_DIR}/run_command.cmake)

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${work}/prefix)
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${work}/build -G ${GENERATOR} -D CMAKE_PREFIX_PATH=${work}/prefix
  -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_CXX_FLAGS=${FLAGS} -D CMAKE_BUILD_TYPE=Release)
run(${CMAKE_COMMAND} --build ${work}/build)
run(${work}/build/user ${work}/prefix/share/conesweep/samples/bouncing_ball.toml ${work}/run)
run(${work}/prefix/bin/conesweep check ${work}/prefix/share/conesweep/samples/slider.toml)
