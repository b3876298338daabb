# Several ranks and hosts for real: mpirun, ssh between network namespaces, Slurm on loopback. What needs root or programs
# that are not there is left out with a message.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
foreach(part ranks hosts slurm)
  add_test(NAME cluster.${part}
    COMMAND Python3::Interpreter -m unittest discover --start-directory ${CMAKE_CURRENT_LIST_DIR} --pattern ${part}_test.py --verbose)
  set_tests_properties(cluster.${part} PROPERTIES TIMEOUT ${hang_seconds} LABELS cluster RESOURCE_LOCK cluster
    ENVIRONMENT "TRAINMARK_BIN=${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
endforeach()
# It compares the speeds of ranks. The others mostly wait, beside tests that compute.
set_tests_properties(cluster.ranks PROPERTIES RUN_SERIAL TRUE)
set_tests_properties(cluster.hosts cluster.slurm PROPERTIES COST 900)
