import ArgumentParser
import HabitIngest
import HabitModel
import HabitReport
import HabitStore
import Rendering

// Types of other modules that are values of options.

extension ColorChoice: ExpressibleByArgument {}
extension ConflictPolicy: ExpressibleByArgument {}
extension EventQuery.Scope: ExpressibleByArgument {}
extension FollowStatus: ExpressibleByArgument {}
extension InputFormat: ExpressibleByArgument {}
extension NightlyPeriod: ExpressibleByArgument {}
extension NullIslandPolicy: ExpressibleByArgument {}
extension Outcome: ExpressibleByArgument {}
extension OutputFormat: ExpressibleByArgument {}
extension RecordKind: ExpressibleByArgument {}
extension Share: ExpressibleByArgument {}
extension SortOrder: ExpressibleByArgument {}
extension ViewDefinition.Rounding: ExpressibleByArgument {}
