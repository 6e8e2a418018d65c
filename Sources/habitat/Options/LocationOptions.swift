import ArgumentParser
import Base
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
            "Center of the search: LATITUDE,LONGITUDE, a large city, or 'last' for the position of your newest located event.",
            valueName: "position"), completion: .position)
    var near: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Maximum distance with a unit, such as 800m (default: \(Near.defaultDistance)).", valueName: "distance"),
        completion: .anyText)
    var within: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Bounding box in degrees; west may be greater than east.", valueName: "w,s,e,n"), completion: .anyText)
    var bbox: String?

    @OptionGroup var area: AreaOption

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Order of rows: newest (default), distance (requires --near), or stored (storage order, the fastest for large results).",
            valueName: "order"))
    var sort: SortOrder?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Maximum number of rows.", valueName: "number"),
        completion: .anyText)
    var limit: Int?

    /// Whether the options select the rows in an area.
    var selectsArea: Bool { near != nil || bbox != nil || area.file != nil }

    func near(for viewer: Viewer, in session: any Session) throws -> Near? {
        guard let near else {
            guard within == nil else {
                throw HabitError(
                    .usage, "--within requires a position: pass --near LATITUDE,LONGITUDE", field: "within")
            }
            guard sort != .distance else {
                throw HabitError(
                    .usage, "--sort distance requires a position: pass --near LATITUDE,LONGITUDE", field: "sort")
            }
            return nil
        }
        return Near(
            center: try viewer.position(near, field: "near", places: .commandLine, in: session),
            within: try within.map { try Parse.distance($0, field: "within") } ?? Near.defaultDistance)
    }

    func box() throws -> BoundingBox? { try bbox.map(Parse.box) }
    func rowLimit() throws -> Int? { try Parse.count(limit, option: "limit") }
}
