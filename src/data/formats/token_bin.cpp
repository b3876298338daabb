// Shards of tokens: those of llm.c have a header of 256 numbers of 32 bits (magic number, version,
// count of tokens) in front of their tokens; nanoGPT's train.bin and val.bin have nothing but
// tokens of 16 bits.
#include "data/formats/token_bin.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <optional>

#include "base/error.h"
#include "base/text.h"
#include "data/formats/data_set.h"
#include "data/formats/fresh_item.h"
#include "data/formats/in_parallel.h"
#include "data/formats/input_file.h"
#include "data/formats/sharded_index.h"
#include "data/formats/shards.h"
#include "data/formats/staged_folder.h"
#include "data/formats/text_shards.h"

namespace trainmark::data {

namespace fs = std::filesystem;

namespace {

static_assert(std::endian::native == std::endian::little, "the format's numbers are little-endian");

using Header = std::array<std::int32_t, 256>;

struct Variant {
  std::int32_t magic;
  std::int32_t version;
  std::uint64_t token_bytes;
};
constexpr Variant narrow = {20240520, 1, 2};  // GPT-2's tokens
constexpr Variant wide = {20240801, 7, 4};    // Llama 3's

constexpr std::size_t most_tokens_per_shard = std::size_t{1} << 24;  // of those written here

std::optional<Variant> variant_of(std::int32_t magic) {
  for (const Variant& variant : {narrow, wide})
    if (variant.magic == magic) return variant;
  return {};
}

bool has_header(const fs::path& file) {
  const std::string bytes = beginning_of(file, sizeof(std::int32_t));
  std::int32_t magic = 0;
  if (bytes.size() == sizeof magic) std::memcpy(&magic, bytes.data(), sizeof magic);
  return variant_of(magic).has_value();
}

bool is_of_nanogpt(const std::string& name) {
  return name == "train.bin" || name == "val.bin";
}

bool ends_in_bin(const std::string& name) {
  return name.ends_with(".bin");
}

/// The shards of a split, or none. One of llm.c's whose magic number is damaged must not get lost
/// among files of other programs, so all have one or none has.
std::vector<fs::path> token_files(const fs::path& path, Split split) {
  std::vector<fs::path> files = shards_at(path, ends_in_bin, split);
  std::error_code error;
  if (fs::is_directory(path, error) && std::ranges::none_of(files, has_header))
    return shards_at(path, is_of_nanogpt, split);
  return files;
}

/// Where the tokens of a file lie.
struct Tokens {
  std::uint64_t begin = 0;  // in bytes
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;  // of each

  std::uint64_t windows() const {
    return count == 0 ? 0 : std::max<std::uint64_t>(count / token_bin_window, 1);
  }
};

[[noreturn]] void refuse(const fs::path& path, const std::string& why) {
  throw UserError(fmt::format("{}: {}", printable(path.string()), why));
}

Tokens tokens_behind_header(const InputFile& file) {
  Header header = {};
  if (file.size() < sizeof header) refuse(file.path(), "it is shorter than the header of a shard");
  file.read(0, {reinterpret_cast<std::uint8_t*>(header.data()), sizeof header});
  const std::optional<Variant> variant = variant_of(header[0]);
  if (!variant || header[1] != variant->version || header[2] < 0)
    refuse(file.path(),
           fmt::format("magic number {}, version {} and {} tokens are not a header of llm.c; known "
                       "are {} with version {} and {} with version {}",
                       header[0], header[1], header[2], narrow.magic, narrow.version, wide.magic,
                       wide.version));
  const Tokens tokens = {.begin = sizeof header,
                         .count = static_cast<std::uint64_t>(header[2]),
                         .bytes = variant->token_bytes};
  const std::uint64_t held = file.size() - sizeof header;
  if (held != tokens.count * tokens.bytes)
    refuse(file.path(), fmt::format("its header claims {} tokens of {} bytes, but {} bytes follow",
                                    tokens.count, tokens.bytes, held));
  return tokens;
}

Tokens tokens_of(const InputFile& file) {
  if (has_header(file.path()) || !is_of_nanogpt(file.path().filename()))
    return tokens_behind_header(file);
  if (file.size() % narrow.token_bytes != 0)
    refuse(file.path(), fmt::format("its {} bytes are not whole tokens of 16 bits", file.size()));
  return {.begin = 0, .count = file.size() / narrow.token_bytes, .bytes = narrow.token_bytes};
}

class TokenBin : public DataSet {
 public:
  TokenBin(const fs::path& path, const std::vector<fs::path>& files)
      : shards_(files), tokens_(shards_.count()) {
    in_parallel(shards_.count(),
                [&](std::size_t shard) { tokens_[shard] = tokens_of(shards_[shard]); });
    for (const Tokens& tokens : tokens_) windows_.add_shard(tokens.windows());
    if (windows_.size() == 0) refuse(path, "it holds no tokens");
  }

  std::string format() const override { return "token-bin"; }
  std::string kind() const override { return kind::masked_sentences; }
  std::int64_t size() const override { return windows_.size(); }

  void read(std::int64_t index, Item& item) const override {
    const ShardedIndex::Place place = windows_[index];
    const InputFile& file = shards_[place.shard];
    const Tokens& tokens = tokens_[place.shard];
    const std::uint64_t first = place.number * token_bin_window;
    freshen(item);
    item.name = fmt::format("{}:{}", file.name(), first);
    item.tokens.resize(std::min<std::uint64_t>(token_bin_window, tokens.count - first));

    std::array<std::uint8_t, token_bin_window * sizeof(std::uint32_t)> bytes;
    file.read(tokens.begin + first * tokens.bytes,
              std::span(bytes).first(item.tokens.size() * tokens.bytes));
    if (tokens.bytes == narrow.token_bytes)
      take<std::uint16_t>(bytes, item.tokens);
    else
      take<std::uint32_t>(bytes, item.tokens);
  }

 private:
  template <class Token>
  static void take(std::span<const std::uint8_t> bytes, std::vector<std::int32_t>& tokens) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      Token token = 0;
      std::memcpy(&token, bytes.data() + i * sizeof token, sizeof token);
      if (token > std::numeric_limits<std::int32_t>::max())
        throw BadItem(fmt::format("{} at place {} is not a token id", token, i));
      tokens[i] = static_cast<std::int32_t>(token);
    }
  }

  Shards shards_;
  std::vector<Tokens> tokens_;  // of each shard
  ShardedIndex windows_;
};

/// Writes shards as llm.c does, in 16 bits where the tokens allow it.
class TokenBinWriter : public DataSetWriter {
 public:
  explicit TokenBinWriter(const WriterSettings& settings)
      : split_(settings.split),
        stage_(folder_for_shards(settings.folder, settings.split)),
        items_per_shard_(settings.items_per_shard) {}

  void write(const Item& item) override {
    const std::size_t begin = tokens_.size();
    tokens_.insert(tokens_.end(), item.tokens.begin(), item.tokens.end());
    // The stream has no place for masks: it holds what they hide.
    for (std::size_t i = 0; i < item.positions.size(); ++i)
      tokens_.at(begin + static_cast<std::size_t>(item.positions[i])) = item.target.at(i);
    if (tokens_.empty()) return;
    if (++items_ >= items_per_shard_ || tokens_.size() >= most_tokens_per_shard) write_shard();
  }

  void finish() override {
    if (items_ > 0) write_shard();
    stage_.publish();
  }

 private:
  void write_shard() {
    const auto [least, most] = std::ranges::minmax(tokens_);
    TRAINMARK_ASSERT(least >= 0);
    const Variant& variant = most <= std::numeric_limits<std::uint16_t>::max() ? narrow : wide;
    Header header = {variant.magic, variant.version, static_cast<std::int32_t>(tokens_.size())};
    const std::size_t token_bytes = variant.token_bytes;
    std::string content(sizeof header + tokens_.size() * token_bytes, '\0');
    std::memcpy(content.data(), header.data(), sizeof header);
    // Little-endian: the lower half of a number comes first.
    for (std::size_t i = 0; i < tokens_.size(); ++i)
      std::memcpy(content.data() + sizeof header + i * token_bytes, &tokens_[i], token_bytes);
    OutputFile file(stage_.path() / shard_name(split_, shards_++, ".bin"));
    file.write(content);
    file.close();
    tokens_.clear();
    items_ = 0;
  }

  Split split_;
  StagedFolder stage_;
  std::int64_t items_per_shard_;
  std::size_t shards_ = 0;
  std::int64_t items_ = 0;
  std::vector<std::int32_t> tokens_;
};

bool recognizes(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error))
    return has_shards(path, ends_in_bin) && !token_files(path, Split::training).empty();
  return path.extension() == ".bin" && fs::is_regular_file(path, error) &&
         (is_of_nanogpt(path.filename()) || has_header(path));
}

std::unique_ptr<DataSet> open_token_bin(const fs::path& path, Split split) {
  const std::vector<fs::path> files = token_files(path, split);
  return files.empty() ? nullptr : std::make_unique<TokenBin>(path, files);
}

const Registration<Format> registered(
    "token-bin",
    {"tokens without sentences: shards of llm.c (*.bin), or nanoGPT's train.bin",
     {kind::masked_sentences},
     recognizes,
     open_token_bin,
     [](const WriterSettings& settings) { return std::make_unique<TokenBinWriter>(settings); }});

}  // namespace

}  // namespace trainmark::data
