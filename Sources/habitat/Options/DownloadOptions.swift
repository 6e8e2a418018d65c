import ArgumentParser
import Base
import Glibc
import HabitModel
import HabitReport
import HabitStore
import Rendering
import StoreEngine

/// The options for the destination of a photo.
struct DownloadOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Output file, or a folder in which the file is named after the ID (default: the current folder); - for the standard output.",
            valueName: "file|folder"), completion: .file())
    var output: String?
    @OptionGroup var access: SharingOption
    @Flag(help: "Replace an existing file.")
    var force = false
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Format of the summary (path and size in bytes); without it, the summary is one line.", valueName: "format")
    )
    var format: OutputFormat?

    private static let shape = ResultShape(columns: [
        Column("path", .text, at: 0), Column("bytes", .integer, at: 1, measure: .bytes),
    ])

    /// Saves the photo of a record.
    ///
    /// - Parameters:
    ///   - kind: The kind of the record.
    ///   - common: The common options.
    ///   - find: Returns the ID of the record.
    /// - Throws: The errors of `find`, of the lookup of the photo and of the output.
    func run(
        _ kind: AccessObject.Kind, _ common: CommonOptions, find: (NameLookup, Clock) throws -> String
    ) throws {
        let clock = try common.clock()
        try common.protect(from: output, option: "output")
        let buffer = try OutputBuffer(to: .standardOutput)
        var options = RenderOptions()
        options.single = true
        let renderer = try format?.renderer(for: Self.shape, options: options, into: buffer)
        try common.open(.read).read { session in
            let viewer = try common.viewer(in: session)
            let id = try find(common.names(for: viewer, in: session), clock)
            let photo = PhotoQuery(kind, id, viewer: viewer)
            let download = PhotoDownload(photo, to: output, replaces: force, sharing: access.sharing)
            let file = try download.run(in: session)
            guard file.path != "-" else { return }
            let row = ValueRow([.text(file.path), .integer(Int64(file.byteCount))])
            guard let renderer else { return try common.confirm(Self.line(row)) }
            try renderer.render([row])
            try buffer.close()
        }
    }

    /// Returns the line with the path and the size of the file.
    private static func line(_ row: ValueRow) -> String {
        let record = RecordTexts(of: row, shape: shape)
        let style = OutputOptions.style(.never, isTerminal: isatty(STDOUT_FILENO) == 1)
        return style.line(.done, [record["path"], record["bytes"]])
    }
}
