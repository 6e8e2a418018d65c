import Base
import Foundation
import HabitModel
import Rendering

extension NightlyArchive {
    /// Maximum size of a file that a server sends.
    private static let mostSentBytes = 64 << 20

    /// The source of the list's script in a Content-Security-Policy.
    package static var scriptSource: String { NightlyIndex.scriptSource }

    /// Returns the content of the list of all runs.
    ///
    /// - Throws: `not-found` if there is no list, and `input-unreadable`.
    package var list: [UInt8] {
        get throws {
            try content(ofFile: file(NightlyIndex.name))
        }
    }

    /// The name of the list in the archive.
    package static var listName: String { NightlyIndex.name }

    /// Returns the content of a file of a run.
    ///
    /// Only the manifest and the files that it lists belong to a run. No symbolic link except `latest` is followed, and
    /// `latest` only to a run of the archive.
    ///
    /// - Parameters:
    ///   - name: The name of the file.
    ///   - run: The date of the run, or `latest`.
    /// - Returns: The content.
    /// - Throws: `not-found` if no run has such a file, or if the file is too large, and `input-unreadable`.
    package func content(of name: String, inRun run: String) throws -> [UInt8] {
        guard let day = day(ofRun: run), let manifest = manifest(of: day) else { throw Self.unknownFile }
        let names = manifest.files.map(\.name) + [NightlyManifest.name]
        guard names.contains(name), !name.contains("/") else { throw Self.unknownFile }
        return try content(ofFile: "\(path(of: day))/\(name)")
    }

    private func day(ofRun run: String) -> Day? {
        guard run == NightlyArchiveWriter.latest else { return Day(run) }
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: file(run))
        return target.flatMap { target in Day(target) }
    }

    private func content(ofFile path: String) throws -> [UInt8] {
        guard kind(of: path) == S_IFREG else { throw Self.unknownFile }
        let content = try NightlyFileReader(path).contents(most: Self.mostSentBytes)
        guard let content else {
            throw HabitError(.notFound, "the file is larger than 64 MiB: copy it from the folder of the nightly runs")
        }
        return content
    }

    private static var unknownFile: HabitError {
        HabitError(.notFound, "the nightly runs have no such file: open the list of all runs")
    }
}
