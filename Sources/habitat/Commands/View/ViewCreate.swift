import ArgumentParser
import Base
import HabitModel
import HabitStore
import StoreEngine

struct ViewCreate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create a secret address of a view and show it.",
        discussion: """
            The command shows the path of the page, which follows the public URL of the server. Replace 'shared' by 'embed' \
            for a page that other sites can embed. The path followed by '/events.geojson', '/events.csv', '/tiles.json' or \
            '/style.json' is the same view for programs and maps.

            The options for habits, outcomes and comments apply to events, and the options for days to events and posts. \
            The layer of items has your available items, as strangers see them.

            Examples:
              habitat view create --layers events,posts --days 30 --as alice
              habitat view create --habit alice-run --rounding city --as alice
            """)

    @OptionGroup(title: "View") var view: ViewOptions
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Label of the view in lists.", valueName: "text"),
        completion: .anyText)
    var label: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Lifetime in days, 1 to 366 (default: until it is revoked).", valueName: "number"),
        completion: .anyText)
    var lifetimeDays: Int?
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        guard !output.access.shareOutput else {
            throw HabitError(
                .usage,
                "a file with the address must be readable only by its owner: omit --share-output",
                field: "share-output")
        }
        try TokenCreate.requireLifetime(lifetimeDays, option: "lifetime-days")
        try common.change(output) { session, viewer, clock in
            let user = try common.actingUser(viewer, clock, in: session)
            let definition = try view.definition(of: user)
            let token = try TokenActions(clock: clock, in: session).createView(
                for: viewer,
                definition,
                label: label,
                lifetime: lifetimeDays.map { days in .seconds(days * 86_400) })
            try show(token, definition)
        }
        common.notice("The path is not shown again: store it securely.")
    }

    private func show(_ token: Token, _ definition: ViewDefinition) throws {
        let shape = ResultShape(columns: [
            Column("path", .text, at: 0),
            Column("id", .text, at: 1),
            Column("definition", .json, at: 2),
            Column("expires_at", .instant(offset: nil), at: 3),
        ])
        let expires = token.expires == Token.never ? Value.null : .integer(token.expires.microseconds)
        let row = ValueRow([
            .text("/shared/\(token.secret)"),
            .text(token.id),
            .text(definition.json.text),
            expires,
        ])
        try output.show(common, whenEmpty: "", single: true) { begin in
            try begin(shape).append(row)
        }
    }
}
