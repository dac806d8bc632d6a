# The installed package: find_package(conesweep) gives conesweep::conesweep.
include(CMakePackageConfigHelpers)
set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/conesweep)

install(TARGETS conesweep conesweep_headers EXPORT conesweepTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS conesweep_app RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/conesweep DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/samples/ DESTINATION ${CMAKE_INSTALL_DATADIR}/conesweep/samples)
install(EXPORT conesweepTargets NAMESPACE conesweep:: DESTINATION ${config_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/conesweepConfig.cmake.in ${PROJECT_BINARY_DIR}/conesweepConfig.cmake INSTALL_DESTINATION ${config_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/conesweepConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/conesweepConfig.cmake ${PROJECT_BINARY_DIR}/conesweepConfigVersion.cmake DESTINATION ${config_dir})
