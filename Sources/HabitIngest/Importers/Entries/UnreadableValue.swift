import Base

/// A value of an entry that cannot be read.
///
/// The import stores the entry without the value, and a notice counts such values.
struct UnreadableValue {
    /// The meaning of the value in its source.
    enum Kind {
        case duration, position, trackPoint, offset, timeZone, time, gpsTime, frequency, target, start, dayStart, kind
        case visitLevel

        /// The noun for one value.
        var singular: String {
            switch self {
            case .duration: "duration"
            case .position: "position"
            case .trackPoint: "point of a track"
            case .offset: "UTC offset"
            case .timeZone: "time zone"
            case .time: "time"
            case .gpsTime: "GPS time"
            case .frequency: "frequency of a habit"
            case .target: "target of a habit"
            case .start: "start of a habit"
            case .dayStart: "start of the day"
            case .kind: "kind of a habit"
            case .visitLevel: "level of a visit"
            }
        }

        /// The noun for several values.
        var plural: String {
            switch self {
            case .trackPoint: "points of tracks"
            case .frequency: "frequencies of habits"
            case .target: "targets of habits"
            case .start: "starts of habits"
            case .dayStart: "starts of the day"
            case .kind: "kinds of habits"
            case .visitLevel: "levels of visits"
            default: singular + "s"
            }
        }
    }

    var kind: Kind
    /// The value or its file for the notice, or `nil` if the value has no text.
    var example: String?

    /// Creates the finding of a text.
    init(_ kind: Kind, _ text: String) {
        self.kind = kind
        let text = text.trimmed
        example = text.isEmpty ? nil : "'\(text.excerpt)'"
    }

    /// Creates the finding of a value that has no text.
    ///
    /// - Parameters:
    ///   - kind: The meaning of the value.
    ///   - file: The name of the file with the value.
    init(_ kind: Kind, in file: String) {
        self.kind = kind
        example = "in '\(file)'"
    }

    /// Creates the finding of a value in a JSON document.
    init(_ kind: Kind, _ node: JSONNode) { self.init(kind, node.anyText ?? "") }
}

/// The numbers of values that an input contains and that cannot be read.
struct UnreadableValues {
    private struct Group {
        var kind: UnreadableValue.Kind
        var count = 0
        var example: String?
    }

    private var groups: [Group] = []

    /// Counts a value.
    mutating func add(_ value: UnreadableValue) {
        let known = groups.firstIndex { group in group.kind == value.kind }
        let index = known ?? groups.endIndex
        if known == nil { groups.append(Group(kind: value.kind, example: value.example)) }
        groups[index].count += 1
        groups[index].example = groups[index].example ?? value.example
    }

    /// Returns a notice for each kind of value, in the order of their first occurrences.
    ///
    /// - Parameter name: The name of the input.
    /// - Returns: The notices.
    func notices(of name: String) -> [ImportNotice] {
        groups.map { group in
            ImportNotice("\(name): \(Self.problem(of: group))")
        }
    }

    private static func problem(of group: Group) -> String {
        if group.count == 1 {
            let problem = "1 \(group.kind.singular) cannot be read and is ignored"
            guard let example = group.example else { return problem }
            return "\(problem): \(example)"
        }
        let problem = "\(group.count) \(group.kind.plural) cannot be read and are ignored"
        guard let example = group.example else { return problem }
        return "\(problem), for example \(example)"
    }
}
