import Base
import Geo
import HabitModel

/// Training Center XML files of Garmin and other makers: activities become events.
struct TCXImporter: Importer {
    static let format = "tcx"
    static let sameDay = SameDayRule.sum
    static let isComplete = false

    static func canRead(_ input: ImportInput) throws -> Bool {
        guard let file = input.file else { return false }
        return try file.content.kind == .xml(root: "TrainingCenterDatabase")
    }

    func records(of input: ImportInput, _ receive: (ImportEntry) throws -> Void) throws {
        guard let file = input.file else { return }
        let xml = try XMLReader(try file.openText())
        var state = State(route: RouteStart(input.options))
        var activities = 0
        try xml.forEach { event in
            guard let part = try state.add(event) else { return }
            let source = SourceLocation(file: file.displayName, line: xml.line)
            switch part {
            case .activity(var workout):
                activities += 1
                workout.source = source
                try workout.send(receive)
            case .course:
                try receive(.skipped(.events, .route, source: source))
            }
        }
        if activities == 0 {
            try receive(
                .notice(ImportNotice("\(file.displayName): no activities", .advice("export activities"))))
        }
    }

    /// A part of a file.
    private enum Part {
        case activity(Workout)
        /// A planned route.
        case course
    }

    private struct State {
        private enum Target { case id, seconds, latitude, longitude }

        private var depth = 0
        private var collector = XMLTextCollector<Target>()
        /// The depth of the current activity.
        private var activityDepth: Int?
        private var lapDepth: Int?
        private var courseDepth: Int?
        /// Whether the reader is in a position of the activity that can be its first one.
        private var isPosition = false
        private var sport: String?
        private var id = ""
        private var lapStart = ""
        private var seconds: Double?
        private var latitude = ""
        private var longitude = ""
        private let emptyRoute: RouteStart
        private var route: RouteStart
        private var unreadable: [UnreadableValue] = []

        init(route: RouteStart) {
            emptyRoute = route
            self.route = route
        }

        mutating func add(_ event: XMLReader.Event) throws(HabitError) -> Part? {
            switch event {
            case .start(let tag):
                depth += 1
                begin(tag)
                return nil
            case .text(let bytes):
                try collector.add(bytes.span)
                return nil
            case .end(let tag):
                defer { depth -= 1 }
                return end(tag)
            }
        }

        private mutating func begin(_ tag: XMLTag) {
            guard let activityDepth else {
                if courseDepth == nil, tag.is("Activity") {
                    beginActivity(tag)
                } else if courseDepth == nil, tag.is("Course") {
                    courseDepth = depth
                }
                return
            }
            if depth == activityDepth + 1 {
                if tag.is("Id"), id.isEmpty { collector.begin(.id, depth: depth) }
                if tag.is("Lap") {
                    lapDepth = depth
                    if lapStart.isEmpty { lapStart = tag["StartTime"] ?? "" }
                }
            } else if let lapDepth {
                if depth == lapDepth + 1, tag.is("TotalTimeSeconds") { collector.begin(.seconds, depth: depth) }
                guard !route.isComplete else { return }
                if tag.is("Position") {
                    isPosition = true
                    latitude = ""
                    longitude = ""
                } else if isPosition {
                    if tag.is("LatitudeDegrees") { collector.begin(.latitude, depth: depth) }
                    if tag.is("LongitudeDegrees") { collector.begin(.longitude, depth: depth) }
                }
            }
        }

        private mutating func beginActivity(_ tag: XMLTag) {
            activityDepth = depth
            sport = tag["Sport"]
            id = ""
            lapStart = ""
            seconds = nil
            isPosition = false
            route = emptyRoute
            unreadable = []
        }

        private mutating func end(_ tag: XMLTag) -> Part? {
            switch collector.end(depth: depth) {
            case (.id, let text)?: id = text
            case (.seconds, let text)?:
                if let value = XMLValues.number(text), value >= 0 {
                    seconds = (seconds ?? 0) + value
                } else if !text.isEmpty {
                    unreadable.append(UnreadableValue(.duration, text))
                }
            case (.latitude, let text)?: latitude = text
            case (.longitude, let text)?: longitude = text
            case nil: break
            }
            if isPosition, tag.is("Position") {
                isPosition = false
                route.add(latitude: latitude, longitude: longitude)
            }
            if lapDepth == depth { lapDepth = nil }
            if courseDepth == depth {
                courseDepth = nil
                return .course
            }
            guard activityDepth == depth else { return nil }
            activityDepth = nil
            return .activity(workout)
        }

        private var workout: Workout {
            var workout = Workout()
            workout.sport = sport.map(Workout.title(ofSport:))
            workout.startText = id.isEmpty ? lapStart : id
            workout.start = ImportTime(id) ?? ImportTime(lapStart)
            workout.minutes = seconds.map { seconds in seconds / 60 }
            workout.unreadable = unreadable
            workout.setPosition(route)
            return workout
        }
    }
}
