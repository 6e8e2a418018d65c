import Geo

/// What the two SQL dialects say differently.
public protocol Dialect: Sendable {
    /// The rows of `table` that the spatial index on its `geometry` finds in a box, and perhaps a few beside it: a source
    /// for FROM that has the table under its own name.
    func candidates(in box: BoundingBox, of table: String) -> SQL

    /// Whether the point `geometry` lies in the box, edges included: a condition.
    func isInside(_ box: BoundingBox, geometry: String) -> SQL

    /// Metres on the WGS 84 geodesic from `:longitude`, `:latitude` to `geometry`: an expression.
    func distance(to geometry: String) -> String

    /// The rows of `table` that its search index finds for `text` (folded): a source for FROM as the other candidates are, for
    /// where nothing else narrows the rows, and whether all of them hold the text. Nil where no such source is of use.
    func candidates(holding text: String, of table: String) -> (from: SQL, areAll: Bool)?

    /// Whether `column` (folded) contains `text` (folded): a condition.
    func contains(_ text: String, in column: String, of table: String) -> SQL

    /// Whether the comment of a row of `table` (folded) contains `word` (folded) as whole words: a condition.
    func containsWord(_ word: String, in table: String) -> SQL

    /// Degrees on WGS 84 of the point `geometry`: an expression.
    func longitude(of geometry: String) -> String
    func latitude(of geometry: String) -> String

    /// A JOIN … ON whose left side should be looked at first.
    var orderedJoin: String { get }

    /// Joins the newest `event` of each `habit`.
    var newestEventJoin: String { get }

    /// The rows `event` of the habits with these keys, and behind those from `:from_day` on: what stands behind FROM.
    func events(ofHabits keys: String) -> String

    /// `event`, where the skipped ones of a habit are asked for: what stands behind FROM.
    var skippedEvents: String { get }

    /// The events with these keys, each with the key of its user: a source for FROM. Binds `:event_keys`.
    func events(withKeys keys: [EventKey]) -> SQL

    /// Whether the events are stored on several servers.
    var hasShards: Bool { get }

    /// Of how many habits the events are best read by one statement: 1 where a statement costs no more than a look-up.
    var habitsAtOnce: Int { get }

    /// The end of a SELECT that the engine must work out before it looks at any condition from outside: a function that fails
    /// on a row must never see one that the SELECT leaves out.
    var barrier: String { get }
}

/// The key of an event with the key of its user, by which some engines partition events.
public struct EventKey: Sendable, Hashable {
    package var event: Int64
    package var user: Int64

    package init(event: Int64, user: Int64) {
        self.event = event
        self.user = user
    }
}

extension Dialect {
    package var hasShards: Bool { false }

    package var skippedEvents: String { "event" }

    package func events(ofHabits keys: String) -> String {
        "event\nWHERE event.habit_id IN (\(keys)) AND event.day >= :from_day"
    }
}

extension BoundingBox {
    /// `:…_south` and `:…_north`, and `:…_west0` and `:…_east0` of each of its parts.
    package func bindings(prefix: String) -> [String: Value] {
        var bindings: [String: Value] = ["\(prefix)_south": .number(south), "\(prefix)_north": .number(north)]
        for (part, box) in parts.enumerated() {
            bindings["\(prefix)_west\(part)"] = .number(box.west)
            bindings["\(prefix)_east\(part)"] = .number(box.east)
        }
        return bindings
    }
}
