import ArgumentParser
import Geo
import HabitModel
import HabitStore
import StoreEngine

/// The spatial filter, the sort order and the row limit.
///
/// Lists of events, items and posts have the same options.
struct LocationOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Only what lies near LATITUDE,LONGITUDE, or near your newest located event (last).", valueName: "position"))
    var near: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How near: a number with a unit (default: \(Near.defaultDistance)).", valueName: "distance"))
    var within: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Only what lies in this box, in degrees; west may be greater than east.", valueName: "w,s,e,n"))
    var bbox: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "newest (default), distance, which needs --near, or stored: as they lie in the store, the fastest for many.",
            valueName: "order"))
    var sort: SortOrder?

    @Option(parsing: .unconditional, help: ArgumentHelp("At most this many rows.", valueName: "number"))
    var limit: Int?

    func near(for viewer: Viewer, in session: any Session) throws -> Near? {
        guard let near else {
            guard within == nil else {
                throw HabitError(
                    .usage, "--within needs a place: give one with --near LATITUDE,LONGITUDE", field: "within")
            }
            guard sort != .distance else {
                throw HabitError(
                    .usage, "--sort distance needs a place: give one with --near LATITUDE,LONGITUDE", field: "sort")
            }
            return nil
        }
        return Near(
            center: try viewer.position(near, option: "near", in: session),
            within: try within.map { try Parse.distance($0, option: "within") } ?? Near.defaultDistance)
    }

    func box() throws -> BoundingBox? { try bbox.map(Parse.box) }
    func rowLimit() throws -> Int? { try Parse.count(limit, option: "limit") }
}
