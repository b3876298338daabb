#pragma once

namespace trainmark::train {

enum class ElementType { float32, float16, bfloat16 };

}  // namespace trainmark::train
