#pragma once

#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#else
#include <postgresql/libpq-fe.h>
#endif

// Loads libpq, before which nothing else here may be called. Gives why it cannot be had, or null. May be called again and again,
// from any thread.
const char *habitat_libpq_problem(void);
