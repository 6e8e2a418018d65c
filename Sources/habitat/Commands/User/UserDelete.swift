import ArgumentParser
import HabitModel
import HabitReport
import HabitStore
import Rendering
import StoreEngine

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

    /// Exports the data of a user, if requested.
    ///
    /// The export has the same snapshot as the deletion and is on the disk before a row is deleted.
    /// - Returns: Whether the data has been exported.
    private func writeExport(of id: String, for viewer: Viewer, in session: any Session) throws -> Bool {
        guard let export else { return false }
        let query = try ExportQuery(ofUser: id, for: viewer, in: session)
        let folder = try AtomicFolder(export, sharing: output.access.sharing)
        _ = try StoreExport(query).write(to: folder, in: session)
        try folder.commit()
        return true
    }
}
