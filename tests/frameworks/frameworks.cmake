# Tests of the Python trainers, each in the environment of its own framework; also the proof that they
# train what the C++ trainers train. `make test` installs the environments.

foreach(framework pytorch)
  set(python ${CMAKE_SOURCE_DIR}/.venv/${framework}/bin/python)
  if(NOT EXISTS ${python})
    message(STATUS "No .venv/${framework}: its tests are left out (scripts/setup ${framework} installs it)")
    continue()
  endif()
  add_test(NAME frameworks.${framework}
    COMMAND ${python} -m unittest discover --top-level-directory ${CMAKE_CURRENT_LIST_DIR}
            ${CMAKE_CURRENT_LIST_DIR})
  set_tests_properties(frameworks.${framework} PROPERTIES TIMEOUT 900
    ENVIRONMENT "OMP_NUM_THREADS=1;TRAINMARK_BIN=${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
endforeach()
