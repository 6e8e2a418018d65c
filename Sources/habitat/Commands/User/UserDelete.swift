import ArgumentParser
import Base
import HabitModel
import HabitReport
import HabitStore
import Rendering
import StoreEngine

struct UserDelete: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a user account and all its data permanently.",
        discussion: """
            You can delete your own account. The operator can delete any account. The command also deletes the habits, \
            events, items, posts, messages and follows of the user.

            With --export, the command first exports this data to a folder in the format of 'habitat export'. If the \
            export fails, the account is not deleted. To load the export into a store, that store must contain the \
            other users and the items to which the data refers.

            Examples:
              habitat user delete nuno --yes
              habitat user delete --as nuno --export my-habits --yes
            """)

    @Argument(help: ArgumentHelp("ID of the user (default: you).", valueName: "user"), completion: .user)
    var user: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Folder to create for an export of the data.", valueName: "dir"), completion: .directory)
    var export: String?
    @OptionGroup var confirmation: ConfirmOptions
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        let prompt = "Delete the account \(user.map { "'\($0)' " } ?? "")with all that belongs to it?"
        try confirmation.confirm(prompt) {
            try common.preview { session, viewer, _ in
                let id = try viewer.userID(or: user, in: session)
                return Deletion.prompt([try deletion(of: id, by: viewer, in: session)])
            }
        }
        var isExported = false
        var deleted: (id: String, store: String)?
        do {
            try common.change(output) { session, viewer, _ in
                let id = try user ?? viewer.userID(or: nil, in: session)
                isExported = try writeExport(of: id, for: viewer, in: session)
                deleted = (id: id, store: try LogState(of: .viewer(viewer), in: session).log)
                try common.show([deletion(of: id, by: viewer, in: session)], output)
            }
        } catch  where isExported {
            common.notice("The account was not deleted. Its export is in '\(export ?? "")'.")
            throw error
        }
        if let deleted { try UndoLog.process?.removeAll(ofUser: deleted.id, in: deleted.store) }
    }

    /// Deletes an account.
    private func deletion(of id: String, by viewer: Viewer, in session: any Session) throws -> Deletion {
        let counts = try AccountActions(viewer, in: session).delete(id)
        let shown: [RecordKind] = [.habits, .pauses, .events, .items, .messages, .posts, .follows]
        var others: [(count: Int, noun: String)] = []
        for kind in shown {
            guard let deleted = counts.first(where: { deleted in deleted.kind == kind }) else { continue }
            others.append((count: deleted.count, noun: kind.rawValue))
        }
        var values: [(name: String, value: Value)] = [("deleted", .text(id))]
        for deleted in counts {
            values.append((name: deleted.kind.rawValue, value: .integer(Int64(deleted.count))))
        }
        return Deletion(id: id, subject: "the account \(id)", others: others, values: values)
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
