#include "simdjson_shim.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <simdjson.h>
#include <string>
#include <string_view>
#include <vector>

using namespace simdjson;
using std::string_view;

static_assert(SIMDJSON_PADDING <= HABITAT_JSON_PADDING, "HABITAT_JSON_PADDING is too small for this simdjson");

struct habitat_json_parser {
    dom::parser parser;
    size_t maximum_depth = 0;
    size_t capacity = 0;
    bool has_escapes = false;
    std::vector<habitat_json_member> members;
    std::string lists;     // the joined texts of flat lists
    std::string duplicate; // the duplicate name
};

namespace {

habitat_json_status status_of(error_code error) {
    switch (error) {
    case SUCCESS: return HABITAT_JSON_OK;
    case UTF8_ERROR: return HABITAT_JSON_ENCODING;
    case NUMBER_ERROR: return HABITAT_JSON_NUMBER;
    case DEPTH_ERROR: return HABITAT_JSON_DEPTH;
    case MEMALLOC:
    case CAPACITY: return HABITAT_JSON_MEMORY;
    default: return HABITAT_JSON_SYNTAX;
    }
}

/// Checks an unescaped string: simdjson accepts escapes of U+0000 and of lone low surrogates.
habitat_json_status check(string_view text) {
    if (memchr(text.data(), 0, text.size())) return HABITAT_JSON_NUL;
    for (size_t i = 0; i + 1 < text.size(); i++)
        if (uint8_t(text[i]) == 0xED && uint8_t(text[i + 1]) >= 0xA0) return HABITAT_JSON_ENCODING;
    return HABITAT_JSON_OK;
}

habitat_json_status check_names(habitat_json_parser &p, dom::object object) {
    constexpr size_t few = 24;
    string_view first[few];
    size_t count = 0;
    std::vector<string_view> many;
    for (auto member : object) {
        if (p.has_escapes)
            if (auto status = check(member.key)) return status;
        if (count < few) {
            for (size_t i = 0; i < count; i++)
                if (first[i] == member.key) return p.duplicate = member.key, HABITAT_JSON_DUPLICATE;
            first[count++] = member.key;
        } else {
            many.push_back(member.key);
        }
    }
    if (many.empty()) return HABITAT_JSON_OK;
    many.insert(many.end(), first, first + few);
    std::sort(many.begin(), many.end());
    auto twice = std::adjacent_find(many.begin(), many.end());
    if (twice == many.end()) return HABITAT_JSON_OK;
    p.duplicate = *twice;
    return HABITAT_JSON_DUPLICATE;
}

/// Checks the complete document: rejects duplicate names in an object and invalid strings, at any depth. The parser has
/// already limited the depth.
habitat_json_status check(habitat_json_parser &p, dom::element element) {
    switch (element.type()) {
    case dom::element_type::STRING: return p.has_escapes ? check(element.get_string().value_unsafe()) : HABITAT_JSON_OK;
    case dom::element_type::UINT64: return HABITAT_JSON_NUMBER;
    case dom::element_type::ARRAY: {
        dom::array list = element.get_array().value_unsafe();
        for (auto item : list)
            if (auto status = check(p, item)) return status;
        return HABITAT_JSON_OK;
    }
    case dom::element_type::OBJECT: {
        dom::object object = element.get_object().value_unsafe();
        if (auto status = check_names(p, object)) return status;
        for (auto member : object)
            if (auto status = check(p, member.value)) return status;
        return HABITAT_JSON_OK;
    }
    default: return HABITAT_JSON_OK;
    }
}

/// Checks that no object has two members with the same name.
habitat_json_status check_all_names(habitat_json_parser &p, dom::element element) {
    if (element.is_array()) {
        dom::array list = element.get_array().value_unsafe();
        for (auto item : list)
            if (auto status = check_all_names(p, item)) return status;
    } else if (element.is_object()) {
        dom::object object = element.get_object().value_unsafe();
        if (auto status = check_names(p, object)) return status;
        for (auto member : object)
            if (auto status = check_all_names(p, member.value)) return status;
    }
    return HABITAT_JSON_OK;
}

habitat_json_status parse(
    habitat_json_parser &p, const uint8_t *bytes, size_t length, dom::element &element, bool is_lenient = false) {
    if (length > p.capacity) {
        size_t wanted = std::max({length, 2 * p.capacity, size_t(1) << 16});
        if (auto error = p.parser.allocate(wanted, p.maximum_depth)) return status_of(error);
        p.capacity = wanted;
    }
    p.members.clear();
    p.lists.clear();
    p.has_escapes = memchr(bytes, '\\', length) != nullptr;
    if (auto error = p.parser.parse(bytes, length, false).get(element)) return status_of(error);
    if (!is_lenient) return check(p, element);
    p.has_escapes = false;
    return check_all_names(p, element);
}

/// Joins a flat list. Returns false if the list is not flat. Stores the position of the text as an offset, because
/// `lists` may still be reallocated.
bool join(habitat_json_parser &p, dom::array list, habitat_json_value &value) {
    size_t start = p.lists.size();
    for (auto item : list) {
        if (p.lists.size() > start) p.lists += ' ';
        if (item.is<int64_t>()) p.lists += std::to_string(item.get_int64().value_unsafe());
        else if (item.is<string_view>()) p.lists += item.get_string().value_unsafe();
        else return p.lists.resize(start), false;
    }
    value.text = nullptr;
    value.integer = int64_t(start);
    value.text_length = p.lists.size() - start;
    value.type = HABITAT_JSON_TEXT;
    return true;
}

/// Returns a value. Arrays and objects are nested values.
habitat_json_value value_of(dom::element element) {
    habitat_json_value value = {};
    switch (element.type()) {
    case dom::element_type::STRING: {
        string_view text = element.get_string().value_unsafe();
        value.text = text.data();
        value.text_length = text.size();
        value.type = HABITAT_JSON_TEXT;
        break;
    }
    case dom::element_type::INT64:
        value.integer = element.get_int64().value_unsafe();
        value.type = HABITAT_JSON_INTEGER;
        break;
    case dom::element_type::UINT64:
        value.number = double(element.get_uint64().value_unsafe());
        value.type = HABITAT_JSON_DOUBLE;
        break;
    case dom::element_type::DOUBLE:
        value.number = element.get_double().value_unsafe();
        value.type = HABITAT_JSON_DOUBLE;
        break;
    case dom::element_type::BOOL: value.type = element.get_bool().value_unsafe() ? HABITAT_JSON_TRUE : HABITAT_JSON_FALSE; break;
    case dom::element_type::NULL_VALUE: value.type = HABITAT_JSON_NULL; break;
    default: value.type = HABITAT_JSON_NESTED;
    }
    return value;
}

/// Returns the value of a field. A flat list is the text of its items.
habitat_json_value field_of(habitat_json_parser &p, dom::element element) {
    habitat_json_value value = {};
    if (element.is_array() && join(p, element.get_array().value_unsafe(), value)) return value;
    return value_of(element);
}

/// Reads a Point (RFC 7946, sections 3.1.1 and 3.1.2): longitude and latitude. Further elements are ignored.
habitat_json_geometry read_geometry(dom::element geometry, habitat_json_record &record) {
    if (geometry.is_null()) return HABITAT_JSON_UNLOCATED;
    dom::object object;
    dom::array coordinates;
    string_view type;
    if (geometry.get(object) || object.at_key("type").get(type) || type != "Point" || object.at_key("coordinates").get(coordinates))
        return HABITAT_JSON_OTHER;
    size_t count = 0;
    for (auto coordinate : coordinates) {
        if (!coordinate.is_number()) return HABITAT_JSON_OTHER;
        if (count == 0) record.longitude = value_of(coordinate);
        if (count == 1) record.latitude = value_of(coordinate);
        count++;
    }
    return count < 2 ? HABITAT_JSON_OTHER : HABITAT_JSON_POINT;
}

void add_members(habitat_json_parser &p, dom::object object) {
    for (auto member : object)
        p.members.push_back({member.key.data(), member.key.size(), field_of(p, member.value), 0});
}

/// Adds a member of the Feature object, such as its id. A list is not a valid id.
void add_foreign(habitat_json_parser &p, dom::key_value_pair member) {
    p.members.push_back({member.key.data(), member.key.size(), value_of(member.value), 1});
}

habitat_json_status add_feature(habitat_json_parser &p, dom::object feature, habitat_json_record &record) {
    for (auto member : feature) {
        dom::object properties;
        if (member.key == "type" || member.key == "bbox") continue;
        if (member.key == "geometry") record.geometry = read_geometry(member.value, record);
        else if (member.key != "properties") add_foreign(p, member);
        else if (!member.value.get(properties)) add_members(p, properties);
        else if (!member.value.is_null()) return HABITAT_JSON_PROPERTIES;
    }
    return HABITAT_JSON_OK;
}

void settle(const habitat_json_parser &p, habitat_json_value &value) {
    if (value.type == HABITAT_JSON_TEXT && !value.text) value.text = p.lists.data() + value.integer;
}

habitat_json_status parse_record(
    habitat_json_parser &p, const uint8_t *bytes, size_t length, bool must_be_feature, habitat_json_record &record) {
    record = {};
    dom::element element;
    dom::object object;
    string_view type;
    if (auto status = parse(p, bytes, length, element)) return status;
    if (element.get(object)) return HABITAT_JSON_NOT_OBJECT;
    record.is_feature = !object.at_key("type").get(type) && type == "Feature";
    if (must_be_feature && !record.is_feature) return HABITAT_JSON_NOT_FEATURE;
    if (!record.is_feature) add_members(p, object);
    else if (auto status = add_feature(p, object, record)) return status;
    for (auto &member : p.members) settle(p, member.value);
    record.members = p.members.data();
    record.count = p.members.size();
    return HABITAT_JSON_OK;
}

// A value and an iterator of simdjson are a document and an index in its tape.
static_assert(sizeof(dom::element) == sizeof(habitat_json_node), "a node cannot represent an element");
static_assert(sizeof(dom::array::iterator) == sizeof(habitat_json_node), "a node cannot represent an iterator");
static_assert(sizeof(dom::object::iterator) == sizeof(habitat_json_node), "a node cannot represent an iterator");

template <typename To, typename From> To cast(const From &from) {
    To to;
    memcpy(static_cast<void *>(&to), static_cast<const void *>(&from), sizeof to);
    return to;
}

dom::element element_of(habitat_json_node node) { return cast<dom::element>(node); }

} // namespace

extern "C" habitat_json_parser *habitat_json_parser_new(size_t maximum_depth) {
    try {
        auto parser = new habitat_json_parser;
        parser->maximum_depth = maximum_depth;
        return parser;
    } catch (...) {
        return nullptr;
    }
}

extern "C" void habitat_json_parser_free(habitat_json_parser *parser) { delete parser; }

extern "C" habitat_json_status habitat_json_parse_record(
    habitat_json_parser *parser, const uint8_t *bytes, size_t length, int must_be_feature, habitat_json_record *record) {
    try {
        return parse_record(*parser, bytes, length, must_be_feature != 0, *record);
    } catch (...) {
        return HABITAT_JSON_MEMORY;
    }
}

extern "C" habitat_json_status habitat_json_parse_value(
    habitat_json_parser *parser, const uint8_t *bytes, size_t length, habitat_json_value *value) {
    try {
        dom::element element;
        if (auto status = parse(*parser, bytes, length, element)) return status;
        *value = field_of(*parser, element);
        settle(*parser, *value);
        return HABITAT_JSON_OK;
    } catch (...) {
        return HABITAT_JSON_MEMORY;
    }
}

extern "C" habitat_json_status habitat_json_parse_document(
    habitat_json_parser *parser, const uint8_t *bytes, size_t length, habitat_json_node *root) {
    try {
        dom::element element;
        if (auto status = parse(*parser, bytes, length, element, true)) return status;
        *root = cast<habitat_json_node>(element);
        return HABITAT_JSON_OK;
    } catch (...) {
        return HABITAT_JSON_MEMORY;
    }
}

extern "C" habitat_json_value habitat_json_node_value(habitat_json_node node) { return value_of(element_of(node)); }

extern "C" int habitat_json_node_member(
    habitat_json_node node, const char *name, size_t name_length, habitat_json_node *member) {
    dom::object object;
    dom::element value;
    if (element_of(node).get(object) || object.at_key(string_view(name, name_length)).get(value)) return 0;
    *member = cast<habitat_json_node>(value);
    return 1;
}

extern "C" int habitat_json_array(habitat_json_node node, habitat_json_node *first, habitat_json_node *end) {
    dom::array list;
    if (element_of(node).get(list)) return 0;
    *first = cast<habitat_json_node>(list.begin());
    *end = cast<habitat_json_node>(list.end());
    return 1;
}

extern "C" habitat_json_node habitat_json_next_item(habitat_json_node item) {
    auto iterator = cast<dom::array::iterator>(item);
    return cast<habitat_json_node>(++iterator);
}

extern "C" int habitat_json_object(habitat_json_node node, habitat_json_node *first, habitat_json_node *end) {
    dom::object object;
    if (element_of(node).get(object)) return 0;
    *first = cast<habitat_json_node>(object.begin());
    *end = cast<habitat_json_node>(object.end());
    return 1;
}

extern "C" habitat_json_node habitat_json_next_member(
    habitat_json_node member, const char **name, size_t *name_length, habitat_json_node *value) {
    auto iterator = cast<dom::object::iterator>(member);
    string_view key = iterator.key();
    *name = key.data();
    *name_length = key.size();
    *value = cast<habitat_json_node>(iterator.value());
    return cast<habitat_json_node>(++iterator);
}

extern "C" const char *habitat_json_duplicate(const habitat_json_parser *parser, size_t *length) {
    *length = parser->duplicate.size();
    return parser->duplicate.data();
}
