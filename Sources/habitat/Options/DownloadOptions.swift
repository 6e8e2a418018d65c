import ArgumentParser
import Base
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
            "Output file, or a folder in which the file is named after the ID; - for the standard output.",
            valueName: "file|folder"))
    var output: String
    @OptionGroup var access: SharingOption
    @Flag(help: "Replace an existing file.")
    var force = false
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Format of the summary (path and size in bytes).", valueName: "format"))
    var format = OutputFormat.text

    func run(_ kind: AccessObject.Kind, _ id: String, _ common: CommonOptions) throws {
        try common.protect(from: output, option: "output")
        let shape = ResultShape(columns: [Column("path", .text, at: 0), Column("bytes", .integer, at: 1)])
        let buffer = try OutputBuffer(to: .standardOutput)
        var options = RenderOptions()
        options.single = true
        let renderer = try format.renderer(for: shape, options: options, into: buffer)
        try common.open(.read).read { session in
            let photo = PhotoQuery(kind, id, viewer: try common.viewer(in: session))
            let (path, size) = try PhotoDownload(
                photo, to: output, replaces: force, sharing: access.sharing
            ).run(in: session)
            guard path != "-" else { return }
            try renderer.render([ValueRow([.text(path), .integer(Int64(size))])])
            try buffer.close()
        }
    }
}
