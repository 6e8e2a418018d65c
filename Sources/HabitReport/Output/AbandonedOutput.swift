import Foundation

/// Temporary outputs that killed runs have left next to an output.
///
/// A run holds a lock on its temporary file or folder (flock(2)), which the system releases when the run ends, however it ends.
/// A temporary output without a lock is therefore abandoned.
enum AbandonedOutput {
    /// Locks the temporary output that this process has just made.
    ///
    /// - Returns: `false` if another run has taken it for an abandoned one and removes it: make another.
    static func claim(_ descriptor: Int32) -> Bool {
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            // Some file systems have no locks.
            return errno != EWOULDBLOCK
        }
        var status = stat()
        return fstat(descriptor, &status) != 0 || status.st_nlink > 0
    }

    /// Removes the abandoned temporary outputs of the output at `place`.
    static func remove(of place: HiddenPlace) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place.folder)) ?? []
        for name in names where isTemporary(name, of: place) { remove(place.folder + "/" + name) }
    }

    private static let companions = ["-journal", "-wal", "-shm"]

    /// Whether `name` is a name of a temporary output of the same target.
    private static func isTemporary(_ name: String, of place: HiddenPlace) -> Bool {
        guard name.hasPrefix(place.temporaryPrefix), name.hasSuffix(HiddenPlace.ending) else { return false }
        let letters = name.dropFirst(place.temporaryPrefix.count).dropLast(HiddenPlace.ending.count)
        return letters.utf8.count == HiddenPlace.letterCount && letters.utf8.allSatisfy(HiddenPlace.letters.contains)
    }

    private static func remove(_ path: String) {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return }
        try? FileManager.default.removeItem(atPath: path)
        for companion in companions { unlink(path + companion) }
    }
}
