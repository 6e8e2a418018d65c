import Base
import Foundation
import HabitModel
import Rendering

/// The hidden files and folders of killed runs in a nightly archive.
///
/// The caller must have locked the archive.
struct AbandonedRuns {
    let archive: NightlyArchive

    /// Removes the files and folders.
    ///
    /// A folder that was renamed for a replacement gets its former name again if the replacement is missing.
    ///
    /// - Throws: `input-unreadable`, `output-not-writable`.
    func clean() throws {
        for name in try archive.names {
            guard let leftover = try Self.pattern.wholeMatch(in: name)?.output else { continue }
            let stem = String(leftover.stem)
            let path = archive.file(name)
            switch (Day(stem), leftover.ending, archive.kind(of: path)) {
            case (nil, "tmp", S_IFLNK) where stem == NightlyArchiveWriter.latest:
                unlink(path)
            case (nil, "tmp", S_IFREG) where Self.fileNames.contains(stem):
                unlink(path)
            case (_?, "tmp", S_IFDIR):
                try remove(path)
            case (let day?, "old", S_IFDIR):
                try archive.holds(day) ? remove(path) : restore(path, as: day)
            default:
                continue
            }
        }
    }

    /// The files of an archive that are not part of a run.
    private static let fileNames = [NightlyIndex.name, PendingAlerts.name]

    private static var pattern: Regex<(Substring, stem: Substring, ending: Substring)> {
        #/
            \.
            (?<stem>
                [0-9]{4}-[0-9]{2}-[0-9]{2}
                | latest
                | index\.html
                | \.alerts\.json
            )
            \.[a-z0-9]{6}
            \.(?<ending>tmp|old)
        /#
    }

    private func remove(_ path: String) throws {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            throw HabitError(
                .outputNotWritable,
                "'\(path)', a remnant of a killed run, cannot be removed: remove it manually, then try again"
            )
        }
    }

    private func restore(_ path: String, as day: Day) throws {
        let formerPath = archive.path(of: day)
        guard rename(path, formerPath) == 0 else {
            throw HabitError(creating: formerPath, errno)
        }
        try TemporaryOutput.synchronize(folder: archive.path)
    }
}
