import Base
import Foundation
import HabitModel
import HabitTestSupport
import Testing

@testable import Rendering

@Suite struct FileExchangeTests {
    /// The second function stands for a file system that cannot exchange names.
    @Test(arguments: [0, ENOSYS, EINVAL, EOPNOTSUPP]) func filesExchangeTheirNames(number: Int32) throws {
        let folder = try TemporaryFolder()
        let first = try folder.write("1", to: "first")
        let second = try folder.write("2", to: "second")
        try FileExchange.exchange(first, second, by: number == 0 ? FolderReplacement.exchange : { _, _ in number })
        #expect(try folder.read("first") == "2")
        #expect(try folder.read("second") == "1")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["first", "second"])
    }

    @Test(arguments: [EIO, EACCES, ENOSPC]) func failedExchangeKeepsNames(number: Int32) throws {
        let folder = try TemporaryFolder()
        let first = try folder.write("1", to: "first")
        let second = try folder.write("2", to: "second")
        #expect(throws: HabitError.self) { try FileExchange.exchange(first, second, by: { _, _ in number }) }
        #expect(throws: HabitError.self) {
            try FileExchange.exchange(folder.file("none"), second, by: { _, _ in ENOSYS })
        }
        #expect(try folder.read("first") == "1")
        #expect(try folder.read("second") == "2")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["first", "second"])
    }
}
