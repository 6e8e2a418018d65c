#pragma once

#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#else
#include <postgresql/libpq-fe.h>
#endif

// Loads libpq if it is not loaded yet. Returns the problem, or NULL. May be called repeatedly, from any thread. Call it
// before any other function of this header.
const char *habitat_libpq_problem(void);
