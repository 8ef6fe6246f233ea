#include "tests/fuzz/file_seeds.h"

#include <archive.h>
#include <archive_entry.h>
#include <zlib.h>

#include "tests/fuzz/target.h"

namespace kindred::fuzz {

std::string Gzipped(const std::string& bytes) {
  constexpr int kGzip = 15 + 16;
  z_stream stream{};
  Require(::deflateInit2(&stream, 9, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) == Z_OK, "zlib");
  std::string out(bytes.size() + 100, '\0');
  std::string in = bytes;
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  Require(::deflate(&stream, Z_FINISH) == Z_STREAM_END, "zlib");
  out.resize(stream.total_out);
  ::deflateEnd(&stream);
  return out;
}

std::string Tar(const std::vector<std::pair<std::string, std::string>>& files) {
  std::string out(1 << 16, '\0');
  size_t used = 0;
  archive* const tar = archive_write_new();
  archive_write_set_format_ustar(tar);
  archive_write_set_bytes_in_last_block(tar, 1);
  Require(archive_write_open_memory(tar, out.data(), out.size(), &used) == ARCHIVE_OK, "libarchive");
  for (const auto& [name, text] : files) {
    archive_entry* const entry = archive_entry_new();
    archive_entry_set_pathname(entry, name.c_str());
    archive_entry_set_size(entry, static_cast<la_int64_t>(text.size()));
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    Require(archive_write_header(tar, entry) == ARCHIVE_OK, "libarchive");
    archive_write_data(tar, text.data(), text.size());
    archive_entry_free(entry);
  }
  archive_write_close(tar);
  archive_write_free(tar);
  out.resize(used);
  return out;
}

}  // namespace kindred::fuzz
