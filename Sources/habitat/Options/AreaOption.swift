import ArgumentParser
import Geo
import HabitIngest

/// The option for a file with an area.
struct AreaOption: ParsableArguments {
    @Option(
        name: .customLong("within-area"), parsing: .unconditional,
        help: ArgumentHelp("GeoJSON file of polygons; their borders are included.", valueName: "file"),
        completion: .file(extensions: ["geojson", "json"]))
    var file: String?

    /// Returns the area in the file, or `nil` without the option.
    ///
    /// - Throws: The errors of ``AreaFile``; `output-exists` if the output of the command is the file.
    func area(_ common: CommonOptions, _ output: OutputOptions) throws -> Area? {
        guard let file else { return nil }
        try common.protect([file], from: output.output, option: "output")
        return try AreaFile.read(file)
    }
}
