import HabitIngest
import HabitModel
import HabitReport
import Rendering

/// Tells people of refused rows: the first ones in full, the others by number; and keeps all of them in a file.
final class RejectionReport {
    private static let shown = 20

    private let common: CommonOptions
    private let kinds: [RecordKind]
    private let file: RejectsFile?
    private var count = 0

    init(_ common: CommonOptions, plan: InputPlan, file: RejectsFile?) {
        self.common = common
        self.file = file
        let kinds = plan.files.map(\.kind)
        self.kinds = kinds.contains(nil) ? RecordKind.allCases : kinds.compactMap(\.self)
    }

    func add(_ rejection: Rejection) throws {
        count += 1
        if count <= Self.shown {
            if common.errors == .json {
                common.report.writeObject(
                    HabitError(
                        rejection.code, rejection.reason, field: rejection.field, file: rejection.file,
                        line: rejection.line), column: rejection.column)
            } else {
                ErrorReport.line(ErrorReport.clean(rejection.message))
            }
        }
        try file?.add(rejection, kinds: kinds)
    }

    /// Writes the file, though it be empty: an old one would be mistaken for this load's.
    func finish() throws {
        if count > Self.shown, common.errors == .text {
            ErrorReport.line("… and \(count - Self.shown) more refused; --rejects FILE keeps all of them.")
        }
        try file?.close(kinds: kinds)
    }
}

/// The refused rows of a load as a file that can be mended and loaded again.
final class RejectsFile {
    private let format: OutputFormat
    private let buffer: OutputBuffer
    private var receiver: RowReceiver?

    init(_ path: String, sharing: OutputSharing) throws {
        guard let format = OutputFormat(fileName: path), [.csv, .ndjson].contains(format) else {
            throw HabitError(.usage, "--rejects takes a file named .csv or .ndjson, not '\(path)'", field: "rejects")
        }
        self.format = format
        buffer = try OutputBuffer(to: .file(path), sharing: sharing)
    }

    func add(_ rejection: Rejection, kinds: [RecordKind]) throws {
        try open(kinds).take(rejection.row(kinds: kinds))
    }

    func close(kinds: [RecordKind]) throws {
        try open(kinds).finish()
    }

    private func open(_ kinds: [RecordKind]) throws -> RowReceiver {
        if let receiver { return receiver }
        let receiver = RowReceiver(
            try format.renderer(for: Rejection.shape(kinds: kinds), into: buffer), into: buffer)
        try receiver.begin()
        self.receiver = receiver
        return receiver
    }
}
