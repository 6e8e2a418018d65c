import ArgumentParser
import HabitModel
import HabitStore

struct EventCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "event", abstract: "Events: what was done of a habit on a day.",
        discussion: """
            'habitat history' and 'habitat near' list them.

            Example:
              habitat event add --habit alice-gym --as alice
            """,
        subcommands: [
            EventAdd.self, EventSkip.self, EventShow.self, EventEdit.self, EventDelete.self, EventPhoto.self,
        ])
}

struct EventAdd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Record that a habit of yours was done on a due day, and show the event.",
        discussion: """
            The day is today unless --day or --at says otherwise; it must be due, and not in the future. There is one event for \
            each habit and day; it takes the place of a skipped day.

            Examples:
              habitat event add --habit alice-gym --as alice --day 2026-11-19 --comment "leg day"
              habitat event add --habit Gym --as alice --position 38.7223,-9.1393
              habitat event add --habit alice-gym --as alice --photo gym.jpg --shrink-photo --position photo
            """)

    @Option(parsing: .unconditional, help: ArgumentHelp("The habit's id, or its title.", valueName: "habit"))
    var habit: String
    @Option(parsing: .unconditional, help: ArgumentHelp("The day it was done (default: today).", valueName: "date"))
    var day: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("When it was done, in RFC 3339 (default: now).", valueName: "instant"))
    var at: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("Up to 20 characters.", valueName: "text"))
    var comment: String?
    @OptionGroup var photo: PhotoOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        let draft = try EventDraft(day: day, at: at, comment: comment, photo)
        try common.act(output) { user in
            try EventQuery.one(try EventActions(user).add(habit: habit, draft), viewer: user.viewer, in: user.session)
        }
    }
}

struct EventSkip: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "skip", abstract: "Take a due day out of the count: neither done nor missed.",
        discussion: """
            An event that is added later takes its place.

            Example:
              habitat event skip --habit alice-gym --as alice --day 2026-11-19 --comment ill
            """)

    @Option(parsing: .unconditional, help: ArgumentHelp("The habit's id, or its title.", valueName: "habit"))
    var habit: String
    @Option(parsing: .unconditional, help: ArgumentHelp("The day (default: today).", valueName: "date"))
    var day: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("Up to 20 characters.", valueName: "text"))
    var comment: String?
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        let day = try day.map { try Parse.day($0, option: "day") }
        try common.act(output) { user in
            let id = try EventActions(user).skip(habit: habit, day: day, comment: Given(option: comment))
            return try EventQuery.one(id, viewer: user.viewer, in: user.session)
        }
    }
}

struct EventShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "One event: yours, or one that you may see.",
        discussion: """
            Examples:
              habitat event show e00513 --as alice
              habitat event show e00513 --as alice --format geojson
            """)

    @Argument(help: ArgumentHelp("The event's id.", valueName: "event"))
    var event: String
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try output.showOne(common) { session, viewer, _ in
            try Things(viewer: viewer, in: session).require(.view, .event, event)
            return try EventQuery.one(event, viewer: viewer, in: session)
        }
    }
}

struct EventEdit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change an event of yours, and show it.",
        discussion: """
            It keeps its day unless --day gives another, which must be due and free.

            Examples:
              habitat event edit e00513 --as alice --comment "with Anna"
              habitat event edit e00513 --as alice --photo none --position none
            """)

    @Argument(help: ArgumentHelp("The event's id.", valueName: "event"))
    var event: String
    @Option(parsing: .unconditional, help: ArgumentHelp("Another day.", valueName: "date"))
    var day: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("When it was done, in RFC 3339.", valueName: "instant"))
    var at: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("Up to 20 characters; empty for none.", valueName: "text"))
    var comment: String?
    @OptionGroup var photo: PhotoOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        let draft = try EventDraft(day: day, at: at, comment: comment, photo)
        try common.act(output) { user in
            try EventActions(user).edit(event, draft)
            return try EventQuery.one(event, viewer: user.viewer, in: user.session)
        }
    }
}

struct EventDelete: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete an event of yours, for good.",
        discussion: """
            Example:
              habitat event delete e00513 --as alice --yes
            """)

    @Argument(help: ArgumentHelp("The event's id.", valueName: "event"))
    var event: String
    @OptionGroup var confirmation: ConfirmOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try confirmation.confirm("Delete the event '\(event)'?")
        try common.tell(output) { user in
            try EventActions(user).delete(event)
            return [("deleted", .text(event))]
        }
    }
}

struct EventPhoto: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "photo", abstract: "Put the photo of an event into a file.",
        discussion: """
            Example:
              habitat event photo e00045 --as alice --output .
            """)

    @Argument(help: ArgumentHelp("The event's id.", valueName: "event"))
    var event: String
    @OptionGroup var download: DownloadOptions
    @OptionGroup var common: CommonOptions

    func run() throws { try download.run(.event, event, common) }
}

extension EventDraft {
    init(day: String?, at: String?, comment: String?, _ options: PhotoOptions) throws {
        self.init()
        self.day = try day.map { try Parse.day($0, option: "day") }
        self.at = try at.map { try Parse.instant($0, option: "at") }
        self.comment = Given(option: comment)
        (photo, position) = try options.read()
    }
}
