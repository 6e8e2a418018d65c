import Base
import Geo
import HabitModel

/// The export of Apple Health: workouts become events.
///
/// All other data is ignored.
struct AppleHealthImporter: Importer {
    static let format = "apple-health"
    static let companions: Set<String> = [GPXImporter.format, PhotosImporter.format]
    static let sameDay = SameDayRule.sum

    static func canRead(_ input: ImportInput) throws -> Bool { try !documents(of: input).isEmpty }

    /// Returns the XML documents with health data, whose names depend on the language of the phone.
    private static func documents(of input: ImportInput) throws -> [ImportFile] {
        let candidates: [ImportFile]
        if let file = input.file {
            candidates = [file]
        } else {
            candidates = input.files.filter { file in file.fileExtension == "xml" }
        }
        return try candidates.filter { file in
            try file.content.kind == .xml(root: "HealthData")
        }
    }

    func records(of input: ImportInput, _ receive: (ImportEntry) throws -> Void) throws {
        let routes = GPXFiles(input)
        var missing = 0
        for file in try Self.documents(of: input) {
            var count = 0
            let xml = try XMLReader(try AppleHealthText.open(file))
            var state = State(route: RouteStart(input.options))
            try xml.forEach { event in
                guard let element = state.add(event) else { return }
                count += 1
                var workout = element.workout
                workout.source = SourceLocation(file: file.displayName, line: xml.line)
                var route = element.route
                let files = element.routes.compactMap { path in routes[path] }
                for file in files where !route.isComplete {
                    try GPXReader.addFirstPositions(in: file, to: &route)
                }
                workout.setPosition(route)
                if workout.position == nil, files.count < element.routes.count { missing += 1 }
                try workout.send(receive)
            }
            if count == 0 {
                try receive(
                    .notice(
                        ImportNotice(
                            "\(file.displayName): no workouts", .advice("record workouts and export the data again"))))
            }
        }
        if missing > 0 {
            let workouts = missing == 1 ? "1 workout has" : "\(missing) workouts have"
            try receive(
                .notice(
                    ImportNotice(
                        "\(workouts) a route in a file that is not in the input, and therefore no position",
                        .advice("import the complete export"))))
        }
    }

    /// A `Workout` element.
    private struct Element {
        var type = ""
        var start = ""
        var end = ""
        var duration: String?
        var durationUnit: String?
        /// The IANA time zone of the workout, or `nil` if the export does not contain it.
        var zone: String?
        /// The beginning of the route in the document.
        var route: RouteStart
        /// The paths of the files with the route.
        var routes: [String] = []

        init(_ tag: XMLTag, _ route: RouteStart) {
            self.route = route
            type = tag["workoutActivityType"] ?? ""
            start = tag["startDate"] ?? ""
            end = tag["endDate"] ?? ""
            duration = tag["duration"]
            durationUnit = tag["durationUnit"]
        }

        var workout: Workout {
            var workout = Workout()
            let prefix = "HKWorkoutActivityType"
            let sport = type.hasPrefix(prefix) ? String(type.dropFirst(prefix.count)) : type
            workout.sport = Workout.title(ofSport: sport)
            workout.startText = start
            let time = Self.time(start)
            workout.start = time
            if let zone = zone?.trimmed, !zone.isEmpty, let instant = time?.instant {
                if let placed = ImportTime.instant(instant, offset: nil).placed(in: zone) {
                    workout.start = placed
                } else {
                    workout.unreadable.append(UnreadableValue(.timeZone, zone))
                }
            }
            workout.minutes = minutes ?? Workout.minutes(from: time, to: Self.time(end))
            if let text = unreadableDuration {
                workout.unreadable.append(UnreadableValue(.duration, text))
            }
            return workout
        }

        /// The text of a duration that is malformed or has an unknown unit, otherwise `nil`.
        private var unreadableDuration: String? {
            guard minutes == nil else { return nil }
            let text = [duration, durationUnit].compactMap(\.self).joined(separator: " ")
            if duration?.trimmed.isEmpty == false { return text }
            // The end replaces a missing duration.
            return end.trimmed.isEmpty || Self.time(end) != nil ? nil : end
        }

        /// The duration, or `nil` if it is missing or its unit is unknown.
        private var minutes: Double? {
            guard let duration, let value = XMLValues.number(duration), value >= 0 else { return nil }
            return switch durationUnit?.trimmed.lowercased() {
            case "min", nil: value
            case "s", "sec": value / 60
            case "ms": value / 60_000
            case "h", "hr": value * 60
            case "d", "day": value * 1440
            default: nil
            }
        }

        /// Parses `2026-06-01 08:30:00 +0100`, which some phones write with the time on a 12-hour clock.
        private static func time(_ text: String) -> ImportTime? {
            ImportTime(text) ?? LocalizedTime.time(text, pattern: nil)
        }
    }

    private struct State {
        private let emptyRoute: RouteStart
        private var depth = 0
        private var element: Element?
        private var isRoute = false

        init(route: RouteStart) { emptyRoute = route }

        /// Processes an XML event, and returns the workout if the event is the end of its element.
        mutating func add(_ event: XMLReader.Event) -> Element? {
            switch event {
            case .start(let tag):
                depth += 1
                if depth == 2, tag.is("Workout") {
                    element = Element(tag, emptyRoute)
                } else if element != nil {
                    begin(tag)
                }
            case .end:
                defer { depth -= 1 }
                if depth == 3 { isRoute = false }
                if depth == 2, let element {
                    self.element = nil
                    return element
                }
            case .text: break
            }
            return nil
        }

        /// Processes the start of an element within a workout.
        private mutating func begin(_ tag: XMLTag) {
            if depth == 3 {
                isRoute = tag.is("WorkoutRoute")
                if tag.is("MetadataEntry"), tag["key"] == "HKTimeZone" { element?.zone = tag["value"] }
            } else if isRoute, depth == 4 {
                if tag.is("FileReference"), let path = tag["path"] { element?.routes.append(path) }
                if tag.is("Location"), element?.route.isComplete == false {
                    element?.route.add(latitude: tag["latitude"], longitude: tag["longitude"])
                }
            }
        }
    }
}

/// The text of an export of Apple Health, without the mistakes of some versions of iOS.
private enum AppleHealthText {
    /// Opens a document.
    ///
    /// Spaces replace the document type declaration, which iOS 16 writes with syntax errors, and control characters,
    /// which XML forbids. Lines keep their numbers.
    static func open(_ file: ImportFile) throws -> ByteSource {
        let source = try file.openText()
        var head = try start(of: source)
        let isWide = head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF])
        if !isWide, let range = documentType(in: head) {
            for index in range where !isLineEnd(head[index]) { head[index] = space }
        }
        var offset = 0
        return ByteSource(name: source.name, totalBytes: source.totalBytes, mayBeCompressed: false) { buffer in
            var count = buffer.copyBeginning(of: head[offset...])
            offset += count
            if count == 0 { count = try source.read(into: &buffer) }
            if !isWide {
                buffer.withUnsafeMutableBytes { bytes in
                    for index in 0..<count where isControl(bytes[index]) { bytes[index] = space }
                }
            }
            return count
        }
    }

    /// Reads the beginning of a document, which contains the document type declaration.
    private static func start(of source: ByteSource) throws -> [UInt8] {
        var head: [UInt8] = []
        var block = [UInt8](repeating: 0, count: ImportFile.headSize)
        while head.count < ImportFile.headSize {
            let count = try source.read(into: &block)
            if count == 0 { break }
            head.append(contentsOf: block[..<count])
        }
        return head
    }

    /// Returns the range of the document type declaration.
    ///
    /// Returns `nil` if the declaration is missing, or if it declares entities, which the XML reader rejects.
    private static func documentType(in head: [UInt8]) -> Range<Int>? {
        guard let start = head.firstRange(of: Array("<!DOCTYPE".utf8))?.lowerBound,
            let root = head.firstRange(of: Array("<HealthData".utf8))?.lowerBound, start < root
        else { return nil }
        var depth = 0
        for index in start..<root {
            switch head[index] {
            case UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ">") where depth <= 0:
                let range = start..<index + 1
                return head[range].firstRange(of: Array("<!ENTITY".utf8)) == nil ? range : nil
            default: break
            }
        }
        return nil
    }

    private static let space = UInt8(ascii: " ")

    private static func isLineEnd(_ byte: UInt8) -> Bool { byte == ASCII.lineFeed || byte == ASCII.carriageReturn }

    private static func isControl(_ byte: UInt8) -> Bool {
        byte < 0x20 && byte != 0x09 && byte != ASCII.lineFeed && byte != ASCII.carriageReturn
    }
}
