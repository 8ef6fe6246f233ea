# Small sources of one folder are compiled a few at a time: the headers of gRPC, CLI11 and nlohmann-json cost
# more than our code, and are then read once. OFF gives every file a compile command of its own (clang-tidy).
option(KINDRED_UNITY "Compile several sources of a folder together" ON)

function(kindred_unity target batch)
  if(KINDRED_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${batch})
  endif()
endfunction()

# kindred_library(NAME DEPS ...): the library of one folder, made of all its .cc files.
function(kindred_library name)
  cmake_parse_arguments(ARG "" "" "DEPS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cc)
  add_library(${name} STATIC ${sources})
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PUBLIC ${ARG_DEPS} PRIVATE kindred_warnings)
  kindred_unity(${name} 6)
endfunction()
