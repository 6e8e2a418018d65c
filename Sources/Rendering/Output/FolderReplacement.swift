import Base
import Foundation

/// The replacement of a folder by a complete one.
///
/// Other processes always find one of the two.
enum FolderReplacement {
    /// A function that exchanges two names and returns 0 or the system's error number.
    typealias Exchange = @Sendable (_ first: String, _ second: String) -> Int32

    /// Replaces the folder at the target and returns the hidden path of the older folder, which the caller removes.
    ///
    /// Some file systems cannot exchange names. There, the older folder is first renamed to `.name.XXXXXX.old`. If the
    /// program is killed between both renames, `AbandonedRuns` restores the older folder of a nightly run.
    ///
    /// - Throws: As `AtomicFolder.commit()`. The older folder then has its original name.
    static func replace(_ output: TemporaryOutput, exchange: Exchange) throws -> String {
        switch exchange(output.temporaryPath, output.target) {
        case 0: return output.temporaryPath
        case EINVAL, ENOSYS, EOPNOTSUPP: return try replaceInTwoSteps(output)
        case let number: throw HabitError(creating: output.path, number)
        }
    }

    private static func replaceInTwoSteps(_ output: TemporaryOutput) throws -> String {
        let aside = String(output.temporaryPath.dropLast(3)) + "old"
        guard rename(output.target, aside) == 0 else { throw HabitError(creating: output.path, errno) }
        guard rename(output.temporaryPath, output.target) == 0 else {
            let number = errno
            rename(aside, output.target)
            throw HabitError(creating: output.path, number)
        }
        return aside
    }

    /// The system call renameat2 of Linux with RENAME_EXCHANGE (rename(2)), which the headers do not export to Swift.
    static let exchange: Exchange = { first, second in
        typealias Rename =
            @convention(c) (
                Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32
            ) -> Int32
        guard let symbol = dlsym(nil, "renameat2") else { return ENOSYS }
        let rename = unsafeBitCast(symbol, to: Rename.self)
        return rename(AT_FDCWD, first, AT_FDCWD, second, 2) == 0 ? 0 : errno
    }
}
