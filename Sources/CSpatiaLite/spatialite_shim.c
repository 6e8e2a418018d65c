#include "CSpatiaLite.h"

#include <dlfcn.h>
#include <pthread.h>
#include <spatialite.h>
#include <stdio.h>

// libspatialite loads 30 other libraries, which takes longer than most queries. Only connections that write need it.

static struct {
    __typeof__(&spatialite_alloc_connection) alloc_connection;
    __typeof__(&spatialite_init_ex) init;
    __typeof__(&spatialite_cleanup_ex) cleanup;
    __typeof__(&spatialite_version) version;
} library;

static char problem[512];

static void *function(void *handle, const char *name) {
    void *address = dlsym(handle, name);
    if (address == NULL && problem[0] == '\0') snprintf(problem, sizeof problem, "it has no function %s", name);
    return address;
}

static void load(void) {
    void *handle = dlopen("libspatialite.so.7", RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        const char *reason = dlerror();
        snprintf(problem, sizeof problem, "%s", reason ? reason : "no reason given");
        return;
    }
    library.alloc_connection = function(handle, "spatialite_alloc_connection");
    library.init = function(handle, "spatialite_init_ex");
    library.cleanup = function(handle, "spatialite_cleanup_ex");
    library.version = function(handle, "spatialite_version");
}

const char *habitat_spatialite_problem(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return problem[0] ? problem : NULL;
}

static void version(sqlite3_context *context, int count, sqlite3_value **values) {
    (void)count;
    (void)values;
    sqlite3_result_text(context, library.version(), -1, SQLITE_STATIC);
}

static void release(void *cache) { library.cleanup(cache); }

int habitat_spatialite_register(sqlite3 *connection) {
    void *cache = library.alloc_connection();
    if (cache == NULL) return SQLITE_NOMEM;
    library.init(connection, cache, 0);
    // SQLite calls the destructor when it closes the connection, or if this call fails. In both cases no SQL statement
    // runs on the connection after that, so no function uses the freed cache: the caller closes a connection if its
    // registration fails.
    return sqlite3_create_function_v2(
        connection, "habitat_spatialite_version", 0, SQLITE_UTF8, cache, version, NULL, NULL, release);
}
