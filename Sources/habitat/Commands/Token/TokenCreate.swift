import ArgumentParser
import Base
import HabitModel
import HabitStore
import StoreEngine

struct TokenCreate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create a token or a calendar address and show it.",
        discussion: """
            The token belongs to one user or to the operator. It expires after 90 days unless you pass --days.

            With --calendar, the command creates an address for the calendar of a user: the due days of the habits and \
            the done events. It shows the path, which follows the public URL of the server. Any program that has the \
            address can read the calendar, and nothing else. The address is valid until it is revoked, or for --days.

            Examples:
              habitat token create --user alice --label phone --days 30
              habitat token create --for-operator --label backup-script
              habitat token create --user alice --calendar
            """)

    @Option(
        parsing: .unconditional, help: ArgumentHelp("ID of the user, or 'me'.", valueName: "user"), completion: .user)
    var user: String?
    @Flag(help: "Create a token of the operator, who can see all data.")
    var forOperator = false
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Label of the token in lists.", valueName: "text"),
        completion: .anyText)
    var label: String?
    @Flag(help: "Create an address for the user's calendar instead of a bearer token.")
    var calendar = false
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Lifetime in days, 1 to 366 (default: 90 for a token, unlimited for a calendar).", valueName: "number"),
        completion: .anyText)
    var days: Int?
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    mutating func run() throws {
        // The command runs as the operator, so 'me' is not a user.
        let user = try user.map(common.accountID)
        try common.requireOperator("token create")
        guard !output.access.shareOutput else {
            throw HabitError(
                .usage, "a token file must be readable only by its owner: omit --share-output", field: "share-output")
        }
        guard (user == nil) == forOperator else {
            throw HabitError(
                .usage, "the owner of the token is required: pass either --user USER or --for-operator", field: "user")
        }
        guard !(calendar && forOperator) else {
            throw HabitError(
                .usage, "the operator has no calendar: pass --user instead of --for-operator", field: "user")
        }
        try Self.requireLifetime(days, option: "days")
        try common.change(output) { session, _, clock in
            if let user { try AccessChecker(viewer: .operator, in: session).require(.view, on: .user, id: user) }
            let viewer = try user.map { try Viewer.user(named: $0, in: session) } ?? .operator
            let actions = TokenActions(clock: clock, in: session)
            let token =
                calendar
                ? try actions.createCalendar(for: viewer, label: label, lifetime: days.map { .seconds($0 * 86_400) })
                    .token
                : try actions.create(for: viewer, label: label, lifetime: .seconds((days ?? 90) * 86_400))
            let shape = ResultShape(columns: [
                Column(calendar ? "path" : "token", .text, at: 0), Column("id", .text, at: 1),
                Column("user", .text, at: 2), Column("expires_at", .instant(offset: nil), at: 3),
            ])
            let secret = calendar ? "/calendars/\(token.secret).ics" : token.secret
            let expires = token.expires == Token.never ? Value.null : .integer(token.expires.microseconds)
            try output.show(common, whenEmpty: "", single: true) { begin in
                try begin(shape).append(ValueRow([.text(secret), .text(token.id), .text(user), expires]))
            }
        }
        common.notice("The \(calendar ? "path" : "token") is not shown again: store it securely.")
    }

    /// Checks the lifetime of a token or a view.
    ///
    /// - Parameters:
    ///   - days: The lifetime in days, or `nil` if the option is missing.
    ///   - option: The name of the option.
    /// - Throws: `parameter-invalid` for a number outside ``HabitStore/TokenActions/lifetimeDays``.
    static func requireLifetime(_ days: Int?, option: String) throws {
        let allowed = TokenActions.lifetimeDays
        guard let days, !allowed.contains(days) else { return }
        let range = "\(allowed.lowerBound) to \(allowed.upperBound)"
        throw HabitError(.parameterInvalid, "--\(option) must be \(range), not \(days)", field: option)
    }
}
