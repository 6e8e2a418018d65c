import HTTPServing

/// A node of a parsed CQL2 filter, before its names and types are checked.
///
/// The text encoding and the JSON encoding produce equal nodes.
struct FilterNode: Equatable, Sendable {
    /// The position of the node's first character in the filter, from 1.
    var position: Int
    var kind: Kind

    indirect enum Kind: Equatable, Sendable {
        /// A text. `pattern` is the text as a pattern of the operator LIKE.
        case text(String, pattern: String)
        case number(Double)
        case boolean(Bool)
        case date(String)
        case timestamp(String)
        /// An interval between two texts or properties.
        case interval(FilterNode, FilterNode)
        case geometry(Shape)
        case property(String)
        /// An operator or a function, with its name in lower case, such as `and`, `<=` or `s_intersects`.
        case call(String, [FilterNode])
        case list([FilterNode])
    }

    /// The coordinates of a geometry.
    enum Shape: Equatable, Sendable {
        case point([Double])
        /// Four or six numbers.
        case box([Double])
        /// The rings of each polygon.
        case polygons([[[[Double]]]])

        /// The geometry types of CQL2 that the server does not support, in upper case.
        static let unsupported: Set<String> = [
            "LINESTRING", "MULTIPOINT", "MULTILINESTRING", "GEOMETRYCOLLECTION",
        ]
    }
}

extension FilterNode {
    /// The node in words, for errors.
    var meaning: String {
        switch kind {
        case .text: "a text"
        case .number: "a number"
        case .boolean: "TRUE or FALSE"
        case .date: "a date"
        case .timestamp: "a timestamp"
        case .interval: "an interval"
        case .geometry: "a geometry"
        case .property(let name): "the property '\(name)'"
        case .call(let name, _): "the operator '\(name.uppercased())'"
        case .list: "a list"
        }
    }
}

/// The limits of a filter.
struct FilterLimits {
    /// Maximum length of a filter in percent-encoding, in bytes.
    ///
    /// The URL of the next page then fits into the limit of URLs.
    static let length = 6500
    /// Maximum number of parentheses and operators inside each other.
    static let depth = 32
    /// Maximum number of operators, properties and values.
    static let nodes = 1000

    /// The error of a filter that is nested too deep, and its remedy.
    static let depthExceeded =
        "the filter is nested more than \(depth) levels deep: remove parentheses or operators"

    private var count = 0

    /// Counts a node.
    mutating func addNode(at position: Int) throws {
        count += 1
        guard count <= Self.nodes else {
            throw Problem.filter(
                position,
                "the filter has more than \(Self.nodes) operators, properties and values: send a shorter filter"
            )
        }
    }

    /// Checks the depth of a node.
    static func require(depth: Int, at position: Int) throws {
        guard depth <= Self.depth else {
            throw Problem.filter(position, depthExceeded)
        }
    }
}

extension Problem {
    /// Creates the problem of an invalid filter.
    ///
    /// - Parameters:
    ///   - position: The position of the invalid part, in characters from 1.
    ///   - detail: The error and its remedy.
    /// - Returns: The problem, with status 400.
    static func filter(_ position: Int, _ detail: String) -> Problem {
        .invalid(FeatureParameter.filter.rawValue, "character \(position) of the filter: \(detail)")
    }
}
