#pragma once

#include <sqlite3.h>

// Loads libspatialite if it is not loaded yet. Returns the problem, or NULL. May be called from any thread.
const char *habitat_spatialite_problem(void);

// Registers SpatiaLite's functions with a connection. The connection releases SpatiaLite's memory when it closes.
// Call this only if habitat_spatialite_problem() returned NULL. Sets the connection's busy timeout to 5 s.
// Returns an SQLite result code.
int habitat_spatialite_register(sqlite3 *connection);
