import HabitModel
import Rendering

/// A night that takes shape: each file that is written to it is also named in its manifest.
public final class NightDraft {
    private let folder: AtomicFolder
    /// What has been written so far.
    public private(set) var manifest: NightManifest
    /// Whether a file was begun and not ended.
    private var isBroken = false

    init(_ folder: AtomicFolder, _ manifest: NightManifest) {
        self.folder = folder
        self.manifest = manifest
    }

    /// Writes a file of the night; its size and digest are taken on the way.
    ///
    /// - Parameters:
    ///   - file: its name, and what the manifest is to say of it.
    ///   - body: writes to the buffer, which is closed afterwards, and gives the rows that it wrote, if there are such.
    /// - Throws: what `body` throws; `output-not-writable` where there is a file of that name; `no-space`, `write-failed`.
    public func write(_ file: NightManifest.File, _ body: (OutputBuffer) throws -> Int?) throws {
        guard NightManifest.isFileName(file.name) else {
            throw HabitError(.internal, "'\(file.name)' cannot be the name of a file of a night")
        }
        let wasBroken = isBroken
        isBroken = true
        let sink = DigestSink(try folder.open(file.name))
        let buffer = OutputBuffer(sink)
        var file = file
        file.rows = try body(buffer)
        try buffer.close()
        (file.sha256, file.bytes) = (sink.digest, sink.count)
        manifest.files.append(file)
        isBroken = wasBroken
    }

    /// Writes the manifest, the last of the files.
    ///
    /// - Throws: `internal` where a file was not written to its end, whatever became of that error.
    func finish() throws {
        guard !isBroken else { throw HabitError(.internal, "a file of the night was not written to its end") }
        let buffer = OutputBuffer(try folder.open(NightManifest.name))
        manifest.write(to: buffer)
        try buffer.close()
    }
}
