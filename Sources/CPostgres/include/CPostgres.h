#pragma once

#include <postgresql/libpq-fe.h>

// Loads libpq, before which nothing else here may be called. Gives why it cannot be had, or null. May be called again and again,
// from any thread.
const char *habitat_libpq_problem(void);
