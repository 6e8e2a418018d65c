#ifndef HABITAT_SIMDJSON_SHIM_H
#define HABITAT_SIMDJSON_SHIM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Bytes that must be readable, whatever they hold, after the end of every text given to the parser.
#define HABITAT_JSON_PADDING 64

typedef enum {
    HABITAT_JSON_OK,
    HABITAT_JSON_SYNTAX,      // not JSON as RFC 8259 has it
    HABITAT_JSON_ENCODING,    // not UTF-8, or an escape that is half a surrogate pair
    HABITAT_JSON_NUL,         // U+0000 in a string
    HABITAT_JSON_NUMBER,      // a number out of range (or misspelt: simdjson does not tell)
    HABITAT_JSON_DEPTH,       // nested deeper than the parser's limit
    HABITAT_JSON_DUPLICATE,   // one object has a member name twice
    HABITAT_JSON_NOT_OBJECT,  // a record must be an object
    HABITAT_JSON_NOT_FEATURE, // a Feature was asked for
    HABITAT_JSON_PROPERTIES,  // a Feature's properties are neither an object nor null
    HABITAT_JSON_MEMORY       // out of memory, or a failure inside the library
} habitat_json_status;

typedef enum {
    HABITAT_JSON_TEXT,
    HABITAT_JSON_INTEGER,
    HABITAT_JSON_DOUBLE,
    HABITAT_JSON_TRUE,
    HABITAT_JSON_FALSE,
    HABITAT_JSON_NULL,
    HABITAT_JSON_NESTED // an object, or a list that is not flat
} habitat_json_type;

typedef enum {
    HABITAT_JSON_MISSING,
    HABITAT_JSON_UNLOCATED, // null
    HABITAT_JSON_POINT,
    HABITAT_JSON_OTHER // not a Point of two or more numbers
} habitat_json_geometry;

/// A value; a flat list of strings and integers is the text of its items, joined by spaces.
typedef struct {
    const char *text;
    size_t text_length;
    int64_t integer;
    double number;
    habitat_json_type type;
} habitat_json_value;

typedef struct {
    const char *name;
    size_t name_length;
    habitat_json_value value;
    int in_feature; // a member of the Feature itself, not of its properties
} habitat_json_member;

/// The members of a plain object; or of a Feature's properties and of the Feature itself, but for
/// type, bbox, geometry and properties.
typedef struct {
    const habitat_json_member *members;
    size_t count;
    int is_feature;
    habitat_json_geometry geometry;
    habitat_json_value longitude, latitude;
} habitat_json_record;

typedef struct habitat_json_parser habitat_json_parser;

/// Null when out of memory.
habitat_json_parser *habitat_json_parser_new(size_t maximum_depth);
void habitat_json_parser_free(habitat_json_parser *parser);

/// Parses one object. What `record` points to stays valid until the parser's next use.
habitat_json_status habitat_json_parse_record(
    habitat_json_parser *parser, const uint8_t *bytes, size_t length, int must_be_feature, habitat_json_record *record);

/// Parses any value; `value` stays valid until the parser's next use.
habitat_json_status habitat_json_parse_value(
    habitat_json_parser *parser, const uint8_t *bytes, size_t length, habitat_json_value *value);

/// The name that occurred twice, after HABITAT_JSON_DUPLICATE.
const char *habitat_json_duplicate(const habitat_json_parser *parser, size_t *length);

#ifdef __cplusplus
}
#endif
#endif
