import ArgumentParser
import HabitModel
import HabitReport
import HabitStore

struct UserCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "Users: accounts, and how they stand to you.",
        discussion: """
            Examples:
              habitat user list --as alice
              habitat user add zoe --name "Zoe Lima" --time-zone Europe/Lisbon
            """,
        subcommands: [UserList.self, UserAdd.self, UserShow.self, UserEdit.self, UserDelete.self])
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
        try output.show(
            common,
            whenEmpty: "No users yet: add one with 'habitat user add ID', or load some with 'habitat ingest PATH'."
        ) {
            session, viewer, _ in
            var query = UserQuery(viewer: viewer)
            query.limit = try Parse.count(limit, option: "limit")
            return try query.selection(in: session)
        }
    }
}

/// What an account is made of. Its time zone is the option of every command, `--time-zone`.
struct UserFields: ParsableArguments {
    @Option(parsing: .unconditional, help: ArgumentHelp("What others call them; empty for none.", valueName: "text"))
    var name: String?
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Seen by themselves and the operator alone.", valueName: "address"))
    var email: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Whether new events, items and posts of theirs may have a place: yes or no.", valueName: "yes|no"))
    var shareLocation: String?

    func draft(_ common: CommonOptions) throws -> UserDraft {
        var draft = UserDraft()
        draft.name = Given(option: name)
        draft.email = Given(option: email)
        draft.timeZone = Given(option: common.timeZone)
        switch shareLocation?.lowercased() {
        case nil: break
        case "yes", "true": draft.sharesLocation = .value(true)
        case "no", "false": draft.sharesLocation = .value(false)
        case let text?:
            throw HabitError(
                .parameterInvalid, "--share-location takes yes or no, not '\(text)'", field: "share-location")
        }
        return draft
    }
}

struct UserAdd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Make an account, as the operator.",
        discussion: """
            The user's days begin and end in --time-zone. Without it the account gets the time zone of this machine (TZ, else \
            /etc/localtime).

            Example:
              habitat user add zoe --name "Zoe Lima" --email zoe@example.com --time-zone Europe/Lisbon
            """)

    @Argument(help: ArgumentHelp("The user's id: 1 to 64 characters.", valueName: "id"))
    var id: String
    @OptionGroup var fields: UserFields
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.requireOperator("user add")
        var draft = try fields.draft(common)
        if common.timeZone == nil { draft.timeZone = .value(MachineTimeZone.id()) }
        try common.change(output) { session, viewer, _ in
            try AccountActions(viewer, in: session).add(id, draft)
            try output.show(
                UserQuery.one(id, viewer: viewer, in: session), common, in: session, whenEmpty: "", single: true)
        }
    }
}

struct UserShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "One user, yourself unless you name another.",
        discussion: """
            Examples:
              habitat user show --as alice
              habitat user show bruno --as alice --format json
            """)

    @Argument(help: ArgumentHelp("The user's id.", valueName: "user"))
    var user: String?
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try output.showOne(common) { session, viewer, _ in
            let id = try viewer.userID(or: user)
            try Things(viewer: viewer, in: session).require(.view, .user, id)
            return try UserQuery.one(id, viewer: viewer, in: session)
        }
    }
}

struct UserEdit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change your account, or as the operator anybody's.",
        discussion: """
            Examples:
              habitat user edit --as alice --share-location no
              habitat user edit bruno --name "Bruno M." --time-zone Europe/Lisbon
            """)

    @Argument(help: ArgumentHelp("The user's id.", valueName: "user"))
    var user: String?
    @OptionGroup var fields: UserFields
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        let draft = try fields.draft(common)
        try common.change(output) { session, viewer, _ in
            let id = try viewer.userID(or: user)
            try AccountActions(viewer, in: session).edit(id, draft)
            try output.show(
                UserQuery.one(id, viewer: viewer, in: session), common, in: session, whenEmpty: "", single: true)
        }
    }
}

extension Viewer {
    /// The user who is named, else the viewer.
    func userID(or name: String?) throws -> String {
        if let name { return name }
        guard case .user(_, let id) = self else {
            throw HabitError(.notSignedIn, "name a user, or say who you are with --as USER or HABITAT_USER")
        }
        return id
    }
}

struct UserDelete: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete your account with all that is yours; as the operator anybody's.",
        discussion: """
            Habits, events, items, posts, messages and follows go with it, for good. --export first writes all of that into \
            a folder, as 'habitat export' writes a store; where that fails, nothing is deleted. It can be loaded where the other \
            users and items are that it speaks of.

            Examples:
              habitat user delete nuno --yes
              habitat user delete --as nuno --export my-habits --yes
            """)

    @Argument(help: ArgumentHelp("The user's id.", valueName: "user"))
    var user: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("First write what is theirs into this folder, which is made.", valueName: "dir"))
    var export: String?
    @OptionGroup var confirmation: ConfirmOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try confirmation.confirm("Delete the account \(user.map { "'\($0)' " } ?? "")with all that belongs to it?")
        var isExported = false
        do {
            try common.change(output) { session, viewer, _ in
                let id = try viewer.userID(or: user)
                isExported = try writeExport(of: id, for: viewer, in: session)
                let counts = try AccountActions(viewer, in: session).delete(id)
                try output.show(
                    [("deleted", .text(id))] + counts.map { ($0.kind.rawValue, .integer(Int64($0.count))) }, common)
            }
        } catch var error as HabitError where isExported {
            error.message += " (the account still exists, and its export is in '\(export ?? "")')"
            throw error
        }
    }

    /// Complete, and on the disk, before anything is deleted; of the state that is deleted.
    private func writeExport(of id: String, for viewer: Viewer, in session: any Session) throws -> Bool {
        guard let export else { return false }
        let query = try ExportQuery(ofUser: id, for: viewer, in: session)
        let folder = try AtomicFolder(export, sharing: output.access.sharing)
        _ = try StoreExport(query).write(to: folder, in: session)
        try folder.commit()
        return true
    }
}
