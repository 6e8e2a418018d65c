import Base
import HTTPServing
import HabitModel
import HabitReport
import HabitStore

/// The parts of the server that people see.
///
/// An operator who needs only one of them hides the others. People, follows and accounts belong to no part.
public struct Sections: Sendable, Equatable {
    /// A part of the server.
    public enum Section: String, CaseIterable, Sendable {
        /// Habits with their events, reports and calendars.
        case habits
        /// Give-away items with their claims and messages.
        case items
        /// Photo posts.
        case posts

        /// The names of the records.
        fileprivate var contents: [String] {
            switch self {
            case .habits: ["habits", "events"]
            case .items: ["give-away items"]
            case .posts: ["photo posts"]
            }
        }
    }

    /// All parts.
    public static let all = Sections(shown: Section.allCases)

    /// The parts that the server shows, in their usual order.
    public let shown: [Section]

    private init(shown: [Section]) {
        self.shown = shown
    }

    /// Parses the names of the parts that the server shows, with commas between them, such as `habits,posts`.
    ///
    /// - Parameter text: The names.
    /// - Throws: `parameter-invalid` if a name is unknown, or if the text contains no name.
    public init(_ text: String) throws(HabitError) {
        let spaceless = text.filter { character in !character.isWhitespace }
        let names = spaceless.split(separator: ",").map { name in String(name) }
        let known = Section.allCases.map(\.rawValue)
        guard !names.isEmpty, names.allSatisfy(known.contains) else {
            throw HabitError(
                .parameterInvalid,
                "'\(text)' is not a list of sections: use \(known.joined(separator: ", ")), separated by commas",
                field: "sections")
        }
        let shown = Section.allCases.filter { section in names.contains(section.rawValue) }
        self.init(shown: shown)
    }

    /// The records of the shown parts, such as `Habits, events and photo posts`.
    package var contents: String {
        let names = shown.flatMap(\.contents)
        let leading = names.dropLast().joined(separator: ", ")
        let text = [leading, names.last ?? ""].filter { part in !part.isEmpty }.joined(separator: " and ")
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    /// Whether the server shows a part.
    public func contains(_ section: Section) -> Bool {
        shown.contains(section)
    }

    /// Whether the server shows a collection.
    package func shows(_ collection: FeatureCollection) -> Bool {
        collection.section.map(contains) ?? true
    }

    /// Whether the server shows a report.
    func shows(_ report: Report) -> Bool {
        report.section.map(contains) ?? true
    }

    /// Whether the server shows records of a kind.
    func shows(_ kind: RecordKind) -> Bool {
        kind.section.map(contains) ?? true
    }
}

extension RecordKind {
    /// The part of the server to which the records belong, or `nil` if every server shows them.
    fileprivate var section: Sections.Section? {
        switch self {
        case .habits, .schedules, .pauses, .events: .habits
        case .items, .claims, .messages, .reads: .items
        case .posts: .posts
        case .settings, .users, .follows, .blocks: nil
        }
    }
}

extension FeatureCollection {
    /// The part of the server to which the collection belongs, or `nil` if every server shows it.
    fileprivate var section: Sections.Section? { kind.section }
}

extension Report {
    /// The part of the server to which a shipped report belongs, or `nil` for a custom report.
    fileprivate var section: Sections.Section? {
        guard isShipped else { return nil }
        return switch id {
        case "claims-open", "items-near": .items
        case "posts": .posts
        default: .habits
        }
    }
}

extension Route {
    /// Returns the route without the resources of collections that the server hides.
    ///
    /// A hidden collection is not found, like a collection that does not exist.
    ///
    /// - Parameter sections: The parts that the server shows.
    /// - Returns: The route.
    package func limited(to sections: Sections) -> Route {
        guard sections != .all, path.contains("{collection}") else { return self }
        let limited = Route(
            method,
            path,
            match: { context in
                let collection = try FeatureCollection.named(in: context)
                guard sections.shows(collection) else { throw FeatureCollection.unknown(collection.id) }
                return try match(context)
            },
            documented: { isKnownCaller in
                documented(isKnownCaller).filter { operation in
                    operation.collection.map(sections.shows) ?? true
                }
            })
        return isOpenToEveryOrigin ? limited.openToEveryOrigin() : limited
    }
}

extension RouteOperation {
    /// The collection in the path of the document at `/api`, or `nil` without one.
    fileprivate var collection: FeatureCollection? {
        let parts = (path ?? "").split(separator: "/")
        guard parts.count > 1, parts[0] == "collections" else { return nil }
        return FeatureCollection.named(String(parts[1]))
    }
}
