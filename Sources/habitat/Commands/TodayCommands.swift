import ArgumentParser
import HabitModel
import HabitStore

struct Todo: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "todo", abstract: "Your habits that are due today, and whether they are done.",
        discussion: """
            Examples:
              habitat todo --as alice
              habitat todo --as alice --today 2026-11-20 --format json
            """)

    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try output.show(common, whenEmpty: "Nothing is due today: 'habitat habit list' shows your schedules.") {
            session, viewer, clock in
            try TodoQuery(viewer: viewer, clock: clock).selection(in: session)
        }
    }
}

struct Following: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "following", abstract: "Title and status of every habit of every user you follow.",
        discussion: """
            Examples:
              habitat following --as alice
              habitat following --as alice --user bruno --format csv
            """)

    @Option(
        parsing: .unconditionalSingleValue, help: ArgumentHelp("Only habits of this user; repeatable.", valueName: "id")
    )
    var user: [String] = []
    @Option(parsing: .unconditional, help: ArgumentHelp("At most this many rows.", valueName: "number"))
    var limit: Int?
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try output.show(
            common, whenEmpty: "You follow nobody who has habits: ask somebody with 'habitat follow request USER'."
        ) {
            session, viewer, clock in
            var query = FollowingQuery(viewer: viewer, clock: clock)
            query.users = user
            query.limit = try Parse.count(limit, option: "limit")
            return try query.selection(in: session)
        }
    }
}

struct Inbox: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inbox",
        abstract: "What waits for you: requests to follow you, claims on your items, messages not yet answered.",
        discussion: """
            Answer with 'habitat follow accept USER', 'habitat item give ITEM' or 'habitat message send --item ITEM --text TEXT'.

            Examples:
              habitat inbox --as alice
              habitat inbox --as alice --format json
            """)

    @Option(parsing: .unconditional, help: ArgumentHelp("At most this many rows.", valueName: "number"))
    var limit: Int?
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try output.show(common, whenEmpty: "Nothing waits for you.") { session, viewer, _ in
            var query = InboxQuery(viewer: viewer)
            query.limit = try Parse.count(limit, option: "limit")
            return try query.selection(in: session)
        }
    }
}
