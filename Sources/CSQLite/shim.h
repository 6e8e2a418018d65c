#include <sqlite3.h>

// Wrappers of functions that are variadic in C, which Swift cannot import.

// Disables SQLite's memory statistics, because updating them requires a lock that all threads share. Has no effect
// after SQLite is initialized, that is, after the first connection.
// <https://www.sqlite.org/c3ref/c_config_covering_index_scan.html#sqliteconfigmemstatus>
static inline int habitat_sqlite3_no_memory_statistics(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

// Disables the loading of extensions on a connection, in C and in SQL. Debian's SQLite allows it in C by default.
// Returns an SQLite result code.
static inline int habitat_sqlite3_forbid_extensions(sqlite3 *connection) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, (int *)0);
}

// Sets *allowed to whether a connection can load extensions in C. Returns an SQLite result code.
static inline int habitat_sqlite3_allows_extensions(sqlite3 *connection, int *allowed) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, -1, allowed);
}

// Makes views, triggers and indexes of the file call only functions without side effects. Returns an SQLite result code.
static inline int habitat_sqlite3_distrust_schema(sqlite3 *connection) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
}

// Sets whether statements that can damage the file are refused. Returns an SQLite result code.
static inline int habitat_sqlite3_set_defensive(sqlite3 *connection, int on) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, on, (int *)0);
}
