import Base
import HabitModel

/// The file `trip.json` of the data export of Polarsteps.
///
/// Each step becomes a post.
struct PolarstepsImporter: Importer {
    static let format = "polarsteps"

    static func canRead(_ input: ImportInput) throws -> Bool {
        guard let file = input.file else { return false }
        return try file.outline(ofArray: "all_steps") != nil
    }

    func records(of input: ImportInput, _ receive: (ImportEntry) throws -> Void) throws {
        guard let file = input.file else { return }
        let json = try JSONElements(try file.openText())
        try json.forEach(at: ["all_steps"]) { step in
            let source = SourceLocation(file: file.displayName, line: json.line, entry: json.number)
            let caption = Self.caption(step)
            if step["is_deleted"]?.truth == true {
                return try receive(.skipped(.posts, .deleted, note: caption, source: source))
            }
            let location = step["location"]
            let zone = step["timezone_id"]?.anyText ?? ""
            let time = EntryTime(step["start_time"])
            let position = EntryPosition(
                latitude: location?["lat"],
                longitude: location?["lon"],
                input.options)
            let place = PlaceEntry(
                time: time.at(zone: zone),
                position: position,
                caption: caption,
                id: step["id"]?.identifier,
                source: source)
            let entry = place.entry
            try receive(entry)
            if entry.isPost, !time.canBePlaced(in: zone) {
                try receive(.unreadable(UnreadableValue(.timeZone, zone)))
            }
        }
    }

    /// Returns the name and the description of a step.
    private static func caption(_ step: JSONNode) -> String {
        let name = step["name"]?.text?.trimmed ?? ""
        let title = name.isEmpty ? step["display_name"]?.text : name
        return joined(title, step["description"]?.text)
    }
}
