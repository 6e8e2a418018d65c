import HabitModel
import Rendering

/// What a night is made of: the content of its `manifest.json`.
public struct NightManifest: Sendable, Equatable {
    public static let name = "manifest.json"

    public var date: Day
    public var timeZone: String
    /// The version of the program that made it.
    public var habitat: String
    public var files: [File]

    /// One of its files, the manifest left out.
    public struct File: Sendable, Equatable {
        public var name: String
        /// Of its bytes, as 64 lower-case hexadecimal digits.
        public var sha256 = ""
        public var bytes = 0
        /// Nil where it has none, as a summary.
        public var rows: Int?
        /// The report that it shows, if it is one alone.
        public var report: String?
        public var format: String
        /// The columns that tell one row from another.
        public var key: [String]
        public var parameters: [String: String]

        public init(
            _ name: String, report: String? = nil, format: String, key: [String] = [],
            parameters: [String: String] = [:]
        ) {
            self.name = name
            self.report = report
            self.format = format
            self.key = key
            self.parameters = parameters
        }
    }

    public init(date: Day, timeZone: String, habitat: String, files: [File] = []) {
        self.date = date
        self.timeZone = timeZone
        self.habitat = habitat
        self.files = files
    }

    /// Whether it can name a file of a night: a plain name in its folder, not a hidden one and not the manifest's.
    static func isFileName(_ name: String) -> Bool {
        let bytes = name.utf8
        return !bytes.isEmpty && bytes.count <= 255 && bytes.first != UInt8(ascii: ".")
            && !bytes.contains { $0 == UInt8(ascii: "/") || $0 < 0x20 || $0 == 0x7F } && name != self.name
    }

    /// Writes it as JSON, a file a line, by name: equal manifests are equal bytes.
    func write(to output: OutputBuffer) {
        output.append(literal: "{\n\"date\":")
        output.append(json: date.description)
        output.append(literal: ",\n\"time_zone\":")
        output.append(json: timeZone)
        output.append(literal: ",\n\"habitat\":")
        output.append(json: habitat)
        output.append(literal: ",\n\"files\":[")
        let sorted = files.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        for (index, file) in sorted.enumerated() {
            output.append(index == 0 ? "\n" : ",\n")
            file.write(to: output)
        }
        output.append(literal: "\n]\n}\n")
    }
}

extension NightManifest.File {
    fileprivate func write(to output: OutputBuffer) {
        output.append(literal: "{\"name\":")
        output.append(json: name)
        output.append(literal: ",\"sha256\":")
        output.append(json: sha256)
        output.append(literal: ",\"bytes\":")
        output.append(integer: Int64(bytes))
        output.append(literal: ",\"rows\":")
        if let rows { output.append(integer: Int64(rows)) } else { output.append(literal: "null") }
        output.append(literal: ",\"report\":")
        if let report { output.append(json: report) } else { output.append(literal: "null") }
        output.append(literal: ",\"format\":")
        output.append(json: format)
        output.append(literal: ",\"key\":[")
        for (index, column) in key.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            output.append(json: column)
        }
        output.append(literal: "],\"parameters\":{")
        let sorted = parameters.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        for (index, parameter) in sorted.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            output.append(json: parameter.key)
            output.append(UInt8(ascii: ":"))
            output.append(json: parameter.value)
        }
        output.append(literal: "}}")
    }
}

extension OutputBuffer {
    fileprivate func append(json text: String) {
        append(json: text.utf8.span)
    }
}
