import Base
import HabitModel
import HabitStore

/// The options of a load.
public struct LoadOptions: Sendable {
    /// The format of all inputs, or `nil` to detect the format of each input from its content.
    public var format: InputFormat?
    /// The handling of records that the store contains with other values.
    public var policy = ConflictPolicy.update
    /// The handling of positions at 0, 0.
    public var nullIsland = NullIslandPolicy.keep
    /// Whether an input with unknown columns or members ends the load with an error.
    public var strictColumns = false
    /// Whether the load accepts inputs without any content.
    public var allowsEmpty = false
    /// Whether a single rejected row prevents the commit, so that nothing is stored.
    public var isStrict = false
    /// The maximum number of rejected rows.
    ///
    /// If there are more, nothing is stored. `nil` disables the limit.
    public var maxRejects: Int?
    /// The form of tables of other programs, or `nil` for the form of the program's own files.
    public var table: TableOptions?
    /// The time zone of local times in tables of other programs, or `nil` for the time zone of the user of each row.
    public var timeZone: TimeZoneRules?
    /// Whether an event creates the habit whose title it contains.
    public var createsHabits = false
    /// The limit for bytes that are unpacked from gzip files.
    public var unpackLimit = UnpackLimit()
    /// Whether the load is rolled back at the end, so that nothing is stored.
    public var isDryRun = false

    /// Creates the default options.
    public init() {}
}
