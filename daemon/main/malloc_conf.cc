// How jemalloc keeps house in kindredd. A write is read by one thread, made ready by another and stored by a
// third, each of which frees what the one before allocated: glibc's malloc spent a sixth of an ingest on its
// locks.

// Few arenas, since each holds back memory of its own; and what is free goes back to the system soon.
extern "C" const char* const malloc_conf;
extern "C" const char* const malloc_conf = "narenas:4,dirty_decay_ms:500,muzzy_decay_ms:0";
