#include "logs/grammar/dllogger.h"

// NVIDIA's BERT for TensorFlow. Iterations repeat while the loss scale is being found.

namespace trainmark {

namespace {

const Registration<Dialect> registered(
    "dll_bert_tf",
    dllogger_dialect("NVIDIA's BERT for TensorFlow (DLLogger)",
                     "DLL 2024-01-02 03:04:05.678901 - Iteration: 20  throughput_train : 500.000 "
                     "sequences/s mlm_loss : 10.1000  nsp_loss : 0.7000  total_loss : 10.8000 ",
                     "throughput_train", "total_loss", "sequences/s"));

}  // namespace

}  // namespace trainmark
