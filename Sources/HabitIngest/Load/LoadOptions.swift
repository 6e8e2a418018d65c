import HabitModel
import HabitStore

/// How a load deals with what it finds.
public struct LoadOptions: Sendable {
    public var format: InputFormat?
    public var policy = ConflictPolicy.update
    public var nullIsland = NullIslandPolicy.keep
    /// Refuse files with columns that no field is known for.
    public var strictColumns = false
    /// Accept inputs without any content.
    public var allowsEmpty = false
    /// One refused row, and nothing is stored.
    public var isStrict = false
    /// More refused rows than this, and nothing is stored; nil: any number.
    public var maxRejects: Int?
    /// Nothing is stored at all.
    public var isDryRun = false

    public init() {}
}
