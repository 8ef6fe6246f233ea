#include "client/formats/pb_writer.h"

#include <zstd.h>

#include <new>
#include <utility>

#include "absl/strings/str_cat.h"
#include "google/protobuf/io/coded_stream.h"

namespace kindred::formats {

namespace {

constexpr size_t kPendingBytes = size_t{256} << 10;
// Beyond 3, Zstandard's default, a file of molecules gets hardly smaller, but is written much more slowly.
constexpr int kLevel = 3;
constexpr size_t kLengthBytesMax = 10;

ZSTD_CCtx* NewCompressor() {
  ZSTD_CCtx* const compressor = ZSTD_createCCtx();
  if (compressor == nullptr) throw std::bad_alloc();
  ZSTD_CCtx_setParameter(compressor, ZSTD_c_compressionLevel, kLevel);
  ZSTD_CCtx_setParameter(compressor, ZSTD_c_checksumFlag, 1);
  return compressor;
}

void AppendLength(size_t length, std::string& bytes) {
  uint8_t varint[kLengthBytesMax];
  const uint8_t* const end = google::protobuf::io::CodedOutputStream::WriteVarint64ToArray(length, varint);
  bytes.append(reinterpret_cast<const char*>(varint), static_cast<size_t>(end - varint));
}

}  // namespace

PbWriter::PbWriter(bool compress, Sink sink)
    : sink_(std::move(sink)), compressor_(compress ? NewCompressor() : nullptr, ZSTD_freeCCtx) {}

PbWriter::~PbWriter() = default;

absl::Status PbWriter::Add(std::string_view record) {
  AppendLength(record.size(), pending_);
  pending_.append(record);
  return pending_.size() < kPendingBytes ? absl::OkStatus() : Flush(false);
}

absl::Status PbWriter::Finish() { return Flush(true); }

absl::Status PbWriter::Flush(bool is_last) {
  const absl::Status status = compressor_ != nullptr ? Compress(is_last) : sink_(pending_);
  pending_.clear();
  return status;
}

absl::Status PbWriter::Compress(bool is_last) {
  compressed_.resize(ZSTD_CStreamOutSize());
  ZSTD_inBuffer in{pending_.data(), pending_.size(), 0};
  while (true) {
    ZSTD_outBuffer out{compressed_.data(), compressed_.size(), 0};
    const size_t left =
        ZSTD_compressStream2(compressor_.get(), &out, &in, is_last ? ZSTD_e_end : ZSTD_e_continue);
    if (ZSTD_isError(left) != 0) {
      return absl::InternalError(absl::StrCat("cannot compress: ", ZSTD_getErrorName(left)));
    }
    const absl::Status written = sink_(std::string_view(compressed_).substr(0, out.pos));
    if (!written.ok()) return written;
    if (is_last ? left == 0 : in.pos == in.size) return absl::OkStatus();
  }
}

}  // namespace kindred::formats
