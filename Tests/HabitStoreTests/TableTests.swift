import Base
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitStore

/// Tests that the declarations of the tables match the schema, the fields of files and each other.
@Suite struct TableTests {
    /// The doctor checks the value of every column that contains a date or an instant.
    @Test func doctorChecksAllDaysAndInstants() {
        func stored(_ isIncluded: (String) -> Bool) -> [String] {
            RecordKind.allCases.flatMap { kind in
                kind.storedColumns.filter(isIncluded).map { "\(kind.table).\($0)" }
            }.sorted()
        }
        #expect(
            RecordChecks.dayColumns.map { $0.column.text }.sorted() == stored { $0 == "day" || $0.hasSuffix("_day") })
        #expect(RecordChecks.instantColumns.map { $0.instant.text }.sorted() == stored { $0.hasSuffix("_at") })
        #expect(RecordChecks.instantColumns.map { $0.offset.text }.sorted() == stored { $0.hasSuffix("_offset") })
    }

    private static let views = ReportViews.Terms(itemState: "'available'", optimizationFence: "")

    @Test(arguments: RecordKind.allCases) func declaredColumnsMatchSchema(kind: RecordKind) throws {
        let store = try TestStore()
        try store.engine.read { session in
            let statement = try session.prepare("SELECT * FROM \(kind.table)")
            let others = ["id", "version"]
            let columns = try statement.columnNames.filter { name in !others.contains(name) }
            #expect(columns.sorted() == kind.storedColumns.sorted())
        }
    }

    /// The instant of an event contains its offset.
    @Test(arguments: RecordKind.allCases) func filesHaveFieldsOfKind(kind: RecordKind) {
        let projection = Projection(files: ExportSource(kind).columns, kind)
        #expect(projection.shape.columns.map(\.name) == kind.fields.filter { $0 != .utcOffset }.map(\.name))
    }

    /// Every user of a public collection sees these columns.
    ///
    /// A new one is a decision about privacy.
    @Test(arguments: [
        (RecordKind.habits, "days id period_days symbol times tint title user"),
        (.events, "amount at comment day habit has_photo id latitude longitude outcome title unplanned user"),
        (.items, "description expires has_photo id latitude longitude name posted_at state user"),
        (.posts, "caption has_photo id latitude longitude posted_at user"),
    ])
    func publicColumnsAreKnown(kind: RecordKind, columns: String) {
        #expect(kind.publicColumns.sorted().joined(separator: " ") == columns)
    }

    @Test func listsAndViewsHaveSameColumns() throws {
        let store = try TestStore()
        try store.engine.read { session in
            let views = ReportViews.views(
                Visibility(viewer: .operator),
                dialect: session.dialect,
                terms: Self.views)
            for (kind, name) in [
                (RecordKind.events, "events"), (.items, "items"), (.posts, "posts"), (.habits, "habits"),
                (.pauses, "pauses"),
            ] {
                let view = try #require(views.first { $0.name == name })
                let list = ExportSource(kind).columns.of(.lists).flatMap(\.names)
                #expect(view.columns.map(\.name) == list)
            }
        }
    }

    /// A filter that folds a text compares the folded text of the store.
    @Test(arguments: RecordKind.allCases) func storedFoldedTextIsDeclared(kind: RecordKind) throws {
        for stored in kind.storedColumns where stored.hasSuffix("_folded") {
            let name = stored.dropLast("_folded".count)
            let column = try #require(ExportSource(kind).columns.first { column in column.name == name })
            guard case .expression(let folded, _)? = column.folded else {
                Issue.record("\(kind.table).\(stored) is not declared")
                continue
            }
            #expect(folded.text == "\(kind.table).\(stored)")
        }
    }
}
