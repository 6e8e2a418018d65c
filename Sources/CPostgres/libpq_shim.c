#include "CPostgres.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

// libpq loads 21 other libraries, which takes a quarter of the time of a small query. So it is loaded at run time, and
// only for a store on PostgreSQL.

// The functions of libpq that the program calls: FUNCTION(result, name, (parameters), (arguments)).
#define FUNCTIONS \
    FUNCTION(int, PQcancel, (PGcancel *cancel, char *errbuf, int errbufsize), (cancel, errbuf, errbufsize)) \
    FUNCTION(void, PQclear, (PGresult *res), (res)) \
    FUNCTION(char *, PQcmdStatus, (PGresult *res), (res)) \
    FUNCTION(char *, PQcmdTuples, (PGresult *res), (res)) \
    FUNCTION(PGconn *, PQconnectdb, (const char *conninfo), (conninfo)) \
    FUNCTION(PGconn *, PQconnectdbParams, (const char *const *keywords, const char *const *values, int expand_dbname), \
        (keywords, values, expand_dbname)) \
    FUNCTION(void, PQconninfoFree, (PQconninfoOption *connOptions), (connOptions)) \
    FUNCTION(PQconninfoOption *, PQconninfoParse, (const char *conninfo, char **errmsg), (conninfo, errmsg)) \
    FUNCTION(char *, PQdb, (const PGconn *conn), (conn)) \
    FUNCTION(PGresult *, PQdescribePrepared, (PGconn *conn, const char *stmt), (conn, stmt)) \
    FUNCTION(int, PQenterPipelineMode, (PGconn *conn), (conn)) \
    FUNCTION(char *, PQerrorMessage, (const PGconn *conn), (conn)) \
    FUNCTION(char *, PQescapeLiteral, (PGconn *conn, const char *str, size_t len), (conn, str, len)) \
    FUNCTION(PGresult *, PQexec, (PGconn *conn, const char *query), (conn, query)) \
    FUNCTION(int, PQexitPipelineMode, (PGconn *conn), (conn)) \
    FUNCTION(void, PQfinish, (PGconn *conn), (conn)) \
    FUNCTION(char *, PQfname, (const PGresult *res, int field_num), (res, field_num)) \
    FUNCTION(void, PQfreeCancel, (PGcancel *cancel), (cancel)) \
    FUNCTION(void, PQfreemem, (void *ptr), (ptr)) \
    FUNCTION(Oid, PQftype, (const PGresult *res, int field_num), (res, field_num)) \
    FUNCTION(PGcancel *, PQgetCancel, (PGconn *conn), (conn)) \
    FUNCTION(int, PQgetCopyData, (PGconn *conn, char **buffer, int async), (conn, buffer, async)) \
    FUNCTION(PGresult *, PQgetResult, (PGconn *conn), (conn)) \
    FUNCTION(int, PQgetisnull, (const PGresult *res, int tup_num, int field_num), (res, tup_num, field_num)) \
    FUNCTION(int, PQgetlength, (const PGresult *res, int tup_num, int field_num), (res, tup_num, field_num)) \
    FUNCTION(char *, PQgetvalue, (const PGresult *res, int tup_num, int field_num), (res, tup_num, field_num)) \
    FUNCTION(char *, PQhost, (const PGconn *conn), (conn)) \
    FUNCTION(int, PQnfields, (const PGresult *res), (res)) \
    FUNCTION(int, PQntuples, (const PGresult *res), (res)) \
    FUNCTION(int, PQpipelineSync, (PGconn *conn), (conn)) \
    FUNCTION(char *, PQport, (const PGconn *conn), (conn)) \
    FUNCTION(PGresult *, PQprepare, (PGconn *conn, const char *stmtName, const char *query, int nParams, \
            const Oid *paramTypes), \
        (conn, stmtName, query, nParams, paramTypes)) \
    FUNCTION(int, PQputCopyData, (PGconn *conn, const char *buffer, int nbytes), (conn, buffer, nbytes)) \
    FUNCTION(int, PQputCopyEnd, (PGconn *conn, const char *errormsg), (conn, errormsg)) \
    FUNCTION(void, PQreset, (PGconn *conn), (conn)) \
    FUNCTION(char *, PQresultErrorField, (const PGresult *res, int fieldcode), (res, fieldcode)) \
    FUNCTION(ExecStatusType, PQresultStatus, (const PGresult *res), (res)) \
    FUNCTION(int, PQsendQueryPrepared, (PGconn *conn, const char *stmtName, int nParams, const char *const *paramValues, \
            const int *paramLengths, const int *paramFormats, int resultFormat), \
        (conn, stmtName, nParams, paramValues, paramLengths, paramFormats, resultFormat)) \
    FUNCTION(PQnoticeReceiver, PQsetNoticeReceiver, (PGconn *conn, PQnoticeReceiver proc, void *arg), (conn, proc, arg)) \
    FUNCTION(int, PQsetSingleRowMode, (PGconn *conn), (conn)) \
    FUNCTION(ConnStatusType, PQstatus, (const PGconn *conn), (conn)) \
    FUNCTION(char *, PQuser, (const PGconn *conn), (conn))

#define FUNCTION(result, name, parameters, arguments) result(*name) parameters;
static struct { FUNCTIONS } libpq;
#undef FUNCTION

static char problem[512];

static void load(void) {
    void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        const char *reason = dlerror();
        snprintf(problem, sizeof problem, "%s", reason ? reason : "no reason given");
        return;
    }
#define FUNCTION(result, name, parameters, arguments) \
    libpq.name = dlsym(library, #name); \
    if (libpq.name == NULL && problem[0] == '\0') snprintf(problem, sizeof problem, "it has no function " #name);
    FUNCTIONS
#undef FUNCTION
}

const char *habitat_libpq_problem(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return problem[0] ? problem : NULL;
}

// Hidden symbols, so that libpq's internal calls are not redirected to these functions.
#define FUNCTION(result, name, parameters, arguments) \
    __attribute__((visibility("hidden"))) result name parameters { return libpq.name arguments; }
FUNCTIONS
