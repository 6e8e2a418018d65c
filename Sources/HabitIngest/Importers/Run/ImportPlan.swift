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
    public var inputs: [(name: String, format: String)] { parts.map { ($0.input.name, $0.importer.format) } }

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
                sources += try Self.declared(input, inputs, format)
                continue
            }
            let found = try inputs.map { Source(input: $0, parts: try Self.recognized($0)) }
            guard found.contains(where: { !$0.parts.isEmpty }) else { throw try Self.notRecognised(input) }
            sources += found
            skipped += found.flatMap { Self.skipped($0.input, $0.parts) }
        }
        parts = sources.flatMap(\.parts)
        self.paths = paths
        archives = sources.filter { $0.input.form == .archive && !$0.parts.isEmpty }.map(\.input)
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
        guard path != "-", let inputs = try? ImportInput(path: path, options: ImportOptions()).separatingArchives(),
            let importers = try? inputs.flatMap({ try recognized($0) }).map({ $0.importer }),
            let first = importers.first
        else { return nil }
        if importers.contains(where: { !$0.isTable && !$0.isFallback }) { return .export }
        return first.isFallback ? .photos : .table
    }

    // MARK: Recognition

    private static func declared(
        _ input: ImportInput, _ inputs: [ImportInput], _ format: String
    ) throws -> [Source] {
        guard let importer = Importers.named(format) else {
            throw HabitError(
                .parameterInvalid,
                "unknown format '\(format)': use one of \(Importers.list)",
                field: "from")
        }
        let sources = try inputs.map { Source(input: $0, parts: try parts(of: $0, [importer])) }
        guard sources.allSatisfy({ $0.parts.isEmpty }) else { return sources }
        if let error = LoopOverview.error(of: input, .formatMismatch) { throw error }
        if format == CSVImporter.format, let error = try UnknownTable.error(of: input, isDeclared: true) { throw error }
        let actual = try recognized(input).first?.importer.format ?? FormatDescription.text(of: input)
        throw HabitError(
            .formatMismatch, "the input does not have the format \(format), but is \(actual): pass another format",
            file: input.name)
    }

    private static func recognized(_ input: ImportInput) throws -> [Part] {
        let parts = try parts(of: input, Importers.all.filter { !$0.isFallback })
        guard let first = parts.first else { return try self.parts(of: input, Importers.all.filter { $0.isFallback }) }
        // The files of an archive belong to one export.
        return try first.input.form == .folder ? parts + others(in: input, than: first.importer) : parts
    }

    /// Returns the files of a folder that have another format than the export in it.
    ///
    /// A table can be a part of the export.
    private static func others(in input: ImportInput, than importer: any Importer.Type) throws -> [Part] {
        let candidates = Importers.all.filter { !$0.isFallback && !$0.isTable }
        var parts: [Part] = []
        // No importer reads FIT files, which Strava adds to its exports in compressed form.
        for file in input.files.filter({ !$0.name.lowercased().hasSuffix(".fit.gz") }).map(input.only) {
            do {
                guard let other = try self.importer(of: file, candidates), other.source != importer.source,
                    !importer.companions.contains(other.format)
                else { continue }
                parts.append(Part(input: file, importer: other))
            } catch let error as HabitError where !damage.contains(error.code) {
                // Only the format of the file is unknown.
            }
        }
        return parts
    }

    /// Returns the input itself, or the files in it, with the first importer that recognizes it.
    private static func parts(of input: ImportInput, _ importers: [any Importer.Type]) throws -> [Part] {
        if let importer = try importer(of: input, importers) { return [Part(input: input, importer: importer)] }
        if let file = input.file {
            // The member that identifies the format may follow other members of any size.
            try file.completeOutline()
            return try importer(of: input, importers).map { [Part(input: input, importer: $0)] } ?? []
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

    private static func importer(
        of input: ImportInput, _ importers: [any Importer.Type]
    ) throws -> (any Importer.Type)? { try importers.first { try $0.canRead(input) } }

    private static func notRecognised(_ input: ImportInput) throws -> HabitError {
        if let error = LoopOverview.error(of: input, .formatNotRecognised) { return error }
        if let error = try UnknownTable.error(of: input, isDeclared: false) { return error }
        return HabitError(
            .formatNotRecognised,
            """
            the input is \(try FormatDescription.text(of: input)), which has no known format: \
            \(FormatDescription.conversion(of: input) ?? "import one of these formats: \(Importers.list)")
            """, file: input.name)
    }

    // MARK: Skipped files

    /// Returns the names of the files that no part reads although they could contain records.
    private static func skipped(_ input: ImportInput, _ parts: [Part]) -> [String] {
        guard input.form != .file else { return [] }
        // An archive in a folder.
        if input.form == .archive, parts.isEmpty { return [input.name] }
        let read = Set(parts.map(\.input.name))
        if let part = parts.first, part.input.form != .file {
            return input.files.filter { file in
                !read.contains(file.displayName) && isOther(file, than: part.importer, input)
            }.map(\.displayName)
        }
        let hasPhotos = parts.contains { $0.importer.companions.contains(PhotosImporter.format) }
        return input.files.filter { file in
            !read.contains(file.displayName) && !(hasPhotos && (try? file.content.kind) == .photo)
                && !belongsToDatabase(file, in: read)
        }.map(\.displayName)
    }

    /// Whether SQLite has written a file next to a database that is read.
    private static func belongsToDatabase(_ file: ImportFile, in read: Set<String>) -> Bool {
        ImportFile.databaseSuffixes.contains { suffix in
            file.displayName.hasSuffix(suffix) && read.contains(String(file.displayName.dropLast(suffix.count)))
        }
    }

    /// Whether a file in a folder or an archive has another format than the input.
    private static func isOther(_ file: ImportFile, than importer: any Importer.Type, _ input: ImportInput) -> Bool {
        guard let kind = try? file.content.kind else { return false }
        if kind == .archive { return true }
        if kind == .photo { return !importer.isFallback && !importer.companions.contains(PhotosImporter.format) }
        // No export of several files contains a database.
        if kind == .database { return true }
        // An archive can contain any number of tables without records.
        let candidates = Importers.all.filter { !$0.isFallback && (!$0.isTable || input.form == .folder) }
        guard let other = try? self.importer(of: input.only(file), candidates) else { return false }
        return other.source != importer.source && !importer.companions.contains(other.format)
    }
}
