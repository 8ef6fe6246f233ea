#include "daemon/index_metrics.h"

#include <string>

namespace kindred::daemon {
namespace {

void WriteContents(const EngineStats& stats, MetricsText& text) {
  text.Gauge("kindred_graphs", "Graphs that are stored.", stats.graphs);
  text.Gauge("kindred_labels", "Distinct labels ever stored.", stats.labels);
  text.Family("kindred_colours", MetricsText::Type::kGauge, "Colours ever issued, by level.");
  for (size_t level = 0; level < stats.colours.size(); ++level) {
    text.Add({{"level", std::to_string(level)}}, stats.colours[level]);
  }
  text.Gauge("kindred_postings", "Entries of all inverted lists.", stats.postings);
  text.Gauge("kindred_commit_sequence", "The last commit.", Raw(stats.sequence));
}

void WriteSegments(const EngineStats& stats, MetricsText& text) {
  text.Gauge("kindred_segments", "Segments that a search goes over.", stats.segments);
  text.Counter("kindred_merges_total", "Merges of segments that are done.", stats.merges);
  text.Gauge("kindred_merges_running", "Merges of segments that run now.", stats.merging);
  text.Counter("kindred_merged_graphs_total", "Graphs of all segments that merges made.",
               stats.graphs_merged);
  text.Family("kindred_memory_bytes", MetricsText::Type::kGauge, "Memory of the index, by what takes it.");
  text.Add({{"part", "segments"}}, stats.segment_bytes);
  text.Add({{"part", "filter_lists"}}, stats.filter_lists.bytes);
  text.Add({{"part", "hierarchy_and_ids"}},
           stats.memory_bytes - stats.segment_bytes - stats.filter_lists.bytes);
  text.Gauge("kindred_filter_lists", "Lists kept for filters that are used again and again.",
             stats.filter_lists.count);
  text.Counter("kindred_filter_lists_made_total", "Such lists made since the start.",
               stats.filter_lists.made);
}

void WriteQueues(const EngineStats& stats, MetricsText& text) {
  text.Gauge("kindred_search_queue_tasks", "Searches and other tasks that wait for a thread.",
             stats.waiting_tasks);
  text.Gauge("kindred_write_queue_requests", "Requests and frames that wait to be committed.",
             stats.waiting_writes.requests);
  text.Gauge("kindred_write_queue_bytes", "Bytes of requests and frames that wait to be committed.",
             stats.waiting_writes.bytes);
  text.Gauge("kindred_watches", "Standing queries of clients.", stats.watches);
}

void WriteDisk(const StoreStats& stats, MetricsText& text) {
  text.Gauge("kindred_disk_bytes", "All files of the data directory.", stats.disk_bytes);
  text.Gauge("kindred_disk_free_bytes", "Free space of its disk.", stats.free_bytes);
  text.Gauge("kindred_store_failed", "1 after a write that failed: no more are taken until a restart.",
             stats.failed ? 1 : 0);
  text.Gauge("kindred_store_short_of_space", "1 while writes are refused because the disk is nearly full.",
             stats.short_of_space ? 1 : 0);
  text.Gauge("kindred_wal_bytes", "The write-ahead logs, which a start after a kill reads again.",
             stats.log_bytes);
  text.Counter("kindred_committed_bytes_total", "Bytes that commits wrote to the write-ahead log.",
               stats.committed_bytes);
  text.Gauge("kindred_rocksdb_memtable_bytes", "Written, and not in a table yet.", stats.buffer_bytes);
  text.Gauge("kindred_rocksdb_immutable_memtables", "Full buffers that wait to be flushed.",
             stats.full_buffers);
  text.Gauge("kindred_rocksdb_table_bytes", "Tables in use.", stats.table_bytes);
  text.Gauge("kindred_rocksdb_level0_tables", "Tables that are not compacted yet.", stats.level0_tables);
  text.Gauge("kindred_rocksdb_pending_compaction_bytes", "What compactions still have to go over, estimated.",
             stats.pending_compaction_bytes);
  text.Gauge("kindred_rocksdb_running_flushes", "Flushes that run now.", stats.running_flushes);
  text.Gauge("kindred_rocksdb_running_compactions", "Compactions that run now.", stats.running_compactions);
  text.Gauge("kindred_rocksdb_block_cache_bytes", "Blocks of tables kept in memory.",
             stats.block_cache_bytes);
  text.Gauge("kindred_rocksdb_table_reader_bytes", "Indexes and filters of open tables.",
             stats.table_reader_bytes);
  text.Counter("kindred_rocksdb_background_errors_total", "Flushes and compactions that failed.",
               stats.background_errors);
}

}  // namespace

void WriteIndexMetrics(const EngineStats& stats, MetricsText& text) {
  WriteContents(stats, text);
  WriteSegments(stats, text);
  WriteQueues(stats, text);
  WriteDisk(stats.store, text);
}

}  // namespace kindred::daemon
