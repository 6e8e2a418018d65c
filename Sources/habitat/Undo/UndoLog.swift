import HabitStore

/// The file with the changes that `habitat undo` can revert: the last 20 commands of each user in each store.
///
/// A line is written before the transaction of its command commits. A line of a transaction that failed does no harm:
/// its events are as before the changes, so that `habitat undo` skips it.
struct UndoLog {
    /// The changes of one command.
    struct Line {
        /// The identity of the line.
        var id: String
        /// The identity of the store's log of changes.
        var store: String
        /// The ID of the user.
        var user: String
        var changes: [EventJournal.Change]

        /// Whether a user has made the changes in a store.
        func belongs(to user: String, in store: String) -> Bool {
            self.store == store && self.user == user
        }
    }

    /// The maximum number of lines of a user in a store.
    static let capacity = 20
    /// The maximum size of a file that is read, in bytes.
    private static let sizeLimit = 1 << 26

    /// The path of the file.
    let path: String

    /// The log of the user of this process, or `nil` without a home folder.
    static var process: UndoLog? {
        UserFolders.process.undoLog.map { path in
            UndoLog(path: path)
        }
    }

    /// Returns the lines of a user in a store, oldest first.
    ///
    /// Lines that are not valid are omitted.
    func lines(ofUser user: String, in store: String) -> [Line] {
        let lines = texts.compactMap { text in
            Line(text)
        }
        return lines.filter { line in
            line.belongs(to: user, in: store)
        }
    }

    /// Adds a line after the others, and removes the oldest lines of the user above the capacity.
    ///
    /// - Throws: `output-not-writable`.
    func append(_ line: Line) throws {
        try change { texts in
            var kept = 0
            var lines = [line.text]
            for text in texts.reversed() {
                guard let other = Line(text) else { continue }
                if other.belongs(to: line.user, in: line.store) {
                    kept += 1
                    guard kept < Self.capacity else { continue }
                }
                lines.append(text)
            }
            return lines.reversed()
        }
    }

    /// Removes lines by their IDs.
    ///
    /// - Throws: `output-not-writable`.
    func remove(_ ids: Set<String>) throws {
        guard !ids.isEmpty else { return }
        try keep { line in
            !ids.contains(line.id)
        }
    }

    /// Removes the lines of a deleted account.
    ///
    /// - Throws: `output-not-writable`.
    func removeAll(ofUser user: String, in store: String) throws {
        guard !lines(ofUser: user, in: store).isEmpty else { return }
        try keep { line in
            !line.belongs(to: user, in: store)
        }
    }

    /// The lines of the file.
    private var texts: [String] {
        guard let bytes = PrivateFile.bytes(of: path, limit: Self.sizeLimit) else { return [] }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.split(separator: "\n").map(String.init)
    }

    /// Keeps the valid lines that satisfy a condition.
    private func keep(_ condition: (Line) -> Bool) throws {
        try change { texts in
            texts.filter { text in
                guard let line = Line(text) else { return false }
                return condition(line)
            }
        }
    }

    private func change(_ body: ([String]) -> [String]) throws {
        try PrivateFile.withLock(of: path) { target in
            let lines = body(texts).map { line in
                line + "\n"
            }
            try PrivateFile.replace(target, with: lines.joined())
        }
    }
}
