import ArgumentParser
import Base
import HabitModel
import HabitStore

struct UserBlocks: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "blocks", abstract: "List the users whom you block.",
        discussion: """
            The operator sees the blocks of all users.

            Examples:
              habitat user blocks --as alice
              habitat user blocks --format csv
            """)

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Maximum number of rows.", valueName: "number"),
        completion: .anyText)
    var limit: Int?
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        try output.show(common, whenEmpty: "No blocks: block a user with 'habitat user block USER'.") {
            session, viewer, _ in
            var query = BlockQuery(viewer: viewer)
            query.limit = try Parse.count(limit, option: "limit")
            return try query.selection(in: session)
        }
    }
}
