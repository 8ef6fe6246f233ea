// Every limit of kindred: its name, its default, the most it may be set to, and its reason.
//
// A limit is a member of Limits, a row of kLimits, and so a flag of kindredd of the same name
// (vertices_max is --vertices-max), a key of its config file and an environment variable.

#pragma once

#include <array>
#include <cstdint>

#include "index/base/ids.h"

namespace kindred {

struct Limits {
  uint64_t vertices_max = 100'000;
  uint64_t edges_max = 1'000'000;
  uint64_t labels_max = 4'096;
  uint64_t label_bytes_max = 256;
  uint64_t payload_bytes_max = 65'536;
  uint64_t tags_max = 64;
  uint64_t tag_bytes_max = 1'024;
  uint64_t filter_bytes_max = 4'096;
  uint64_t filter_lists_bytes_max = 128 << 20;
  uint64_t exclude_max = 10'000;
  uint64_t graphs_max = 1'000'000'000;
  uint64_t colours_max = 1'000'000'000;
  uint64_t k_max = 10'000;
  uint64_t batch_items_max = 10'000;
  uint64_t kernel_graphs_max = 20'000;
  uint64_t kernel_entries_max = 10'000'000;
  uint64_t recommend_examples_max = 100;
  uint64_t pairs_memory_bytes = 128 << 20;
  uint64_t cluster_medoid_max = 4'096;
  uint64_t message_bytes_max = 16 << 20;
  uint64_t ingest_window_bytes = 8 << 20;
  uint64_t write_queue_bytes_max = 64 << 20;
  uint64_t search_queue_max = 1'024;
  uint64_t search_queue_bytes_max = 256 << 20;
  uint64_t search_millis_max = 60'000;
  uint64_t search_stream_max = 64;
  uint64_t streams_max = 256;
  uint64_t connections_max = 4'096;
  uint64_t connections_per_peer_max = 1'024;
  uint64_t handshake_ms_max = 10'000;
  uint64_t connection_idle_ms_max = 1'800'000;
  uint64_t watches_max = 64;
  uint64_t watch_queries_max = 10'000;
  uint64_t watch_vertices_max = 1'000'000;
  uint64_t disk_reserve_bytes = 64 << 20;
  uint64_t isomorphism_steps_max = 4'000'000;
  uint64_t http_connections_max = 4;
};

struct LimitInfo {
  const char* name;
  uint64_t Limits::*value;
  uint64_t lowest;
  uint64_t highest;
  const char* reason;
};

inline constexpr std::array kLimits{
    LimitInfo{"vertices_max", &Limits::vertices_max, 1, 1 << 20,
              "vertices of one graph; bounds the time one write or one query may take"},
    LimitInfo{"edges_max", &Limits::edges_max, 0, 1 << 24, "edges of one graph; as above"},
    LimitInfo{"labels_max", &Limits::labels_max, 1, 1 << 20,
              "distinct labels of one graph; a graph of unique labels would grow the hierarchy for nothing"},
    LimitInfo{"label_bytes_max", &Limits::label_bytes_max, 0, 1 << 16,
              "bytes of one label; labels stay in memory"},
    LimitInfo{"payload_bytes_max", &Limits::payload_bytes_max, 0, 1 << 24,
              "bytes kept beside one graph; kindred is not a blob store"},
    LimitInfo{"tags_max", &Limits::tags_max, 0, 1 << 16, "tags of one graph"},
    LimitInfo{"tag_bytes_max", &Limits::tag_bytes_max, 1, 1 << 20,
              "bytes of one tag, key and value together"},
    LimitInfo{"filter_bytes_max", &Limits::filter_bytes_max, 0, 1 << 20,
              "bytes of one filter; 0 allows none"},
    LimitInfo{"filter_lists_bytes_max", &Limits::filter_lists_bytes_max, 0, uint64_t{1} << 40,
              "bytes of lists made for filters that are used again and again; 0 makes none"},
    LimitInfo{"exclude_max", &Limits::exclude_max, 0, 1'000'000, "ids one search may exclude"},
    LimitInfo{"graphs_max", &Limits::graphs_max, 1, 4'000'000'000,
              "graphs of the whole index; their lists stay in memory (about 150 bytes for a molecule)"},
    LimitInfo{"colours_max", &Limits::colours_max, 1, 4'000'000'000,
              "colours of the whole index; they stay in memory (about 40 bytes each)"},
    LimitInfo{"k_max", &Limits::k_max, 1, 1'000'000, "neighbours one search may ask for"},
    LimitInfo{"batch_items_max", &Limits::batch_items_max, 1, 1'000'000,
              "items of one request or of one frame of a stream"},
    LimitInfo{"kernel_graphs_max", &Limits::kernel_graphs_max, 1, 1'000'000,
              "graphs of one kernel matrix; a row has as many values"},
    LimitInfo{
        "kernel_entries_max", &Limits::kernel_entries_max, 1, 1'000'000'000,
        "counted features of all graphs of one kernel matrix; a matrix takes 16 bytes for each, and while "
        "they are counted up to 100"},
    LimitInfo{"recommend_examples_max", &Limits::recommend_examples_max, 1, 10'000,
              "liked and disliked graphs of one recommendation together; its time grows with them"},
    LimitInfo{
        "pairs_memory_bytes", &Limits::pairs_memory_bytes, 1 << 20, uint64_t{1} << 40,
        "bytes of histograms that one search for pairs or clusters compares at a time; with less it takes "
        "longer"},
    LimitInfo{"cluster_medoid_max", &Limits::cluster_medoid_max, 1, 1'000'000,
              "graphs of one group of which every two are compared to find its medoid; it takes a fifth of a "
              "microsecond each"},
    LimitInfo{"message_bytes_max", &Limits::message_bytes_max, 1 << 10, 1 << 30,
              "bytes of one gRPC message; it is held in memory whole"},
    LimitInfo{
        "ingest_window_bytes", &Limits::ingest_window_bytes, 1 << 10, 1 << 30,
        "un-acknowledged bytes of all ingest streams, shared evenly; a stream beyond its share is not read"},
    LimitInfo{"write_queue_bytes_max", &Limits::write_queue_bytes_max, 1 << 10, uint64_t{1} << 34,
              "bytes of all writes that wait for the writer; a unary write beyond it is refused"},
    LimitInfo{"search_queue_max", &Limits::search_queue_max, 1, 1'000'000,
              "requests that wait for a search thread; one more is refused"},
    LimitInfo{"search_queue_bytes_max", &Limits::search_queue_bytes_max, 1 << 10, uint64_t{1} << 34,
              "bytes in memory of all such requests, waiting or being answered; one more is refused"},
    LimitInfo{"search_millis_max", &Limits::search_millis_max, 1, 86'400'000,
              "milliseconds that one search, recommendation or explanation may take on its thread"},
    LimitInfo{"search_stream_max", &Limits::search_stream_max, 1, 1'000'000,
              "unanswered searches of one stream before the daemon stops reading it"},
    LimitInfo{"streams_max", &Limits::streams_max, 1, 1'000'000, "concurrent calls of one connection"},
    LimitInfo{"connections_max", &Limits::connections_max, 1, 1'000'000,
              "open connections; each takes a file descriptor and some memory"},
    LimitInfo{"connections_per_peer_max", &Limits::connections_per_peer_max, 1, 1'000'000,
              "open connections of one address, or of one user of a Unix socket"},
    LimitInfo{"handshake_ms_max", &Limits::handshake_ms_max, 100, 600'000,
              "milliseconds from a connection to the end of its handshake"},
    LimitInfo{"connection_idle_ms_max", &Limits::connection_idle_ms_max, 1'000, 2'000'000'000,
              "milliseconds a connection may be without a call; clients connect again by themselves"},
    LimitInfo{"watches_max", &Limits::watches_max, 1, 1 << 20,
              "concurrent watches; each keeps its queries in memory and looks at every graph that is stored"},
    LimitInfo{"watch_queries_max", &Limits::watch_queries_max, 1, 1'000'000, "queries of one watch"},
    LimitInfo{"watch_vertices_max", &Limits::watch_vertices_max, 1, 1'000'000'000,
              "vertices of all queries of one watch; each takes about 100 bytes of memory"},
    LimitInfo{
        "disk_reserve_bytes", &Limits::disk_reserve_bytes, 0, uint64_t{1} << 40,
        "bytes of the disk that stay free; a write beyond is refused, so that what is in memory can still be "
        "flushed"},
    LimitInfo{"isomorphism_steps_max", &Limits::isomorphism_steps_max, 0, 1'000'000'000'000,
              "steps, of some nanoseconds each, spent on telling whether one record is isomorphic to stored "
              "ones of "
              "equal histogram; beyond it that is undecided"},
    LimitInfo{"http_connections_max", &Limits::http_connections_max, 1, 256,
              "connections to --http-listen served at a time, a thread each; others wait"},
};

// Every limit as high as it goes: for what is read back from the store, which was admitted once already.
constexpr Limits HighestLimits() {
  Limits limits;
  for (const LimitInfo& info : kLimits) {
    limits.*info.value = info.highest;
  }
  return limits;
}

// Fixed by the format or by the mathematics, so not configurable.

// An external id: 1 byte at least, this many at most. It is a key on disk and is compared on every tie.
inline constexpr uint64_t kExternalIdBytesMax = 512;

// The deepest level an index may have. Colours of molecules stop changing near their diameter / 2.
inline constexpr Level kDepthMax = 15;
inline constexpr Level kDepthDefault = 3;
inline constexpr int kLevelsMax = kDepthMax + 1;

// With this weight, 16 levels and 2^20 vertices a kernel value is at most 2^44, so that it is exact as
// a double and the cross products that compare two answers stay below 2^128 (histogram/measure.cc).
inline constexpr double kWeightMax = 1 << 20;

// A weight is 0 or at least this: products of kernels would vanish in a double with smaller ones.
inline constexpr double kWeightAboveZeroMin = 1e-9;

// The weight of one example of a recommendation, at most.
inline constexpr double kExampleWeightMax = 1 << 20;

// Ids of colours have 32 bits, and are not issued again; a few stand for what is unknown.
inline constexpr uint64_t kColourIdsMax = UINT32_MAX - 8;

inline constexpr uint32_t kNeighboursDefault = 10;

}  // namespace kindred
