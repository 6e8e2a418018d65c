import Base
import Foundation

/// The exchange of two files in one folder.
package enum FileExchange {
    /// Exchanges the names of two files.
    ///
    /// Some file systems cannot exchange names. There, `second` gets the additional name `second.old` first, so that both
    /// files keep a name at all times.
    ///
    /// - Parameters:
    ///   - first: The path of the first file.
    ///   - second: The path of the second file, at which a file exists at all times.
    /// - Throws: `no-space`, `output-not-writable` or `write-failed`. The second file then has its original name.
    package static func exchange(_ first: String, _ second: String) throws {
        try exchange(first, second, by: FolderReplacement.exchange)
    }

    static func exchange(_ first: String, _ second: String, by exchange: FolderReplacement.Exchange) throws {
        switch exchange(first, second) {
        case 0: return
        case EINVAL, ENOSYS, EOPNOTSUPP: try exchangeInSteps(first, second)
        case let number: throw HabitError(creating: second, number)
        }
    }

    private static func exchangeInSteps(_ first: String, _ second: String) throws {
        let aside = second + ".old"
        guard link(second, aside) == 0 else { throw HabitError(creating: aside, errno) }
        guard rename(first, second) == 0 else {
            let number = errno
            unlink(aside)
            throw HabitError(creating: second, number)
        }
        guard rename(aside, first) == 0 else {
            let number = errno
            // The first file is lost, and the second file has its name again.
            rename(aside, second)
            throw HabitError(creating: first, number)
        }
    }
}
