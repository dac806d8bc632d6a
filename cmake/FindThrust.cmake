# Thrust for the host compiler: headers only, with OpenMP as its device system (left to itself it takes CUDA, whose headers may not be there). Debian's libthrust-dev, else those of a CUDA toolkit. nvcc never asks here: it brings its own.
find_path(Thrust_INCLUDE_DIR thrust/version.h)
find_path(Thrust_INCLUDE_DIR thrust/version.h PATHS ${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES} /usr/local/cuda/include PATH_SUFFIXES cccl)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Thrust REQUIRED_VARS Thrust_INCLUDE_DIR REASON_FAILURE_MESSAGE "install Debian's libthrust-dev or a CUDA toolkit")
if(Thrust_FOUND AND NOT TARGET Thrust::Thrust)
  add_library(Thrust::Thrust INTERFACE IMPORTED)
  set_target_properties(Thrust::Thrust PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${Thrust_INCLUDE_DIR}
    INTERFACE_COMPILE_DEFINITIONS THRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_OMP)
endif()
