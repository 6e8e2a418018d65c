import Base
import Foundation
import HabitModel
import HabitTestSupport
import StoreEngine
import StoreSpatiaLite
import Testing

@testable import HabitStore

/// Tests that no damage of a store file ends the program.
@Suite(.fileStoreOnly) struct DamagedStoreTests {
    /// Returns the file of a store with records of each kind.
    private static func storeFile() async throws -> [UInt8] {
        let store = try await TestStore(copyOf: .sharing)
        let copier = try #require(store.engine.fileCopier)
        let path = try store.folder.write("", to: "copy.db")
        try copier.copy(to: path, named: path) {}
        return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// Changes bytes, copies a page over another page, or truncates the file.
    private static func damage(_ bytes: inout [UInt8], using generator: inout SeededGenerator) {
        let page = 8192
        let pages = bytes.count / page
        switch Int.random(in: 0..<8, using: &generator) {
        case 0:
            let end = Int.random(in: 1..<pages, using: &generator) * page
            bytes.removeLast(bytes.count - end)
        case 1:
            let source = Int.random(in: 1..<pages, using: &generator) * page
            let target = Int.random(in: 1..<pages, using: &generator) * page
            for offset in 0..<page { bytes[target + offset] = bytes[source + offset] }
        default:
            // The ends of pages contain the rows, and their beginnings the offsets.
            for _ in 0..<Int.random(in: 1...12, using: &generator) {
                let start = Int.random(in: 0..<pages, using: &generator) * page
                let isRow = Bool.random(using: &generator)
                let offset =
                    isRow
                    ? page - 1 - Int.random(in: 0..<600, using: &generator)
                    : Int.random(in: 0..<page, using: &generator)
                bytes[start + offset] = UInt8.random(in: 0...255, using: &generator)
            }
        }
    }

    /// Each check reports damage that it cannot read, and the examination ends with results or an error of the store.
    @Test func examinationOfDamagedStoreEnds() async throws {
        let sound = try await Self.storeFile()
        let folder = try TemporaryFolder()
        let path = folder.file("store.db")
        var run = FuzzRun("store files", rounds: 500)
        var damaged = 0
        for round in 0..<run.rounds {
            var bytes = sound
            Self.damage(&bytes, using: &run.random)
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            for suffix in SpatiaLiteEngine.companions { unlink(path + suffix) }
            do {
                let engine = try StoreLocation.file(path).openForExamination(wait: .zero)
                let results = try StoreDoctor(engine).examine()
                if results.contains(where: { $0.status == .damaged }) { damaged += 1 }
            } catch let error as HabitError {
                let expected: [ErrorCode] = [
                    .storeDamaged, .storeNotHabitat, .storeUnavailable, .internal, .writeFailed,
                ]
                #expect(expected.contains(error.code), "seed \(run.seed), round \(round): \(error)")
                damaged += 1
            }
        }
        // Some bytes are unused.
        #expect(damaged > run.rounds / 2, "seed \(run.seed): \(damaged) of \(run.rounds)")
    }
}
