import Base
import Geo
import HabitModel

/// A reader of the exports of another application.
///
/// A new format is a type in its own file, and an element of ``Importers/all``.
protocol Importer: SendableMetatype {
    /// The name of the format on the command line and in the summary.
    static var format: String { get }
    /// The beginning of the IDs of the records. Formats of one application may share it.
    static var source: String { get }
    /// The rule for several entries of one habit on one day.
    static var sameDay: SameDayRule { get }
    /// Whether an input contains all entries of a user, so that a smaller sum of a day is a correction.
    ///
    /// Otherwise an input contains some entries, and the store can have the sum of several inputs.
    static var isComplete: Bool { get }
    /// Whether the format applies only if an input contains no file of another format.
    static var isFallback: Bool { get }
    /// Whether the format is a plain table, as a load reads it.
    static var isTable: Bool { get }
    /// The formats of other files that belong to an export of this format.
    static var companions: Set<String> { get }

    /// The remedy for an input without entries, as an instruction.
    static var adviceIfEmpty: String { get }

    /// Returns whether the input has the format, judged by its content and not by its name.
    ///
    /// - Throws: An error of reading the input.
    static func canRead(_ input: ImportInput) throws -> Bool

    /// Returns whether the input has words of outcomes, whose meaning the options can define.
    ///
    /// - Throws: An error of reading the input.
    static func hasOutcomeWords(_ input: ImportInput) throws -> Bool

    /// Creates an importer for one input.
    init()

    /// Reads all entries of the input.
    ///
    /// - Parameters:
    ///   - input: An input that ``canRead(_:)`` accepts, or that the user declares to have this format.
    ///   - receive: A closure that receives each entry.
    /// - Throws: An error of the complete input, or the error of `receive`.
    func records(of input: ImportInput, _ receive: (ImportEntry) throws -> Void) throws
}

extension Importer {
    static var source: String { format }
    static var sameDay: SameDayRule { .last }
    static var isComplete: Bool { true }
    static var isFallback: Bool { false }
    static var isTable: Bool { false }
    static var companions: Set<String> { [] }
    static var adviceIfEmpty: String {
        isTable ? "add a row for each entry" : "record an entry in the app and export its data again"
    }
    static func hasOutcomeWords(_ input: ImportInput) throws -> Bool { false }
}

/// The rule for several entries of one habit on one day.
enum SameDayRule {
    /// The first entry applies, even if it is not an event. The others are `duplicate`.
    case first
    /// The last entry applies, and removes the event if it is not an event itself. The others are `duplicate`.
    case last
    /// The last event applies, whatever entries that are not events follow. The others are `duplicate`.
    case any
    /// The earliest event applies, with the sum of all amounts. The others are `merged`, and an equal one is `duplicate`.
    case sum
    /// An equal event is `duplicate`, and a different one is rejected with `duplicate-key`.
    case equal
}

/// A reader of tracks, from which records without a position get one.
protocol TrackImporter: Importer {
    /// Reads the visits and the points of an input, in any order.
    func track(of input: ImportInput, _ receive: (TrackItem) throws -> Void) throws
}

/// A part of a track.
///
/// The offset is the UTC offset of the source at the point or at the start of the visit, or `nil` if the source specifies
/// only UTC.
enum TrackItem: Equatable {
    case point(Instant, Position, offset: UTCOffset? = nil)
    case visit(from: Instant, to: Instant, Position, offset: UTCOffset? = nil)
    /// A point or a visit whose values cannot be read. The text is a value of it.
    case unreadable(String)
}

/// The formats of other applications.
public enum Importers {
    /// All importers, in the order in which they are tried.
    static let all: [any Importer.Type] = [
        LoopDatabaseImporter.self, LoopCSVImporter.self, HabitBullImporter.self, HarshImporter.self,
        BeaverHabitsImporter.self,
        MatrixImporter.self, CSVImporter.self,
        PhotosImporter.self,
        GoogleAndroidImporter.self, GoogleIOSImporter.self, GoogleSemanticImporter.self, GoogleRecordsImporter.self,
        GoogleImporter.self,
        GPXImporter.self,
        OwnTracksImporter.self,
        SwarmImporter.self,
        AppleHealthImporter.self, StravaImporter.self,
        HabiticaImporter.self, HabiticaCSVImporter.self,
        DawarichImporter.self, PolarstepsImporter.self,
        KMLImporter.self, TCXImporter.self,
    ]

    /// The names of the formats, in the same order.
    public static var formats: [String] {
        all.map { importer in importer.format }
    }

    /// The names of the formats as a text.
    static var list: String { formats.joined(separator: ", ") }

    /// Returns the importer of a format, or `nil` if no format has this name.
    static func named(_ format: String) -> (any Importer.Type)? {
        all.first { importer in importer.format == format }
    }
}
