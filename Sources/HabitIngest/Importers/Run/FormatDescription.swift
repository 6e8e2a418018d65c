import HabitModel

/// Descriptions of inputs that no importer recognizes.
enum FormatDescription {
    /// Returns a description of an input, such as "a JSON object with the members a and b".
    static func text(of input: ImportInput) throws -> String {
        switch input.form {
        case .file: return try input.file.map { try text(of: $0) } ?? "empty"
        case .folder: return "a folder \(files(input.files))"
        case .archive: return isWorkbook(input) ? "an XLSX workbook" : "a ZIP archive \(files(input.files))"
        }
    }

    /// Returns the command that converts an input, or `nil` if no conversion is known.
    static func conversion(of input: ImportInput) throws -> String? {
        let name = "'\(input.name)'"
        if isWorkbook(input) {
            return "save it as CSV, or convert it with: ssconvert \(name) table.csv"
        }
        guard let content = try input.file?.content else { return nil }
        if content.kind == .fit {
            return "convert it with: gpsbabel -i garmin_fit -f \(name) -o gpx -F activity.gpx"
        }
        return content.isGeoPackage ? "convert it with: ogr2ogr -f GPX -nlt POINT places.gpx \(name)" : nil
    }

    private static func isWorkbook(_ input: ImportInput) -> Bool {
        input.form == .archive && input.files.contains { $0.name == "xl/workbook.xml" }
    }

    private static func text(of file: ImportFile) throws -> String {
        let content = try file.content
        switch content.kind {
        case .empty: return "empty"
        case .database where content.isGeoPackage: return "a GeoPackage"
        case .database: return "a SQLite database without the tables Habits and Repetitions"
        case .archive: return "a ZIP archive within another file"
        case .photo: return "a photo"
        case .fit: return "a FIT file"
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
