// A TFRecord file as it is; and, since no guess has the right sum, one whose only record is the
// input.

#include "data/formats/tf_records.h"
#include "read_data_set.h"

using namespace trainmark;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::read_data_set("tfrecord", fuzz::as_file("a.tfrecord", fuzz::view_of(data, size)), size);
  const data::Bytes framed = data::frame_tf_record({data, size});
  fuzz::read_data_set("tfrecord",
                      fuzz::as_file("b.tfrecord", fuzz::view_of(framed.data(), framed.size())),
                      framed.size());
  return 0;
}
