import ArgumentParser
import Geo
import HabitModel
import HabitStore

/// Where something is looked for; the same for events, items and posts.
struct PlaceOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Only what lies near LATITUDE,LONGITUDE, or near your newest located event (last).", valueName: "position"))
    var near: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How near: a number with a unit (default: 5km).", valueName: "distance"))
    var within: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Only what lies in this box, in degrees; west may be greater than east.", valueName: "w,s,e,n"))
    var bbox: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "newest (default), distance, which needs --near, or stored: as they lie in the store, the fastest for many.",
            valueName: "order"))
    var sort: SortOrder?

    @Option(parsing: .unconditional, help: ArgumentHelp("At most this many rows.", valueName: "number"))
    var limit: Int?

    func near(for viewer: Viewer, in session: any Session) throws -> Near? {
        guard let near else {
            guard within == nil else {
                throw HabitError(
                    .usage, "--within needs a place: give one with --near LATITUDE,LONGITUDE", field: "within")
            }
            guard sort != .distance else {
                throw HabitError(
                    .usage, "--sort distance needs a place: give one with --near LATITUDE,LONGITUDE", field: "sort")
            }
            return nil
        }
        return Near(
            center: try viewer.position(near, option: "near", in: session),
            within: try within.map { try Parse.distance($0, option: "within") } ?? .kilometers(5))
    }

    func box() throws -> BoundingBox? { try bbox.map(Parse.box) }
    func rowLimit() throws -> Int? { try Parse.count(limit, option: "limit") }
}

extension SortOrder: ExpressibleByArgument {}

/// Which events; the same for every command that shows events.
struct EventOptions: ParsableArguments {
    @Option(
        parsing: .unconditionalSingleValue, help: ArgumentHelp("Only events of this user; repeatable.", valueName: "id")
    )
    var user: [String] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Only events of this habit, or of all with this title; repeatable.", valueName: "id|title"))
    var habit: [String] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("No events of this habit, or of any with this title; repeatable.", valueName: "id|title"))
    var notHabit: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Only events whose comment holds this text, in any case.", valueName: "text"))
    var comment: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Only events whose comment holds this as a whole word, in any case.", valueName: "word"))
    var commentWord: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("Only events on this day or later.", valueName: "date"))
    var from: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("Only events on this day or earlier.", valueName: "date"))
    var to: String?

    func apply(to query: inout EventQuery) throws {
        query.users = user
        query.habits = habit
        query.notHabits = notHabit
        query.comment = try comment.map { try Parse.searchText($0, option: "comment") }
        query.commentWord = try commentWord.map { try Parse.searchText($0, option: "comment-word") }
        query.from = try from.map { try Parse.day($0, option: "from") }
        query.to = try to.map { try Parse.day($0, option: "to") }
        if let first = query.from, let last = query.to, last < first {
            throw HabitError(.dateInvalid, "--from \(first) is after --to \(last): nothing lies between", field: "from")
        }
    }

    /// Whether any of them is given.
    var isEmpty: Bool {
        user.isEmpty && habit.isEmpty && notHabit.isEmpty && comment == nil && commentWord == nil && from == nil
            && to == nil
    }
}
