#ifndef TOUCHSTONE_CSQLITE_SHIM_H
#define TOUCHSTONE_CSQLITE_SHIM_H

#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast macro, which Swift cannot import.
static inline sqlite3_destructor_type touchstone_sqlite_transient(void) {
  return SQLITE_TRANSIENT;
}

// sqlite3_db_config is variadic, which Swift cannot call.
static inline int touchstone_sqlite_disable_checkpoint_on_close(sqlite3 *db) {
  return sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

static inline int touchstone_sqlite_distrust_schema(sqlite3 *db) {
  return sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
}

// sqlite3_config is variadic too. It changes nothing, and fails, once SQLite is in use.
static inline int touchstone_sqlite_disable_memory_statistics(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

// sqlite3_test_control is variadic too. It gives all connections of the process the random numbers of a seed.
static inline int touchstone_sqlite_seed_randomness(int seed) {
  return sqlite3_test_control(SQLITE_TESTCTRL_PRNG_SEED, seed, (sqlite3 *)0);
}

#endif
