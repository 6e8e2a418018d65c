import Base
import Geo

/// The selection of a user's records that a secret address shows to strangers.
///
/// The definition names records and never contains them: the view shows the records of the moment. Its JSON text is
/// stored with the digest of the secret.
public struct ViewDefinition: Sendable, Equatable {
    /// The records of one kind in a view.
    public enum Layer: String, Sendable, CaseIterable {
        case events, posts, items

        /// The kind of the records.
        public var kind: RecordKind {
            switch self {
            case .events: .events
            case .posts: .posts
            case .items: .items
            }
        }
    }

    /// The size of the cells whose centers replace the positions.
    public enum Rounding: String, Sendable, CaseIterable {
        /// About 100 m.
        case street
        /// About 1 km.
        case quarter
        /// About 10 km.
        case city

        /// The grid of the cells.
        public var grid: PositionGrid {
            switch self {
            case .street: .street
            case .quarter: .quarter
            case .city: .city
            }
        }
    }

    /// The days of events and posts in a view.
    public enum Period: Sendable, Equatable {
        case always
        /// The days between two days, both included; `nil` is an open end.
        case between(Day?, Day?)
        /// A number of days up to the owner's current date.
        case last(days: Int)
    }

    /// The layers, each once, in the order of ``Layer``.
    public let layers: [Layer]
    /// The IDs of the owner's habits whose events the view shows; all habits if it is empty.
    public var habits: [String] = []
    /// The outcome of the events, or `nil` for both outcomes.
    public var outcome: Outcome?
    /// A text that the comments of the events contain, compared without case, or `nil`.
    public var comment: String?
    /// The days of events and posts.
    ///
    /// The layer of items has the available items of the moment.
    public var period = Period.always
    /// A box that contains the rounded positions, or `nil` for records with and without a position.
    public var box: BoundingBox?
    /// The rounding of the positions.
    public var rounding = Rounding.street
    /// Whether the events have the current status of their habits.
    ///
    /// A status also depends on events that the view does not show.
    public var showsStatus = false

    /// The maximum number of habits.
    public static let habitLimit = 100
    /// The maximum length of the text that comments contain, in characters.
    public static let commentLimit = 200
    /// The allowed numbers of days up to the current date.
    public static let dayCounts = 1...3660

    /// Creates a definition of all of the owner's records of some kinds.
    ///
    /// - Parameter layers: The layers in any order.
    /// - Throws: `field-invalid` if there is no layer, or if a layer occurs twice.
    public init(layers: [Layer]) throws(HabitError) {
        guard !layers.isEmpty else {
            let names = Layer.allCases.map(\.rawValue).joined(separator: ", ")
            throw Self.invalid(.layers, "a view has at least one layer: name some of \(names)")
        }
        guard Set(layers).count == layers.count else {
            throw Self.invalid(.layers, "a layer occurs twice: name each layer once")
        }
        self.layers = Layer.allCases.filter(layers.contains)
    }

    /// Checks the limits of the members.
    ///
    /// - Returns: The definition with texts in composed form and each habit once.
    /// - Throws: `field-invalid`, `search-text-empty`, `text-invalid` or `day-invalid`.
    public func checked() throws -> ViewDefinition {
        var checked = self
        checked.habits = []
        for habit in habits.map(\.composed) where !checked.habits.contains(habit) {
            checked.habits.append(habit)
        }
        guard checked.habits.count <= Self.habitLimit else {
            throw Self.invalid(.habits, "a view names at most \(Self.habitLimit) habits: omit 'habits' for all")
        }
        try checked.checkEventFilters()
        if let comment {
            checked.comment = try Self.checkedComment(comment)
        }
        try checkPeriod()
        return checked
    }

    private func checkEventFilters() throws(HabitError) {
        guard !layers.contains(.events) else { return }
        let filters: [(member: Member, isSet: Bool)] = [
            (.habits, !habits.isEmpty), (.outcome, outcome != nil), (.comment, comment != nil),
            (.status, showsStatus),
        ]
        guard let filter = filters.first(where: \.isSet) else { return }
        let name = filter.member.rawValue
        throw Self.invalid(filter.member, "'\(name)' applies only to events: add the layer events, or omit '\(name)'")
    }

    private static func checkedComment(_ comment: String) throws -> String {
        let name = Member.comment.rawValue
        let text = try Parse.searchText(comment, field: name).composed
        try text.requireSingleLine(name)
        guard text.count <= commentLimit else {
            throw invalid(.comment, "the search text is longer than \(commentLimit) characters: shorten it")
        }
        return text
    }

    private func checkPeriod() throws(HabitError) {
        switch period {
        case .always:
            break
        case .between(let first, let last):
            guard let first, let last, first > last else { return }
            throw HabitError(
                .dayInvalid,
                "the last day \(last) is before the first day \(first): exchange them",
                field: Member.to.rawValue)
        case .last(let days):
            guard !Self.dayCounts.contains(days) else { return }
            let range = "\(Self.dayCounts.lowerBound) to \(Self.dayCounts.upperBound)"
            throw Self.invalid(.days, "the number of days is not \(range): send another number")
        }
    }

    /// Returns the days of events and posts.
    ///
    /// - Parameter today: The owner's current date.
    /// - Returns: The first and the last day; `nil` is an open end.
    public func days(today: Day) -> (first: Day?, last: Day?) {
        switch period {
        case .always: (nil, nil)
        case .between(let first, let last): (first, last)
        case .last(let days): (today.clampedAdvanced(by: 1 - days), today)
        }
    }

    static func invalid(_ member: Member, _ message: String) -> HabitError {
        HabitError(.fieldInvalid, message, field: member.rawValue)
    }
}
