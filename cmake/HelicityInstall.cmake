# SPDX-License-Identifier: Apache-2.0
# Headers, library, package config and pkg-config file; programs install themselves.

include(CMakePackageConfigHelpers)
set(helicity_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/helicity)
set(helicity_pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(TARGETS helicity EXPORT helicity-targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/lib/helicity DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.hpp" PATTERN "*.cuh" PATTERN detail EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/CITATION.cff
  DESTINATION ${CMAKE_INSTALL_DOCDIR})

install(EXPORT helicity-targets NAMESPACE helicity:: DESTINATION ${helicity_cmake_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/helicity-config.cmake.in
  ${PROJECT_BINARY_DIR}/helicity-config.cmake INSTALL_DESTINATION ${helicity_cmake_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/helicity-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/helicity-config.cmake
  ${PROJECT_BINARY_DIR}/helicity-config-version.cmake DESTINATION ${helicity_cmake_dir})

# A program that links the static library needs its dependencies; with the shared one, nothing.
set(helicity_pc_requires "")
set(helicity_pc_libs "")
set(helicity_pc_cflags "")
if(NOT BUILD_SHARED_LIBS)
  set(helicity_pc_requires "fmt libhwy zlib libpng")
  set(helicity_pc_libs " -pthread")
  set(helicity_pc_cflags " -DHELICITY_STATIC")
  if(HELICITY_HAVE_MPI)
    list(JOIN MPI_CXX_LIBRARIES " " helicity_mpi_libs)
    string(APPEND helicity_pc_libs " ${helicity_mpi_libs}")
  endif()
  if(HELICITY_HAVE_HDF5)
    list(JOIN HDF5_HL_LIBRARIES " " helicity_hdf5_hl_libs)
    list(JOIN HDF5_C_LIBRARIES " " helicity_hdf5_libs)
    string(APPEND helicity_pc_libs " ${helicity_hdf5_hl_libs} ${helicity_hdf5_libs}")
  endif()
  if(HELICITY_HAVE_HTS)
    string(APPEND helicity_pc_requires " htslib")
  endif()
  if(HELICITY_HAVE_CUDA AND CMAKE_CUDA_RUNTIME_LIBRARY STREQUAL "Static")
    string(APPEND helicity_pc_libs " -L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -ldl -lrt")
  elseif(HELICITY_HAVE_CUDA)
    string(APPEND helicity_pc_libs " -L${CUDAToolkit_LIBRARY_DIR} -lcudart")
  endif()
endif()
file(RELATIVE_PATH helicity_pc_to_prefix /${helicity_pc_dir} /)
string(REGEX REPLACE "/$" "" helicity_pc_to_prefix "${helicity_pc_to_prefix}")
configure_file(${PROJECT_SOURCE_DIR}/cmake/helicity.pc.in ${PROJECT_BINARY_DIR}/helicity.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/helicity.pc DESTINATION ${helicity_pc_dir})
