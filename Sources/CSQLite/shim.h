#include <sqlite3.h>

// Functions that are variadic in C, which Swift does not import.

// SQLite counts no bytes, for which all its threads would wait for one lock. Of effect before its first connection alone.
// <https://www.sqlite.org/c3ref/c_config_covering_index_scan.html#sqliteconfigmemstatus>
static inline int habitat_sqlite3_no_memory_statistics(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

// Forbids loading extensions on a connection, in C and in SQL. Debian's SQLite allows it in C by default.
static inline int habitat_sqlite3_forbid_extensions(sqlite3 *connection) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, (int *)0);
}
