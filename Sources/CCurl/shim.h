#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>

// Swift cannot call functions with a variable number of arguments, which curl_easy_setopt is.

typedef struct {
    char *bytes;
    size_t count;
    size_t limit;
} habitat_body;

static inline size_t habitat_take(char *bytes, size_t size, size_t count, void *context) {
    habitat_body *body = context;
    size_t more = size * count;
    if (more > body->limit - body->count) return 0;
    char *larger = realloc(body->bytes, body->count + more + 1);
    if (larger == NULL) return 0;
    memcpy(larger + body->count, bytes, more);
    body->bytes = larger;
    body->count += more;
    return more;
}

// Reads what is at an http or https address, at most `body->limit` bytes, within so many seconds, without going on to another
// address. Gives the status, or 0 where there is no answer. The caller frees `body->bytes`.
static inline long habitat_fetch(const char *address, long seconds, habitat_body *body) {
    long status = 0;
    CURL *handle = curl_easy_init();
    if (handle == NULL) return 0;
    curl_easy_setopt(handle, CURLOPT_URL, address);
    curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(handle, CURLOPT_TIMEOUT, seconds);
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, habitat_take);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, body);
    if (curl_easy_perform(handle) == CURLE_OK) curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_cleanup(handle);
    return status;
}
