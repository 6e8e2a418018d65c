import ArgumentParser
import HabitReport
import HabitStore
import Rendering
import StoreEngine

extension ReportCommands {
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Describe a report: parameters, columns and SQL.",
            discussion: """
                Examples:
                  habitat report show near
                  habitat report show completion --format json
                """)

        @Argument(
            help: ArgumentHelp("ID of the report, or a file that ends in .sql.", valueName: "id|file"),
            completion: .report)
        var id: String
        @OptionGroup var reports: ReportOptions
        @OptionGroup(title: OutputOptions.title) var output: OutputOptions
        @OptionGroup(title: CommonOptions.title) var common: CommonOptions

        func run() throws {
            try output.refuseExplanation()
            let report = try reports.catalog().find(id)
            if try output.chosenFormat() == .text { try showText(report) } else { try showData(report) }
        }

        private func showText(_ report: Report) throws {
            try output.showText(common) { page in
                page.add("\(report.title)\n\n")
                page.add(paragraph: report.description)
                if !report.parameters.isEmpty {
                    page.add(
                        definitions: report.parameters.map {
                            ("--\($0.optionName) \($0.valueName)", "\($0.meaning) (\($0.needText))")
                        }, title: "Parameters")
                }
                let columns = report.columns.map { column in
                    let type = [column.kind.rawValue, column.unit].compactMap(\.self).joined(separator: ", ")
                    return (column.name, "\(column.meaning) (\(type))")
                }
                page.add(definitions: columns, title: "Columns")
                page.add("\nFormats: \(report.formats.map(\.rawValue).joined(separator: ", "))\n")
                page.add("Example: habitat report run \(id) \(report.example)\n")
                page.add("File: \(report.isShipped ? "built in" : report.file)\n")
                page.add("\n\(report.sql)\n")
            }
        }

        private func showData(_ report: Report) throws {
            let parameters = report.parameters.map { parameter in
                ValueRow([
                    .text("--\(parameter.optionName) \(parameter.valueName)"), .text(parameter.needValue),
                    .text(parameter.meaning),
                ])
            }
            let columns = report.columns.map { column in
                ValueRow([
                    .text(column.name), .text(column.kind.rawValue), .text(column.unit), .text(column.meaning),
                ])
            }
            func json(_ rows: [ValueRow], _ shape: ResultShape) throws -> Value {
                .text(String(decoding: try NDJSONRenderer.array(rows, shape), as: UTF8.self))
            }
            let values: [(name: String, type: Column.Value, value: Value)] = [
                ("id", .text, .text(report.id)),
                ("title", .text, .text(report.title)),
                ("description", .text, .text(report.description)),
                ("parameters", .json, try json(parameters, Self.parameterShape)),
                ("columns", .json, try json(columns, Self.columnShape)),
                ("formats", .text, .text(report.formats.map(\.rawValue).joined(separator: " "))),
                ("nightly", .text, .text(report.nightly.map(\.rawValue).joined(separator: " "))),
                ("example", .text, .text(report.example)),
                ("file", .text, .text(report.isShipped ? nil : report.file)),
                ("sql", .text, .text(report.sql)),
            ]
            let columnsOfReport = values.enumerated().map { index, member in
                Column(member.name, member.type, at: index)
            }
            let row = ValueRow(values.map(\.value))
            try output.show(common, whenEmpty: "", single: true) { begin in
                let receiver = try begin(ResultShape(columns: columnsOfReport))
                try receiver.append(row)
            }
        }

        private static let parameterShape = ResultShape(columns: [
            Column("parameter", .text, at: 0), Column("default", .text, at: 1), Column("meaning", .text, at: 2),
        ])

        private static let columnShape = ResultShape(columns: [
            Column("column", .text, at: 0), Column("type", .text, at: 1), Column("unit", .text, at: 2),
            Column("meaning", .text, at: 3),
        ])
    }
}

extension ReportParameter {
    /// A text that describes the default value, or whether the parameter is required.
    fileprivate var needText: String {
        if case .default(let text) = need { "default: \(text)" } else { needValue }
    }

    fileprivate var needValue: String {
        switch need {
        case .required: "required"
        case .optional: "optional"
        case .default(let text): text
        }
    }
}
