# LibTorch::cpu, from the PyTorch wheel. The wheel's own CMake files insist on a CUDA toolkit, and we
# link the CPU part only (CUDA is opened at run time), so its libraries are named here instead.

set(TRAINMARK_LIBTORCH "" CACHE PATH
    "The torch folder of a wheel (it holds include/ and lib/); default: what scripts/setup installs")

set(torch_root ${TRAINMARK_LIBTORCH})
if(NOT torch_root)
  file(GLOB torch_found ${CMAKE_SOURCE_DIR}/.venv/libtorch/lib/python3*/site-packages/torch)
  if(torch_found)
    list(GET torch_found 0 torch_root)
  endif()
endif()
if(NOT torch_root OR NOT EXISTS ${torch_root}/lib/libtorch_cpu.so)
  message(FATAL_ERROR
    "LibTorch was not found (TRAINMARK_LIBTORCH is \"${TRAINMARK_LIBTORCH}\"). Run scripts/setup to install it, or write "
    "-DTRAINMARK_LIBTORCH=path/to/torch, or -DTRAINMARK_TRAINERS=OFF to build without it.")
endif()

set(TRAINMARK_TORCH_FOUND ${torch_root} CACHE INTERNAL "The LibTorch that trainmark-train is built for")

add_library(LibTorch::c10 SHARED IMPORTED)
set_target_properties(LibTorch::c10 PROPERTIES IMPORTED_LOCATION ${torch_root}/lib/libc10.so)

add_library(LibTorch::cpu SHARED IMPORTED)
set_target_properties(LibTorch::cpu PROPERTIES IMPORTED_LOCATION ${torch_root}/lib/libtorch_cpu.so)
# SYSTEM: their warnings are not ours. The libraries of the wheel were built with the C++11 ABI.
target_include_directories(LibTorch::cpu SYSTEM INTERFACE
  ${torch_root}/include ${torch_root}/include/torch/csrc/api/include)
target_compile_definitions(LibTorch::cpu INTERFACE _GLIBCXX_USE_CXX11_ABI=1)
target_link_libraries(LibTorch::cpu INTERFACE LibTorch::c10)

# at::parallel_for is a header that is serial without OpenMP. The wheel brings its own libgomp: we
# take that one, so that there is one pool of threads, and OMP_NUM_THREADS sets its size.
add_library(LibTorch::gomp SHARED IMPORTED)
set_target_properties(LibTorch::gomp PROPERTIES IMPORTED_LOCATION ${torch_root}/lib/libgomp.so.1)
target_compile_options(LibTorch::cpu INTERFACE -fopenmp)
target_link_libraries(LibTorch::cpu INTERFACE LibTorch::gomp)

# libtorch_cpu finds NVIDIA's libraries by its own RPATH, the linker does not: it is told
# to leave what the wheel's libraries need to the time they are loaded.
target_link_options(LibTorch::cpu INTERFACE
  -Wl,--allow-shlib-undefined -Wl,-rpath-link,${torch_root}/lib)

# LibTorch::cuda, for the shared object with our own CUDA code (trainers/cuda), which is opened only
# where there is a GPU. CUDA's own headers and runtime are the toolkit's.
add_library(LibTorch::c10_cuda SHARED IMPORTED)
set_target_properties(LibTorch::c10_cuda PROPERTIES IMPORTED_LOCATION ${torch_root}/lib/libc10_cuda.so)
add_library(LibTorch::cuda SHARED IMPORTED)
set_target_properties(LibTorch::cuda PROPERTIES IMPORTED_LOCATION ${torch_root}/lib/libtorch_cuda.so)
target_link_libraries(LibTorch::cuda INTERFACE LibTorch::c10_cuda LibTorch::cpu)
