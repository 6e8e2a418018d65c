import ArgumentParser
import HabitModel
import HabitStore

struct UserCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "Users.", subcommands: [UserList.self])
}

struct UserList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "The other users, and how each stands to you.",
        discussion: """
            'following' is your request to follow them, 'follower' theirs to follow you: none, pending, accepted or rejected.

            Examples:
              habitat user list --as alice
              habitat user list --format csv
            """)

    @Option(parsing: .unconditional, help: ArgumentHelp("At most this many rows.", valueName: "number"))
    var limit: Int?
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try output.show(common, whenEmpty: "No users yet: load some with 'habitat ingest PATH'.") {
            session, viewer, _ in
            var query = UserQuery(viewer: viewer)
            query.limit = try Parse.count(limit, option: "limit")
            return try query.selection(in: session)
        }
    }
}

struct HabitCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "habit", abstract: "Habits.", subcommands: [HabitList.self])
}

struct HabitList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Habits: schedule, status, completion, streaks and score.",
        discussion: """
            An actor's own; with --user those of somebody the actor follows, of which only title, schedule and status are \
            shown. The operator sees everybody's.

            Completion is over the four ISO weeks that end with this one; today counts once it is done, or with --include-today.

            Examples:
              habitat habit list --as alice
              habitat habit list --user alice --format json
            """)

    @Option(
        parsing: .unconditionalSingleValue, help: ArgumentHelp("Only habits of this user; repeatable.", valueName: "id")
    )
    var user: [String] = []
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Only this habit, or all with this title; repeatable.", valueName: "id|title"))
    var habit: [String] = []
    @Flag(help: "Count today as due though it is not done yet.")
    var includeToday = false
    @Option(parsing: .unconditional, help: ArgumentHelp("At most this many rows.", valueName: "number"))
    var limit: Int?
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try output.show(
            common,
            whenEmpty:
                "No habits to be seen: load some with 'habitat ingest PATH', or see whom you follow with 'habitat user list'."
        ) {
            session, viewer, clock in
            var query = HabitQuery(viewer: viewer, clock: clock)
            query.users = user
            query.habits = habit
            query.includingToday = includeToday
            query.limit = try Parse.count(limit, option: "limit")
            return try query.selection(in: session)
        }
    }
}

struct ItemCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "item", abstract: "Things that are given away.", subcommands: [ItemList.self])
}

struct ItemList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Items, newest first: those that are available, unless --state says otherwise.",
        discussion: """
            Who has claimed an item is shown to its poster and to who claimed it.

            Examples:
              habitat item list --limit 10
              habitat item list --state all --user alice
              habitat item list --near 35.0116,135.7681 --within 2km --sort distance
            """)

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "available, claimed, given, withdrawn, expired, several of them, or all.", valueName: "state"))
    var state = "available"
    @Option(
        parsing: .unconditionalSingleValue, help: ArgumentHelp("Only items of this user; repeatable.", valueName: "id"))
    var user: [String] = []
    @OptionGroup var place: PlaceOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try output.show(common, whenEmpty: "No items match: look at all with --state all.") { session, viewer, clock in
            var query = ItemQuery(viewer: viewer, clock: clock)
            query.states = try ItemStates.parse(state)
            query.users = user
            query.near = try place.near(for: viewer, in: session)
            query.box = try place.box()
            query.sort = place.sort ?? .newest
            query.limit = try place.rowLimit()
            return try query.selection(in: session)
        }
    }
}

struct PostCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "post", abstract: "Photo posts.", subcommands: [PostList.self])
}

struct PostList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Photo posts, newest first: your own and those of users you follow.",
        discussion: """
            Examples:
              habitat post list --as alice --limit 10
              habitat post list --near -41.2924,174.7787 --format geojson
            """)

    @Option(
        parsing: .unconditionalSingleValue, help: ArgumentHelp("Only posts of this user; repeatable.", valueName: "id"))
    var user: [String] = []
    @OptionGroup var place: PlaceOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try output.show(common, whenEmpty: "No posts match: see whom you follow with 'habitat user list'.") {
            session, viewer, _ in
            var query = PostQuery(viewer: viewer)
            query.users = user
            query.near = try place.near(for: viewer, in: session)
            query.box = try place.box()
            query.sort = place.sort ?? .newest
            query.limit = try place.rowLimit()
            return try query.selection(in: session)
        }
    }
}
