#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace trainmark {

/// The whole of a regular file. UserError with path and reason where it cannot be read, is larger
/// than `limit` bytes, or is no file at all (folder, FIFO, socket, device).
std::string read_file(const std::filesystem::path& path, std::size_t limit);

/// Readers see the old content or the new, never half of it, and the new one survives a power cut:
/// written beside, synced, renamed. SystemError where the machine refuses, UserError where `path`
/// is a folder or a device; nothing is left behind on failure.
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

/// Why a write failed, from its error number: a full disk is called so.
std::string write_failure(int error);

/// Makes a folder and those above it that are missing; their names survive a power cut. SystemError
/// where the machine refuses.
void make_folders(const std::filesystem::path& path);

/// Makes names created or renamed in a folder durable.
void sync_folder(const std::filesystem::path& path);

}  // namespace trainmark
