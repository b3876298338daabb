#include "logs/generic/field_words.h"

namespace trainmark {

namespace {

constexpr std::size_t most_names = 2000;

constexpr char lowered(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + ('a' - 'A')) : letter;
}

FieldWords meaning_of(std::string_view printed) {
  FieldWords words;
  for (const char letter : printed) words.text += lowered(letter);
  while (!words.text.empty() && separates(words.text.back())) words.text.pop_back();
  words.any = !words.text.empty();
  words.hash = mixed_letters(hash_begin, words.text);
  if (words.any) words.quantity = quantity_in_front(words.text);
  std::size_t front = 0;
  while (front < words.text.size() && (separates(words.text[front]) || words.text[front] == '/'))
    ++front;
  words.text.erase(0, front);
  return words;
}

}  // namespace

bool separates(char letter) {
  return letter == ' ' || letter == ':' || letter == '=' || letter == '"' || letter == '\'' ||
         letter == '[' || letter == '(' || letter == '\t' || letter == '#' || letter == '<' ||
         letter == '>' || letter == '~' || letter == '-';
}

std::uint64_t mixed_letters(std::uint64_t hash, std::string_view text) {
  for (const char letter : text) {
    const char small = lowered(letter);
    if ((small >= 'a' && small <= 'z') || small == '_')
      hash = mixed(hash, static_cast<unsigned char>(small));
  }
  return hash;
}

const FieldWords& FieldWordsCache::of(std::string_view printed) {
  const auto found = words_.find(printed);
  if (found != words_.end()) return found->second;
  return words_.emplace(std::string(printed), meaning_of(printed)).first->second;
}

void FieldWordsCache::forget() {
  if (words_.size() > most_names) words_.clear();
}

}  // namespace trainmark
