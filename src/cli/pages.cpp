// Man pages and completions, as they are installed below share/. Not for people: `make install` and
// the packages call it, so that no page says anything else than the program.

#include <fmt/format.h>

#include <filesystem>

#include "base/files.h"
#include "cli/app.h"
#include "cli/command.h"
#include "cli/completions.h"
#include "cli/manual.h"
#include "cli/output_path.h"

namespace trainmark {

namespace {

namespace fs = std::filesystem;

void write_page(const fs::path& file, const std::string& text) {
  make_folders(file.parent_path());
  write_file_atomically(file, text);
}

int write_pages(const fs::path& share) {
  const auto app = shown_app();
  const std::vector<CommandShape> shapes = command_shapes();
  const fs::path manuals = share / "man" / "man1";
  write_page(manuals / "trainmark.1", manual_overview(shapes, examples_of(*app), notes_of(*app)));
  for (const CommandShape& shape : shapes) {
    write_page(manuals / (manual_name(shape) + ".1"),
               manual_page(shape, examples_of(command_called(*app, shape.name))));
  }
  write_page(share / "bash-completion" / "completions" / "trainmark",
             completion_script("bash", shapes));
  write_page(share / "zsh" / "site-functions" / "_trainmark", completion_script("zsh", shapes));
  write_page(share / "fish" / "vendor_completions.d" / "trainmark.fish",
             completion_script("fish", shapes));
  return exit_well;
}

const Registration<Subcommand> pages_command(
    "pages", {.summary = "write man pages and completions; `make install` does it",
              .add = [](CLI::App& app) -> std::function<int()> {
                auto folder = std::make_shared<std::string>();
                add_path_option(app, "folder", *folder, "the folder share/")->required();
                return [folder] { return write_pages(*folder); };
              },
              .internal = true});

}  // namespace

}  // namespace trainmark
