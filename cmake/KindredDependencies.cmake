# Everything kindred links, all of it from Debian 12. docs/dependencies.md gives the reason for each.

find_package(Threads REQUIRED)
find_package(absl REQUIRED)
find_package(fmt REQUIRED)
find_package(RocksDB REQUIRED)

# Debian ships highwayhash without a CMake or pkg-config file.
find_path(HIGHWAYHASH_INCLUDE_DIR highwayhash/sip_hash.h REQUIRED)
find_library(HIGHWAYHASH_LIBRARY highwayhash REQUIRED)
add_library(kindred_highwayhash INTERFACE)
target_include_directories(kindred_highwayhash SYSTEM INTERFACE ${HIGHWAYHASH_INCLUDE_DIR})
target_link_libraries(kindred_highwayhash INTERFACE ${HIGHWAYHASH_LIBRARY})

find_package(hwy REQUIRED)
add_library(kindred_highway ALIAS hwy::hwy)

if(NOT KINDRED_INDEX_ONLY)
  find_package(Protobuf MODULE REQUIRED)
  find_package(gRPC REQUIRED)
  find_package(OpenSSL REQUIRED)
  find_package(CLI11 REQUIRED)
  find_package(spdlog REQUIRED)
  find_package(nlohmann_json REQUIRED)
  find_package(LibArchive REQUIRED)
  find_package(ZLIB REQUIRED)
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(libzstd REQUIRED IMPORTED_TARGET libzstd)

  # Sanitizers bring an allocator of their own.
  add_library(kindred_allocator INTERFACE)
  if(NOT KINDRED_SANITIZE)
    pkg_check_modules(jemalloc REQUIRED IMPORTED_TARGET jemalloc)
    target_link_libraries(kindred_allocator INTERFACE PkgConfig::jemalloc)
  endif()

  # Debian ships RDKit without a CMake file.
  find_path(RDKIT_INCLUDE_DIR GraphMol/SmilesParse/SmilesParse.h PATH_SUFFIXES rdkit REQUIRED)
  add_library(kindred_rdkit INTERFACE)
  target_include_directories(kindred_rdkit SYSTEM INTERFACE ${RDKIT_INCLUDE_DIR})
  foreach(part FileParsers SmilesParse GraphMol Descriptors RDGeneral)
    find_library(RDKIT_${part}_LIBRARY RDKit${part} REQUIRED)
    target_link_libraries(kindred_rdkit INTERFACE ${RDKIT_${part}_LIBRARY})
  endforeach()
  add_library(kindred_rdkit_drawing INTERFACE)
  target_link_libraries(kindred_rdkit_drawing INTERFACE kindred_rdkit)
  foreach(part Depictor MolDraw2D)
    find_library(RDKIT_${part}_LIBRARY RDKit${part} REQUIRED)
    target_link_libraries(kindred_rdkit_drawing INTERFACE ${RDKIT_${part}_LIBRARY})
  endforeach()
endif()

if(KINDRED_TESTS OR KINDRED_FUZZ)
  find_package(GTest REQUIRED)
  find_package(rapidcheck REQUIRED)
endif()
