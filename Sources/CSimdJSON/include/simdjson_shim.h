#ifndef HABITAT_SIMDJSON_SHIM_H
#define HABITAT_SIMDJSON_SHIM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Number of readable bytes that the caller must allocate after the end of each text. Their content does not matter.
#define HABITAT_JSON_PADDING 64

typedef enum {
    HABITAT_JSON_OK,
    HABITAT_JSON_SYNTAX,      // not JSON (RFC 8259)
    HABITAT_JSON_ENCODING,    // not UTF-8, or an escaped lone surrogate
    HABITAT_JSON_NUL,         // U+0000 in a string
    HABITAT_JSON_NUMBER,      // a number out of range or malformed; simdjson does not distinguish them
    HABITAT_JSON_DEPTH,       // nested deeper than the parser's limit
    HABITAT_JSON_DUPLICATE,   // an object has two members with the same name
    HABITAT_JSON_NOT_OBJECT,  // the record is not an object
    HABITAT_JSON_NOT_FEATURE, // the record is not a Feature, although the caller requires one
    HABITAT_JSON_PROPERTIES,  // the properties of a Feature are neither an object nor null
    HABITAT_JSON_MEMORY       // out of memory, or a failure inside the library
} habitat_json_status;

typedef enum {
    HABITAT_JSON_TEXT,
    HABITAT_JSON_INTEGER,
    HABITAT_JSON_DOUBLE,
    HABITAT_JSON_TRUE,
    HABITAT_JSON_FALSE,
    HABITAT_JSON_NULL,
    HABITAT_JSON_NESTED // an object, or a list with items other than strings and integers
} habitat_json_type;

typedef enum {
    HABITAT_JSON_MISSING,
    HABITAT_JSON_UNLOCATED, // null
    HABITAT_JSON_POINT,
    HABITAT_JSON_OTHER // not a Point of two or more numbers
} habitat_json_geometry;

/// A value. A flat list of strings and integers is represented by the text of its items, joined by spaces.
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
    int in_feature; // 1 for a member of the Feature object, 0 for a member of its properties
} habitat_json_member;

/// A record. For a plain object: its members. For a Feature: the members of its properties and of the Feature object,
/// except type, bbox, geometry and properties.
typedef struct {
    const habitat_json_member *members;
    size_t count;
    int is_feature;
    habitat_json_geometry geometry;
    habitat_json_value longitude, latitude;
} habitat_json_record;

typedef struct habitat_json_parser habitat_json_parser;

/// Creates a parser. Returns NULL if the memory is exhausted.
habitat_json_parser *habitat_json_parser_new(size_t maximum_depth);
void habitat_json_parser_free(habitat_json_parser *parser);

/// Parses one object. The pointers in `record` are valid until the next use of the parser.
habitat_json_status habitat_json_parse_record(
    habitat_json_parser *parser, const uint8_t *bytes, size_t length, int must_be_feature, habitat_json_record *record);

/// Parses any value. The pointers in `value` are valid until the next use of the parser.
habitat_json_status habitat_json_parse_value(
    habitat_json_parser *parser, const uint8_t *bytes, size_t length, habitat_json_value *value);

/// A value in a parsed document, or an iterator over the values of an array or the members of an object. Valid until the
/// next use of the parser.
typedef struct {
    const void *document;
    size_t index;
} habitat_json_node;

/// Parses any value. Accepts integers above the range of 64-bit signed integers, which become doubles, and U+0000.
habitat_json_status habitat_json_parse_document(
    habitat_json_parser *parser, const uint8_t *bytes, size_t length, habitat_json_node *root);

/// Returns the value of a node. An object and an array have the type HABITAT_JSON_NESTED.
habitat_json_value habitat_json_node_value(habitat_json_node node);

/// Finds a member of an object. Returns 0 if the node is not an object or has no such member.
int habitat_json_node_member(habitat_json_node node, const char *name, size_t name_length, habitat_json_node *member);

/// Begins an iteration over an array. Returns 0 if the node is not an array.
int habitat_json_array(habitat_json_node node, habitat_json_node *first, habitat_json_node *end);

/// Returns the iterator of the next item of an array.
habitat_json_node habitat_json_next_item(habitat_json_node item);

/// Begins an iteration over an object. Returns 0 if the node is not an object.
int habitat_json_object(habitat_json_node node, habitat_json_node *first, habitat_json_node *end);

/// Reads the name and the value of a member, and returns the iterator of the next member.
habitat_json_node habitat_json_next_member(
    habitat_json_node member, const char **name, size_t *name_length, habitat_json_node *value);

/// Returns the duplicate name after a function returned HABITAT_JSON_DUPLICATE.
const char *habitat_json_duplicate(const habitat_json_parser *parser, size_t *length);

#ifdef __cplusplus
}
#endif
#endif
