import Base
import HabitModel

/// The inputs of an import with their formats.
public struct ImportPlan {
    /// An input and the importer that reads it.
    struct Part {
        var input: ImportInput
        var importer: any Importer.Type
    }

    /// An input of the command line, or an archive in a folder, with the parts that importers read.
    private struct Source {
        var input: ImportInput
        var parts: [Part]

        /// Whether the source is an archive with parts, whose files must be intact.
        var isReadArchive: Bool { input.form == .archive && !parts.isEmpty }
    }

    let parts: [Part]
    /// The archives that contain parts.
    private let archives: [ImportInput]
    /// The names of files in folders and archives that could contain records, but are not read.
    public private(set) var skipped: [String] = []

    /// The paths of the command line, and `-` for the standard input.
    private let paths: [String]

    /// Whether the standard input is one of the inputs.
    public var readsStandardInput: Bool { paths.contains("-") }

    /// The paths of the inputs in one line.
    var inputNames: String {
        paths.map { path in path == "-" ? "standard input" : path.singleLine }.joined(separator: ", ")
    }

    /// The names of the formats in one line, in the order in which they first occur.
    var formatNames: String {
        var names: [String] = []
        for part in parts where !names.contains(part.importer.format) {
            names.append(part.importer.format)
        }
        return names.joined(separator: ", ")
    }

    /// The names and the formats of the inputs, in the order in which they are read.
    public var inputs: [(name: String, format: String)] {
        parts.map { part in (part.input.name, part.importer.format) }
    }

    /// Opens the inputs and recognizes their formats.
    ///
    /// - Parameters:
    ///   - paths: Files, folders, and `-` for the standard input.
    ///   - options: The options of the import.
    /// - Throws: `input-not-found`, `input-unreadable`, `archive-unreadable`, `format-not-recognised` or
    ///   `format-mismatch`.
    public init(paths: [String], options: ImportOptions) throws {
        var sources: [Source] = []
        for path in paths {
            let input = try ImportInput(path: path, options: options)
            if let error = try UnknownTable.rejectsError(of: input) { throw error }
            let inputs = try input.separatingArchives()
            if let format = options.format {
                sources += try Self.declared(input, separated: inputs, as: format)
                continue
            }
            let found = try inputs.map { input in
                Source(input: input, parts: try Self.recognized(input))
            }
            let isRecognized = found.contains { source in !source.parts.isEmpty }
            guard isRecognized else { throw try Self.notRecognised(input) }
            sources += found
            for source in found {
                skipped += Self.skippedFiles(of: source)
            }
        }
        parts = sources.flatMap(\.parts)
        self.paths = paths
        archives = sources.filter(\.isReadArchive).map(\.input)
    }

    /// Checks that the words for outcomes in the options have a meaning in one of the inputs.
    ///
    /// - Parameter options: The options of the import.
    /// - Throws: `usage`, or an error of reading an input.
    public func checkOutcomeWords(_ options: ImportOptions) throws {
        guard !options.table.words.isEmpty else { return }
        let hasWords = try parts.contains { part in try part.importer.hasOutcomeWords(part.input) }
        guard hasWords else { throw TableOptions.unusedWords }
    }

    /// Checks the files of the archives that no importer has read completely.
    ///
    /// - Throws: `archive-unreadable` if a file is damaged.
    func verifyArchives() throws {
        for archive in archives {
            for file in archive.files { try file.verify() }
        }
    }

    /// The kind of an input that an import reads.
    public enum Recognition: Sendable {
        /// An export of another application.
        case export
        case photos
        /// A plain table, which a load may read too.
        case table
    }

    /// Returns the kind of an input, or `nil` if no importer recognizes it.
    ///
    /// - Parameter path: The path of a file or a folder.
    /// - Returns: The kind of the input, or `nil` for an unknown format and for the standard input.
    public static func recognition(of path: String) -> Recognition? {
        guard path != "-", let importers = try? importers(of: path) else { return nil }
        guard let first = importers.first else { return nil }
        let isExport = importers.contains { importer in !importer.isTable && !importer.isFallback }
        if isExport { return .export }
        return first.isFallback ? .photos : .table
    }

    /// Returns the importers that recognize a file, or the files in a folder.
    private static func importers(of path: String) throws -> [any Importer.Type] {
        let input = try ImportInput(path: path, options: ImportOptions())
        let parts = try input.separatingArchives().flatMap { input in try recognized(input) }
        return parts.map { part in part.importer }
    }

    // MARK: Recognition

    /// Returns the sources of an input whose format the user declares.
    ///
    /// - Parameters:
    ///   - input: The input.
    ///   - inputs: The input and the archives in it.
    ///   - format: The name of the format.
    /// - Returns: The sources.
    /// - Throws: `parameter-invalid` for an unknown format, or `format-mismatch` if the input has another format.
    private static func declared(
        _ input: ImportInput,
        separated inputs: [ImportInput],
        as format: String
    ) throws -> [Source] {
        guard let importer = Importers.named(format) else {
            throw HabitError(
                .parameterInvalid,
                "unknown format '\(format)': use one of \(Importers.list)",
                field: "from")
        }
        let sources = try inputs.map { input in
            Source(input: input, parts: try parts(of: input, [importer]))
        }
        let hasFormat = sources.contains { source in !source.parts.isEmpty }
        guard hasFormat else { throw try mismatch(of: input, with: format) }
        return sources
    }

    /// Returns the error of an input that does not have the declared format.
    private static func mismatch(of input: ImportInput, with format: String) throws -> HabitError {
        if let error = LoopOverview.error(of: input, .formatMismatch) { return error }
        if format == CSVImporter.format, let error = try UnknownTable.error(of: input, isDeclared: true) {
            return error
        }
        let recognizedFormat = try recognized(input).first?.importer.format
        let actual = try recognizedFormat ?? FormatDescription.text(of: input)
        return HabitError(
            .formatMismatch,
            "the input does not have the format \(format), but is \(actual): pass another format",
            file: input.name)
    }

    /// Returns the parts of an input that importers recognize.
    ///
    /// Importers that are fallbacks apply only if no other importer recognizes a part.
    private static func recognized(_ input: ImportInput) throws -> [Part] {
        let importers = Importers.all.filter { importer in !importer.isFallback }
        let parts = try parts(of: input, importers)
        guard let first = parts.first else {
            let fallbacks = Importers.all.filter { importer in importer.isFallback }
            return try self.parts(of: input, fallbacks)
        }
        // The files of an archive belong to one export.
        guard first.input.form == .folder else { return parts }
        return parts + (try others(in: input, than: first.importer))
    }

    /// Returns the files of a folder that have another format than the export in it.
    ///
    /// A table can be a part of the export.
    private static func others(in input: ImportInput, than importer: any Importer.Type) throws -> [Part] {
        let candidates = Importers.all.filter { candidate in
            !candidate.isFallback && !candidate.isTable
        }
        var parts: [Part] = []
        for file in input.files {
            // No importer reads FIT files, which Strava adds to its exports in compressed form.
            if file.name.lowercased().hasSuffix(".fit.gz") { continue }
            let fileInput = input.only(file)
            do {
                guard let other = try self.importer(of: fileInput, candidates) else { continue }
                guard !importer.accepts(other) else { continue }
                parts.append(Part(input: fileInput, importer: other))
            } catch let error as HabitError where !damage.contains(error.code) {
                // Only the format of the file is unknown.
            }
        }
        return parts
    }

    /// Returns the input itself, or the files in it, with the first importer that recognizes it.
    private static func parts(of input: ImportInput, _ importers: [any Importer.Type]) throws -> [Part] {
        if let importer = try importer(of: input, importers) {
            return [Part(input: input, importer: importer)]
        }
        if let file = input.file {
            // The member that identifies the format may follow other members of any size.
            try file.completeOutline()
            guard let importer = try importer(of: input, importers) else { return [] }
            return [Part(input: input, importer: importer)]
        }
        return try input.files.flatMap { file in
            do {
                return try parts(of: input.only(file), importers)
            } catch let error as HabitError where !damage.contains(error.code) {
                // Only the format of the file is unknown.
                return []
            }
        }
    }

    /// The errors of files that cannot be read, whatever their format is.
    private static let damage: Set<ErrorCode> = [.archiveUnreadable, .gzipTruncated, .inputUnreadable, .internal]

    /// Returns the result of `read`, or `nil` if the input has another format than `read` expects.
    ///
    /// - Throws: The error of an input that cannot be read, whatever its format is.
    static func ifOfFormat<Result>(_ read: () throws -> Result?) throws -> Result? {
        do {
            return try read()
        } catch let error as HabitError where damage.contains(error.code) {
            throw error
        } catch {
            return nil
        }
    }

    /// Returns the first importer that can read an input, or `nil` if no importer can.
    private static func importer(
        of input: ImportInput, _ importers: [any Importer.Type]
    ) throws -> (any Importer.Type)? {
        try importers.first { importer in try importer.canRead(input) }
    }

    private static func notRecognised(_ input: ImportInput) throws -> HabitError {
        if let error = LoopOverview.error(of: input, .formatNotRecognised) { return error }
        if let error = try UnknownTable.error(of: input, isDeclared: false) { return error }
        let description = try FormatDescription.text(of: input)
        let conversion = FormatDescription.conversion(of: input)
        let remedy = conversion ?? "import one of these formats: \(Importers.list)"
        return HabitError(
            .formatNotRecognised,
            "the input is \(description), which has no known format: \(remedy)",
            file: input.name)
    }

    // MARK: Skipped files

    /// Returns the names of the files that no part reads although they could contain records.
    private static func skippedFiles(of source: Source) -> [String] {
        let input = source.input
        guard input.form != .file else { return [] }
        // An archive in a folder.
        if input.form == .archive, source.parts.isEmpty { return [input.name] }
        let read = Set(source.parts.map(\.input.name))
        let unread = input.files.filter { file in !read.contains(file.displayName) }
        let skipped: [ImportFile]
        if let part = source.parts.first, part.input.form != .file {
            skipped = unread.filter { file in isOther(file, in: input, than: part.importer) }
        } else {
            let hasPhotos = source.parts.contains { part in part.importer.includesPhotos }
            skipped = unread.filter { file in
                let isPhoto = hasPhotos && (try? file.content.kind) == .photo
                return !isPhoto && !belongsToDatabase(file, in: read)
            }
        }
        return skipped.map(\.displayName)
    }

    /// Whether SQLite has written a file next to a database that is read.
    private static func belongsToDatabase(_ file: ImportFile, in read: Set<String>) -> Bool {
        let name = file.displayName
        return ImportFile.databaseSuffixes.contains { suffix in
            name.hasSuffix(suffix) && read.contains(String(name.dropLast(suffix.count)))
        }
    }

    /// Whether a file in a folder or an archive has another format than the input.
    private static func isOther(
        _ file: ImportFile,
        in input: ImportInput,
        than importer: any Importer.Type
    ) -> Bool {
        guard let kind = try? file.content.kind else { return false }
        switch kind {
        case .archive: return true
        case .photo: return !importer.isFallback && !importer.includesPhotos
        // No export of several files contains a database.
        case .database: return true
        default: break
        }
        // An archive can contain any number of tables without records.
        let includesTables = input.form == .folder
        let candidates = Importers.all.filter { candidate in
            !candidate.isFallback && (includesTables || !candidate.isTable)
        }
        guard let other = try? self.importer(of: input.only(file), candidates) else { return false }
        return !importer.accepts(other)
    }
}

extension Importer {
    /// Whether an export of this format can contain photos.
    fileprivate static var includesPhotos: Bool { companions.contains(PhotosImporter.format) }

    /// Whether an export of this format can contain files of another format.
    fileprivate static func accepts(_ other: any Importer.Type) -> Bool {
        source == other.source || companions.contains(other.format)
    }
}
