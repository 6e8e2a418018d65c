import Base
import HabitModel

/// Descriptions of inputs that no importer recognizes.
enum FormatDescription {
    /// Returns a description of an input, such as "a JSON object with the members a and b".
    static func text(of input: ImportInput) throws -> String {
        switch input.form {
        case .file: return try input.file.map { try text(of: $0) } ?? "empty"
        case .folder: return "a folder \(files(input.files))" + convertibleText(in: input)
        case .archive:
            return isWorkbook(input)
                ? Convertible.workbook.name : "a ZIP archive \(files(input.files))" + convertibleText(in: input)
        }
    }

    /// Returns the command that converts an input or a file in it, or `nil` if no conversion is known.
    static func conversion(of input: ImportInput) -> String? {
        if isWorkbook(input) { return Convertible.workbook.instruction(for: input.name) }
        guard let (file, kind) = convertible(in: input) else { return nil }
        let instruction = kind.instruction(for: input.form == .archive ? file.name : file.displayName)
        return input.form == .archive ? "extract it and \(instruction)" : instruction
    }

    /// A format that other programs convert to a format of an importer.
    private enum Convertible {
        case workbook, fit, geoPackage

        /// The name of the format with its article.
        var name: String {
            switch self {
            case .workbook: "an XLSX workbook"
            case .fit: "a FIT file"
            case .geoPackage: "a GeoPackage"
            }
        }

        /// Returns the command that converts a file.
        func instruction(for path: String) -> String {
            switch self {
            case .workbook: "save it as CSV, or convert it with: ssconvert '\(path)' table.csv"
            case .fit: "convert it with: gpsbabel -i garmin_fit -f '\(path)' -o gpx -F activity.gpx"
            case .geoPackage: "convert it with: ogr2ogr -f GPX -nlt POINT places.gpx '\(path)'"
            }
        }
    }

    /// Returns the first file with a convertible format, or `nil` if the input has no such file.
    private static func convertible(in input: ImportInput) -> (file: ImportFile, kind: Convertible)? {
        for file in input.files {
            guard let content = try? file.content else { continue }
            if content.kind == .fit { return (file, .fit) }
            if content.isGeoPackage { return (file, .geoPackage) }
            if content.kind == .archive, file.fileExtension == "xlsx" { return (file, .workbook) }
        }
        return nil
    }

    private static func convertibleText(in input: ImportInput) -> String {
        convertible(in: input).map { " (\($0.file.name.excerpt) is \($0.kind.name))" } ?? ""
    }

    private static func isWorkbook(_ input: ImportInput) -> Bool {
        input.form == .archive && input.files.contains { $0.name == "xl/workbook.xml" }
    }

    private static func text(of file: ImportFile) throws -> String {
        let content = try file.content
        switch content.kind {
        case .empty: return "empty"
        case .database where content.isGeoPackage: return Convertible.geoPackage.name
        case .database: return "a SQLite database without the tables Habits and Repetitions"
        case .archive: return "a ZIP archive within another file"
        case .photo: return "a photo"
        case .fit: return Convertible.fit.name
        case .xml(let root): return "an XML document with the root element '\(root.excerpt)'"
        case .json: return json(content.outline)
        case .text:
            return "a text that begins with '\((content.lines.first { !$0.trimmed.isEmpty } ?? "").trimmed.excerpt)'"
        case .binary: return "binary data"
        }
    }

    private static func json(_ outline: JSONOutline?) -> String {
        switch outline {
        case .array(let element?) where element.isObject:
            "a JSON array of objects with the members \(list(element.names))"
        case .array: "a JSON array"
        case .object: "a JSON object with the members \(list(outline?.names ?? []))"
        default: "a JSON document"
        }
    }

    private static func files(_ files: [ImportFile]) -> String {
        guard !files.isEmpty else { return "without files" }
        return "with \(files.count == 1 ? "1 file" : "\(files.count) files") (\(list(files.map(\.name))))"
    }

    private static func list(_ names: [String]) -> String {
        let shown = names.prefix(8).map(\.excerpt).joined(separator: ", ")
        return names.count > 8 ? shown + ", …" : shown
    }
}
