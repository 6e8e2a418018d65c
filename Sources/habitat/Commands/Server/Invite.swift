import ArgumentParser
import Base
import CommandLineText
import HabitModel
import HabitStore
import StoreEngine

struct Invite: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Create a link with which a person signs in once.",
        discussion: """
            Only the operator can run this command. It creates an account and prints an address of the server's sign-in \
            page. The first person who opens the address and confirms it is signed in as the user. The address is valid \
            for 7 days. Send it over a channel that only this person reads.

            The ID of the account is --user, otherwise it is derived from --name. --user alone creates a further link \
            for an existing account. 'habitat token list' lists the links, and 'habitat token revoke' revokes them.

            The address begins with --public-url, otherwise HABITAT_PUBLIC_URL, otherwise the key public-url of the \
            configuration, otherwise http://localhost:8080.

            Examples:
              habitat invite --name "Zoe Lima"
              habitat invite --user alice --public-url https://habits.example.org
            """)

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Display name of the new account.", valueName: "text"),
        completion: .anyText)
    var name: String?
    @Option(
        parsing: .unconditional, help: ArgumentHelp("ID of the new or existing account.", valueName: "user"),
        completion: .user)
    var user: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("URL under which clients reach the server.", valueName: "url"), completion: .anyText)
    var publicURL: String?
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    mutating func run() throws {
        try common.requireOperator("invite")
        guard !output.access.shareOutput else {
            throw HabitError(
                .usage,
                "a file with a link must be readable only by its owner: omit --share-output",
                field: "share-output")
        }
        guard name != nil || user != nil else {
            throw HabitError(
                .usage,
                "the person is missing: pass --name NAME for a new account, or --user USER for an existing account",
                field: "name")
        }
        let configured = try Configuration.current.get().publicURL(option: publicURL).value
        let base = PublicURL.withoutSlash(try PublicURL.check(configured))
        var id = ""
        try common.change(output) { session, _, clock in
            id = try account(in: session)
            let viewer = try Viewer.user(named: id, in: session)
            let link = try TokenActions(clock: clock, in: session).createLink(for: viewer, .invitation)
            try show(link.token, of: id, address: "\(base)/sign-in/link#\(link.token.secret)")
        }
        common.notice(
            "This link signs one person in as '\(id)' once, within 7 days; it is not shown again.")
    }

    /// Returns the ID of the account, which is created if it does not exist.
    ///
    /// - Throws: `not-found` for an unknown user without a name, and the errors of a new account.
    private func account(in session: any Session) throws -> String {
        guard let name else {
            let id = user ?? ""
            try AccessChecker(viewer: .operator, in: session).require(.view, on: .user, id: id)
            return id
        }
        let id = try user ?? UserIDs.free(like: name, seed: ["invite", name], in: session)
        var draft = UserDraft()
        draft.name = .value(name)
        draft.timeZone = .value(common.timeZone ?? MachineTimeZone.id())
        try AccountActions(.operator, in: session).add(id, draft)
        return id
    }

    private func show(_ link: Token, of id: String, address: String) throws {
        if try output.isForPeople {
            return try output.showLines(common) { buffer, _ in buffer.append(address + "\n") }
        }
        let shape = ResultShape(columns: [
            Column("url", .text, at: 0),
            Column("id", .text, at: 1),
            Column("user", .text, at: 2),
            Column("expires_at", .instant(offset: nil), at: 3),
        ])
        try output.show(common, whenEmpty: "", single: true) { begin in
            let values: [Value] = [
                .text(address),
                .text(link.id),
                .text(id),
                .integer(link.expires.microseconds),
            ]
            try begin(shape).append(ValueRow(values))
        }
    }
}
