import Base
import CommandLineText
import HabitIngest
import HabitModel
import HabitReport
import Rendering
import StoreEngine

/// Reports rejected rows: the first 20 rows, the number of further rows, and all rows in the file of `--rejects`.
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
        if count <= Self.shown { show(rejection) }
        try file?.add(rejection.row(kinds: kinds), kinds: kinds)
    }

    private func show(_ rejection: Rejection) {
        let reason = rejection.error?.commandText ?? rejection.reason
        if common.errors == .json {
            return common.report.writeObject(
                HabitError(
                    rejection.code, reason, field: rejection.field, parameters: rejection.parameters,
                    file: rejection.file, line: rejection.line, column: rejection.column))
        }
        ErrorReport.line(ErrorReport.clean(rejection.message(reason)))
    }

    /// Prints the number of further rows and writes the file of rejected rows.
    ///
    /// The file is written even if no row was rejected. Otherwise the user could mistake an old file for the result of
    /// this load.
    func finish() throws {
        if count > Self.shown, common.errors == .text {
            let rest = count - Self.shown
            let remedy = file == nil ? ": pass --rejects FILE to write all of them to a file." : "."
            ErrorReport.line("… and \(rest) more rejected \(rest == 1 ? "row" : "rows")\(remedy)")
        }
        try file?.close(kinds: kinds)
    }
}

/// The rejected rows of a load as a file that the user can correct and load again.
final class RejectsFile {
    private let format: OutputFormat
    private let buffer: OutputBuffer
    private var receiver: RowReceiver?

    init(_ path: String, sharing: OutputSharing) throws {
        guard let format = OutputFormat(fileName: path), [.csv, .ndjson].contains(format) else {
            throw HabitError(
                .usage, "'\(path)' is not a file for rejected rows: use the file name extension .csv or .ndjson",
                field: "rejects")
        }
        self.format = format
        buffer = try OutputBuffer(to: .file(path), sharing: sharing)
    }

    func add(_ row: ValueRow, kinds: [RecordKind]) throws {
        try open(kinds).append(row)
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
