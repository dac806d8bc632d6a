# The installed package: find_package(conesweep) gives conesweep::conesweep. Components are what the .deb files have each: the program with its library and the
# samples; headers; MPI's plugin, which needs an MPI that the program does not.
include(CMakePackageConfigHelpers)
set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/conesweep)

install(TARGETS conesweep conesweep_headers EXPORT conesweepTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT program NAMELINK_COMPONENT development)
install(TARGETS conesweep_app RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/samples/ DESTINATION ${CMAKE_INSTALL_DATADIR}/conesweep/samples COMPONENT program)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/conesweep RENAME copyright COMPONENT program)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/conesweep DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development FILES_MATCHING PATTERN "*.hpp")
install(EXPORT conesweepTargets NAMESPACE conesweep:: DESTINATION ${config_dir} COMPONENT development)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/conesweepConfig.cmake.in ${PROJECT_BINARY_DIR}/conesweepConfig.cmake INSTALL_DESTINATION ${config_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/conesweepConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/conesweepConfig.cmake ${PROJECT_BINARY_DIR}/conesweepConfigVersion.cmake DESTINATION ${config_dir} COMPONENT development)

# cpack -G DEB, cpack -G TGZ. What nvcc made is in the tarball alone: it wants the toolkit's runtime, which is not Debian's.
set(CPACK_PACKAGE_NAME conesweep)
set(CPACK_PACKAGE_CONTACT "The conesweep project")
set(CPACK_PACKAGE_DESCRIPTION "Steps ensembles of particles and bodies with contacts, Coulomb friction and delays, exactly in every step, on all cores or on GPUs.")
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME conesweep)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "g++ | clang")   # compiles the models of the cpu executor; reference and cuda do without
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libconesweep-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "conesweep (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_MPI_PACKAGE_NAME conesweep-mpi)
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "conesweep (= ${PROJECT_VERSION})")
file(WRITE ${PROJECT_BINARY_DIR}/cpack_components.cmake "if(CPACK_GENERATOR STREQUAL DEB)\n  list(REMOVE_ITEM CPACK_COMPONENTS_ALL cuda)\nendif()\n")
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_BINARY_DIR}/cpack_components.cmake)
include(CPack)
