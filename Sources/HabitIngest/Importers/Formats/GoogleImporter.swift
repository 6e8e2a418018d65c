import Base
import HabitModel

/// An archive of Google Takeout, or its unpacked folder.
///
/// The importer reads all files of the location history, in any of its formats, and ignores other files.
struct GoogleImporter: TrackImporter {
    static let format = "google"
    static let adviceIfEmpty = "turn on the timeline of Google Maps and export the location history again"

    private static let importers: [any GoogleFileImporter.Type] = [
        GoogleAndroidImporter.self,
        GoogleIOSImporter.self,
        GoogleSemanticImporter.self,
        GoogleRecordsImporter.self,
    ]
    private static let folder = "semantic location history"

    static func canRead(_ input: ImportInput) throws -> Bool {
        guard input.form != .file else { return false }
        let hasRecords = try input.files(named: "Records.json").contains { file in
            try file.outline(ofArray: "locations") != nil
        }
        if hasRecords { return true }
        return try input.files.contains { file in
            let folders = file.name.lowercased().split(separator: "/").dropLast()
            let isInFolder = folders.contains { name in name == folder }
            guard isInFolder else { return false }
            return try GoogleSemanticImporter.canRead(file, options: input.options)
        }
    }

    func records(of input: ImportInput, _ receive: (ImportEntry) throws -> Void) throws {
        var ends = 0
        try Self.forEachFile(of: input) { file, importer in
            ends += try importer.read(file, options: input.options, receive)
        }
        if let notice = ImportNotice.visitEnds(ends) { try receive(.notice(notice)) }
    }

    func track(of input: ImportInput, _ receive: (TrackItem) throws -> Void) throws {
        try Self.forEachFile(of: input) { file, importer in
            try importer.readTrack(file, options: input.options, receive)
        }
    }

    private static func forEachFile(
        of input: ImportInput,
        _ body: (ImportFile, any GoogleFileImporter) throws -> Void
    ) throws {
        for file in input.files where file.fileExtension == "json" {
            var importer = try importer(of: file, options: input.options)
            if importer == nil {
                // The member that identifies the format may follow other members of any size.
                try file.completeOutline()
                importer = try Self.importer(of: file, options: input.options)
            }
            if let importer { try body(file, importer.init()) }
        }
    }

    private static func importer(
        of file: ImportFile,
        options: ImportOptions
    ) throws -> (any GoogleFileImporter.Type)? {
        try importers.first { importer in
            try importer.canRead(file, options: options)
        }
    }
}
