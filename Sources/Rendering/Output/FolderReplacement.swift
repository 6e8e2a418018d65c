import Foundation
import HabitModel

/// Puts a complete folder in the place of another, so that whoever looks finds one of the two.
enum FolderReplacement {
    /// Exchanges two names; gives 0, or the system's error number.
    typealias Exchange = @Sendable (_ first: String, _ second: String) -> Int32

    /// Gives the path of the older folder, hidden now, which the caller removes.
    ///
    /// Some file systems cannot exchange names. There the older one steps aside first, as `.name.XXXXXX.old`; where the
    /// program is killed before the new one follows, that is to be put back (see `NightLeftovers`).
    ///
    /// - Throws: as `AtomicFolder.commit()`; the older folder has its place then.
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

    /// Linux's renameat2 with RENAME_EXCHANGE, which the headers hide from Swift (rename(2)).
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
