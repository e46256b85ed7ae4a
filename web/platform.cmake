# WebAssembly, by emscripten: the engine alone, with nothing of the machine that it is compiled on but headers.
# SOLVERS is where web/solvers is installed. Functions in C of a model's own, LAPACK and MATLAB's files are not there, and say so (web/absent.cpp).
set(SOLVERS "" CACHE PATH "prefix of SUNDIALS and KLU for WebAssembly (web/solvers)")

# Headers of the system, one by one: its C library is another one.
set(headers ${CMAKE_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${headers})
foreach(name tao fmt nlohmann boost matio.h matio_pubconf.h)
  if(NOT EXISTS /usr/include/${name})
    message(FATAL_ERROR "/usr/include/${name} is missing: scripts/install_packages.sh installs it")
  endif()
  file(CREATE_LINK /usr/include/${name} ${headers}/${name} SYMBOLIC)
endforeach()

# What the C++ library of emscripten 3.1.6 lacks.
include_directories(BEFORE SYSTEM ${CMAKE_SOURCE_DIR}/web/compat)
include_directories(SYSTEM ${headers})
add_compile_options(-fwasm-exceptions)
add_link_options(-fwasm-exceptions)
add_compile_definitions(FMT_HEADER_ONLY)
foreach(library taocpp::pegtl fmt::fmt nlohmann_json::nlohmann_json Threads::Threads)
  add_library(${library} INTERFACE IMPORTED)
endforeach()

# As runtime/CMakeLists.txt has it for the machine itself.
add_library(mosim_sundials INTERFACE)
foreach(name sundials_cvode sundials_kinsol sundials_sunlinsoldense sundials_sunmatrixdense sundials_sunmatrixsparse sundials_sunmatrixband
        sundials_nvecserial sundials_core klu amd colamd btf suitesparseconfig)
  target_link_libraries(mosim_sundials INTERFACE ${SOLVERS}/lib/lib${name}.a)
endforeach()
set(SUNDIALS_INCLUDE_DIR ${SOLVERS}/include)
set(KLU_INCLUDE_DIR ${SOLVERS}/include)
