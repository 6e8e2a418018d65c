import Base
import HabitModel
import Photos

/// The time of a photo, from its EXIF data.
///
/// It is `DateTimeOriginal` with `OffsetTimeOriginal`. A missing offset follows from the GPS time. Without a GPS time,
/// the time is local. Without `DateTimeOriginal`, it is the GPS time.
struct PhotoTime {
    /// The time, or `nil` if the EXIF data does not contain it.
    private(set) var value: ImportTime?
    /// The kinds of the values that cannot be read.
    private(set) var unreadable: [UnreadableValue.Kind] = []

    /// The offsets of the world's time zones, in minutes.
    ///
    /// A larger difference means that the GPS time is too old.
    private static let offsets: ClosedRange<Int64> = -12 * 60...14 * 60

    init(_ metadata: PhotoMetadata) {
        let gps = gpsTime(metadata)
        let text = metadata.taken ?? ""
        let taken = ImportTime(Self.withHyphens(text))
        if taken == nil, !Self.isUnknown(text) { unreadable.append(.time) }
        switch taken {
        case .local(let day, let microseconds)?:
            let local = Instant(microseconds: day.startInUTC.microseconds + microseconds)
            let located = located(local, offset: metadata.offset ?? "", gps: gps)
            value = located ?? taken
        case .date?, nil: value = gps.map { instant in .instant(instant, offset: nil) }
        case .instant?, .utc?, .dated?, .writtenLater?: value = taken
        }
    }

    /// Returns the instant of a local time, or `nil` if its offset is unknown.
    private mutating func located(_ local: Instant, offset text: String, gps: Instant?) -> ImportTime? {
        switch ClockTime.Suffix(text) {
        case .utc?: return Self.instant(local, at: nil)
        case .offset(let offset)?: return Self.instant(local, at: offset)
        case nil: unreadable.append(.offset)
        case ClockTime.Suffix.none?: break
        }
        guard let gps else { return nil }
        // A GPS time is some seconds old.
        let difference = Double(local.microseconds - gps.microseconds)
        let quarters = (difference / 900_000_000).rounded()
        let minutes = Int64(quarters) * 15
        guard Self.offsets.contains(minutes) else { return nil }
        return Self.instant(local, at: UTCOffset(minutes: Int16(minutes)))
    }

    private static func instant(_ local: Instant, at offset: UTCOffset?) -> ImportTime {
        let minutes = Int64(offset?.minutes ?? 0)
        let instant = Instant(microseconds: local.microseconds - minutes * 60_000_000)
        return .instant(instant, offset: offset)
    }

    /// Returns the UTC time of the GPS position, or `nil` if it is missing or invalid.
    private mutating func gpsTime(_ metadata: PhotoMetadata) -> Instant? {
        let text = metadata.gpsDate ?? ""
        if metadata.hasUnreadableGPSTime { unreadable.append(.gpsTime) }
        guard !Self.isUnknown(text), let time = metadata.gpsTime else { return nil }
        let date = ImportTime(Self.withHyphens(text))
        let timeOfDay = Self.microsecondsOfDay(hours: time[0], minutes: time[1], seconds: time[2])
        guard let timeOfDay, case .date(let day)? = date else {
            unreadable.append(.gpsTime)
            return nil
        }
        return Instant(microseconds: day.startInUTC.microseconds + timeOfDay)
    }

    /// Returns the microseconds since midnight, or `nil` if a number is out of range.
    private static func microsecondsOfDay(
        hours: Double,
        minutes: Double,
        seconds: Double
    ) -> Int64? {
        guard (0..<24).contains(hours) else { return nil }
        guard (0..<60).contains(minutes) else { return nil }
        guard (0..<61).contains(seconds) else { return nil }
        let secondsOfDay = hours * 3600 + minutes * 60 + seconds
        // The sum has an error below a nanosecond.
        let microseconds = secondsOfDay * 1e6 + 1e-3
        return Int64(microseconds.rounded(.down))
    }

    /// Whether a text consists of blanks, separators and zeros, by which cameras mark an unknown time.
    private static func isUnknown(_ text: String) -> Bool {
        text.allSatisfy { character in character.isWhitespace || "0:-/.".contains(character) }
    }

    /// Returns a text in which the date has hyphens, such as `2026-05-01 10:15:30`.
    private static func withHyphens(_ text: String) -> String {
        let text = text.trimmed
        let date = text.prefix(10).map { character -> Character in
            ":/.".contains(character) ? "-" : character
        }
        return String(date) + text.dropFirst(10)
    }
}
