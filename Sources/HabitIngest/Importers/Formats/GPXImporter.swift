import Base
import Geo
import HabitModel

/// GPX files: waypoints become posts, and tracks can become events.
struct GPXImporter: TrackImporter {
    static let format = "gpx"
    static let sameDay = SameDayRule.sum
    static let isComplete = false

    static func canRead(_ input: ImportInput) throws -> Bool {
        guard let file = input.file else { return false }
        return try file.content.kind == .xml(root: "gpx")
    }

    func records(of input: ImportInput, _ receive: (ImportEntry) throws -> Void) throws {
        guard let file = input.file else { return }
        let createsEvents = input.options.createsTrackEvents
        var counts = Counts()
        var track = RecordedTrack(input.options)
        try GPXReader.forEach(in: file, points: createsEvents ? .all : .none) { part, source in
            switch part {
            case .waypoint(let node):
                let entry = Self.entry(node, source)
                counts.waypoints += 1
                if case .post(let post) = entry, post.time?.instant != nil { counts.records += 1 }
                try receive(entry)
            case .route:
                counts.routes += 1
                try receive(.skipped(.posts, .route, source: source))
            case .point(let position, let time): track.add(position, time)
            case .unreadablePoint(let text): try receive(.unreadable(UnreadableValue(.trackPoint, text)))
            case .track(let type):
                let recorded = track
                track = RecordedTrack(input.options)
                counts.tracks += 1
                if type == nil { counts.tracksWithoutType += 1 }
                guard createsEvents, let type else {
                    return try receive(.skipped(.events, .track, source: source))
                }
                let workout = recorded.workout(type, source)
                if case .event = workout.entry { counts.records += 1 }
                try workout.send(receive)
            }
        }
        guard counts.records == 0 else { return }
        let hasTimes = try counts.tracks > 0 && Self.hasTimes(file)
        try receive(.notice(counts.notice(file.displayName, createsEvents: createsEvents, hasTimes: hasTimes)))
    }

    /// Whether a track of the file has a point with a time.
    private static func hasTimes(_ file: ImportFile) throws -> Bool {
        struct Found: Error {}
        do {
            try GPXReader.forEach(in: file, points: .all) { part, _ in
                if case .point(_, _?) = part { throw Found() }
            }
        } catch is Found {
            return true
        }
        return false
    }

    /// The numbers of the parts of a file.
    private struct Counts {
        var waypoints = 0
        var routes = 0
        var tracks = 0
        /// The number of tracks without a type, which cannot become events.
        var tracksWithoutType = 0
        /// The number of events, and of posts with a time.
        var records = 0

        /// The notice for a file without records.
        ///
        /// It offers only remedies that can help.
        func notice(_ name: String, createsEvents: Bool, hasTimes: Bool) -> ImportNotice {
            var notice = ImportNotice("\(name): \(summary)")
            if tracks > 0, !hasTimes {
                notice.message += ", and no points of tracks with a time"
            } else if tracks > 0, tracksWithoutType == tracks {
                notice.message += ", and no tracks with a type"
            }
            if hasTimes { notice.remedies.append(.give(.placesFrom)) }
            // A track without a type names no habit.
            let namesHabit = tracks > tracksWithoutType
            if hasTimes, !createsEvents, namesHabit { notice.remedies.append(.give(.tracks)) }
            let lacksTimes = tracks > 0 && !hasTimes
            if waypoints > 0 || lacksTimes {
                notice.remedies.append(.advice("export waypoints or tracks with their times"))
            }
            return notice
        }

        /// The words for the parts of a file without records.
        private var summary: String {
            var parts: [String] = []
            if tracks > 0 { parts.append(Self.words(tracks, "track")) }
            if routes > 0 { parts.append(Self.words(routes, "route")) }
            if waypoints > 0 { parts.append(Self.words(waypoints, "waypoint")) }
            if parts.isEmpty { return "no waypoints" }
            return parts.joined(separator: ", ") + ", but no waypoints with a time"
        }

        private static func words(_ count: Int, _ noun: String) -> String {
            count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
        }
    }

    /// Sends the points of the tracks that have a time.
    func track(of input: ImportInput, _ receive: (TrackItem) throws -> Void) throws {
        guard let file = input.file else { return }
        try GPXReader.forEach(in: file, points: .all) { part, _ in
            switch part {
            case .point(let position, .instant(let instant, let offset)?):
                try receive(.point(instant, position, offset: offset))
            case .unreadablePoint(let text): try receive(.unreadable(text))
            case .point, .waypoint, .route, .track: break
            }
        }
    }

    /// Returns the post of a waypoint.
    private static func entry(_ node: XMLNode, _ source: SourceLocation) -> ImportEntry {
        let latitude = node.attributes["lat"]
        let longitude = node.attributes["lon"]
        var caption = node.text(of: "name") ?? node.text(of: "desc")
        if caption == nil { caption = node.text(of: "cmt") }
        let text = "\(latitude ?? ""), \(longitude ?? "")"
        var post = ImportedPost(caption: caption ?? "", source: source)
        post.position = XMLValues.position(latitude: latitude, longitude: longitude)
        let time = node.text(of: "time")
        if let time { post.time = ImportTime(time, isUTC: true) }
        guard post.position != nil else {
            let error = XMLValues.positionInvalid(text)
            return .rejected(RejectedEntry(post, error, original: joined(text, caption)))
        }
        if let time, post.time == nil {
            let error = XMLValues.instantInvalid(time)
            return .rejected(RejectedEntry(post, error, original: joined(time, text, caption)))
        }
        return .post(post)
    }
}

/// The beginning and the end of a track, by its points with a time.
private struct RecordedTrack {
    private var route: RouteStart
    private var first: ImportTime?
    private var last: ImportTime?

    init(_ options: ImportOptions) { route = RouteStart(options) }

    mutating func add(_ position: Position, _ time: ImportTime?) {
        guard let time else { return }
        first = first ?? time
        last = time
        route.add(position)
    }

    /// Returns the workout of the complete track.
    func workout(_ type: String, _ source: SourceLocation) -> Workout {
        var workout = Workout()
        workout.sport = type.prefix(1).uppercased() + type.dropFirst()
        workout.start = first
        workout.minutes = Workout.minutes(from: first, to: last)
        if workout.minutes == nil, first != nil {
            // The last point precedes the first one.
            workout.unreadable.append(UnreadableValue(.duration, in: source.file ?? ""))
        }
        workout.setPosition(route)
        workout.source = source
        return workout
    }
}
