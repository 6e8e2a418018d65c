import ArgumentParser
import Base
import HabitIngest
import HabitModel

/// The option that limits the bytes which a command unpacks from compressed files.
struct UnpackOption: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Maximum size of the content of all compressed files after unpacking, such as 500MB or 20GB.",
            valueName: "size"), completion: .anyText)
    var limitUnpacked = "8GB"

    /// The limit.
    ///
    /// - Throws: `parameter-invalid` if the option is not a size.
    var limit: UnpackLimit {
        get throws { UnpackLimit(try Parse.size(limitUnpacked, option: "limit-unpacked")) }
    }
}
