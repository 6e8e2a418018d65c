import Base
import Foundation
import HabitModel

/// An input of an import with the files in it: a file, a folder, or a ZIP archive.
public struct ImportInput {
    /// The form of an input.
    public enum Form: Sendable {
        case file, folder, archive
    }

    /// The name of the input in messages and in the summary.
    public let name: String
    /// The form of the input.
    public let form: Form
    /// The files, sorted by path in a folder, and in the order of the directory in an archive.
    public let files: [ImportFile]
    /// The options of the import.
    let options: ImportOptions

    init(name: String, form: Form, files: [ImportFile], options: ImportOptions) {
        self.name = name
        self.form = form
        self.files = files
        self.options = options
        for file in files { file.count(in: options.unpackLimit) }
        if form != .file { ImportFile.assignLogs(in: files) }
    }

    /// The file if the input is a single file, otherwise `nil`.
    var file: ImportFile? { form == .file ? files.first : nil }

    /// Returns the files with one of these names in any folder of the input, in any letter case.
    ///
    /// - Parameter names: The last components of the paths.
    /// - Returns: The files in their order.
    func files(named names: String...) -> [ImportFile] {
        let names = Set(names.map { name in name.lowercased() })
        return files.filter { file in names.contains(file.lastName.lowercased()) }
    }

    /// Finds the file with a path, in any letter case.
    ///
    /// - Parameter path: The path below the top of the input, or below any folder in it.
    /// - Returns: The file, or `nil` if it does not exist.
    func file(at path: String) -> ImportFile? {
        let path = path.lowercased()
        let atTop = files.first { file in file.name.lowercased() == path }
        if let atTop { return atTop }
        let end = "/" + path
        return files.first { file in file.name.lowercased().hasSuffix(end) }
    }

    /// Returns an input that consists of only one of the files.
    func only(_ file: ImportFile) -> ImportInput {
        ImportInput(name: file.displayName, form: .file, files: [file], options: options)
    }
}

extension ImportInput {
    /// Opens an input of the command line.
    ///
    /// - Parameters:
    ///   - path: A file, a folder, or `-` for the standard input.
    ///   - options: The options of the import.
    /// - Throws: `input-not-found`, `input-unreadable` or `archive-unreadable`.
    init(path: String, options: ImportOptions) throws {
        let isStandardInput = path == "-"
        if !isStandardInput, Self.isFolder(path) {
            let members = try Self.members(of: path)
            self.init(name: path, form: .folder, files: members, options: options)
            return
        }
        let name = isStandardInput ? "standard input" : path
        let file: RandomAccessFile
        if isStandardInput {
            file = try RandomAccessFile(standardInputNamed: name)
        } else {
            file = try RandomAccessFile(path: path, name: name, onlyRegularFile: false)
        }
        let single = ImportFile(name: name, displayName: name, .open(file))
        if try single.content.kind == .database { single.assignLogOnDisk() }
        guard try single.content.kind == .archive, try single.path != nil else {
            self.init(name: name, form: .file, files: [single], options: options)
            return
        }
        try self.init(archive: file, options: options)
    }

    /// Opens a ZIP archive.
    ///
    /// - Throws: `archive-unreadable`.
    private init(archive: RandomAccessFile, options: ImportOptions) throws {
        let entries = try ZipArchive(archive).entries.filter { entry in !Self.isIgnored(entry.name) }
        let files = entries.map { entry in
            let displayName = "\(archive.name)/\(entry.name.withoutControls)"
            return ImportFile(name: entry.name, displayName: displayName, .entry(entry, archive))
        }
        self.init(name: archive.name, form: .archive, files: files, options: options)
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        return exists && isFolder.boolValue
    }

    /// Returns the input without the archives in a folder, and then each of these archives.
    ///
    /// - Throws: `archive-unreadable` or `input-unreadable`.
    func separatingArchives() throws -> [ImportInput] {
        guard form == .folder else { return [self] }
        var archives: [ImportInput] = []
        let others = try files.filter { file in
            // A damaged file is reported when its format is recognized.
            guard (try? file.content.kind) == .archive else { return true }
            guard let path = try file.path else { return true }
            let archive = try RandomAccessFile(path: path, name: file.displayName, onlyRegularFile: true)
            archives.append(try ImportInput(archive: archive, options: options))
            return false
        }
        let withoutArchives = ImportInput(name: name, form: form, files: others, options: options)
        return [withoutArchives] + archives
    }

    /// Returns the regular files below a folder.
    ///
    /// Symbolic links are not followed, because they could lead out of the folder. Hidden files are skipped.
    private static func members(of folder: String) throws -> [ImportFile] {
        var files: [ImportFile] = []
        try addMembers(of: folder, below: "", depth: 0, to: &files)
        return files
    }

    private static func addMembers(
        of folder: String,
        below prefix: String,
        depth: Int,
        to files: inout [ImportFile]
    ) throws {
        guard depth < folderDepth else { return }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw HabitError(
                .inputUnreadable,
                "you have no permission to read the folder '\(folder)': change its permissions",
                file: folder)
        }
        for name in names.sorted() where !isIgnored(name) {
            let path = folder.hasSuffix("/") ? folder + name : folder + "/" + name
            var status = stat()
            guard lstat(path, &status) == 0 else {
                if let other = InvalidUTF8.name(inFolder: folder) {
                    throw HabitError.notUTF8(other, inFolder: folder)
                }
                continue
            }
            let member = prefix + name
            switch status.st_mode & S_IFMT {
            case S_IFDIR: try addMembers(of: path, below: member + "/", depth: depth + 1, to: &files)
            case S_IFREG: files.append(ImportFile(name: member, displayName: path, .path(path)))
            default: break
            }
        }
    }

    private static let folderDepth = 32

    /// Whether a path is hidden or contains the metadata of macOS.
    private static func isIgnored(_ path: String) -> Bool {
        path.split(separator: "/").contains { name in
            let isHidden = name.hasPrefix(".") && name != "." && name != ".."
            return isHidden || name == "__MACOSX"
        }
    }
}
