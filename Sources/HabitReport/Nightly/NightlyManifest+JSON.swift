import Base
import Foundation
import HabitModel

extension NightlyManifest {
    /// The maximum size of a manifest in bytes, which is enough for 200,000 files.
    static let mostBytes = 1 << 26

    /// Reads the manifest of the nightly run in `folder`.
    ///
    /// The manifest may come from an untrusted source, so its form is validated completely. Unknown members are
    /// ignored, because later versions of the program may add members.
    ///
    /// - Parameter folder: The folder of the run.
    /// - Throws: `input-not-found` if the folder has no manifest; `field-invalid` or `input-unreadable` with the path
    ///   of the manifest.
    public init(inFolder folder: String) throws {
        let file = folder + "/" + Self.name
        guard access(file, F_OK) == 0 else {
            throw HabitError(
                .inputNotFound, "the folder contains no \(Self.name): choose the folder of a nightly run", file: folder)
        }
        guard let bytes = try NightlyFileReader(file).contents(most: Self.mostBytes) else {
            throw Self.invalid(file, "it has more than \(Self.mostBytes) bytes", field: nil)
        }
        do {
            self = try JSONDecoder().decode(Content.self, from: Data(bytes)).manifest()
        } catch let fault as Fault {
            throw Self.invalid(file, fault.description, field: fault.field)
        } catch let error as DecodingError {
            throw Self.invalid(file, "it is not the JSON document of a manifest", field: error.field)
        } catch {
            throw Self.invalid(file, "it is not the JSON document of a manifest", field: nil)
        }
    }

    /// The manifest as JSON, with the files and the members sorted by name.
    ///
    /// Equal manifests produce equal bytes.
    var json: [UInt8] {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
            return Array(try encoder.encode(Content(self))) + [UInt8(ascii: "\n")]
        }
    }

    private static func invalid(_ file: String, _ fault: String, field: String?) -> HabitError {
        HabitError(
            .fieldInvalid, "the manifest is invalid (\(fault)): repeat the nightly run", field: field,
            file: file)
    }

    private struct Fault: Error {
        let field: String
        let description: String
    }

    /// The JSON of a manifest.
    ///
    /// Decoding checks only the types of the members.
    private struct Content: Codable {
        let date: String
        let time_zone: String
        let habitat: String
        let every: String?
        let input: [String: String]?
        let preliminary: [String]?
        let alerts: [AlertContent]?
        let figures: [String: Int]?
        let files: [FileContent]

        init(_ manifest: NightlyManifest) {
            date = manifest.date.description
            time_zone = manifest.timeZone
            habitat = manifest.habitat
            every = manifest.period.rawValue
            input = manifest.input
            preliminary = manifest.preliminary
            alerts = manifest.alerts.map(AlertContent.init)
            figures = manifest.figures.isEmpty ? nil : manifest.figures
            files = manifest.files.sorted { first, second in
                first.name.utf8.lexicographicallyPrecedes(second.name.utf8)
            }
            .map(FileContent.init)
        }

        func manifest() throws -> NightlyManifest {
            guard let day = Day(date) else { throw Fault(field: "date", description: "its date is invalid") }
            let files = try files.map { try $0.file() }
            guard Set(files.map { Array($0.name.utf8) }).count == files.count else {
                throw Fault(field: "files", description: "it lists a file twice")
            }
            var manifest = NightlyManifest(date: day, timeZone: time_zone, habitat: habitat, files: files)
            manifest.input = input ?? [:]
            manifest.preliminary = preliminary ?? []
            guard let period = NightlyPeriod(rawValue: every ?? NightlyPeriod.day.rawValue) else {
                throw Fault(field: "every", description: "its period is unknown")
            }
            manifest.period = period
            manifest.alerts = try alerts?.map { try $0.alert() } ?? []
            manifest.figures = figures ?? [:]
            return manifest
        }
    }

    private struct AlertContent: Codable {
        let report: String
        let key: String
        let message: String
        let raised: String

        init(_ alert: NightlyAlert) {
            report = alert.report
            key = alert.key
            message = alert.message
            raised = alert.raised.description
        }

        func alert() throws -> NightlyAlert {
            guard let raised = Day(raised) else { throw Fault(field: "raised", description: "a date is invalid") }
            return NightlyAlert(report: report, key: key, message: message, raised: raised)
        }
    }

    private struct FileContent: Codable {
        let name: String
        let sha256: String
        let bytes: Int
        let rows: Int?
        let report: String?
        let format: String
        let key: [String]
        let parameters: [String: String]

        init(_ file: NightlyManifest.File) {
            name = file.name
            sha256 = file.sha256
            bytes = file.bytes
            rows = file.rows
            report = file.report
            format = file.format
            key = file.key
            parameters = file.parameters
        }

        func file() throws -> NightlyManifest.File {
            guard NightlyManifest.isFileName(name) else {
                throw Fault(field: "name", description: "it lists an invalid file name")
            }
            guard sha256.wholeMatch(of: /[0-9a-f]{64}/) != nil else {
                throw Fault(field: "sha256", description: "a digest is not 64 hexadecimal digits")
            }
            guard bytes >= 0, rows ?? 0 >= 0 else {
                throw Fault(field: "bytes", description: "a size is negative")
            }
            var file = NightlyManifest.File(name, report: report, format: format, key: key, parameters: parameters)
            file.sha256 = sha256
            file.bytes = bytes
            file.rows = rows
            return file
        }
    }
}

extension DecodingError {
    /// The name of the innermost member that is invalid, or `nil` if no member is known.
    fileprivate var field: String? {
        switch self {
        case .keyNotFound(let key, _): key.stringValue
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            context.codingPath.last { $0.intValue == nil }?.stringValue
        @unknown default: nil
        }
    }
}
