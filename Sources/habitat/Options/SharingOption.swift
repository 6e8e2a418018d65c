import ArgumentParser
import HabitReport
import Rendering

/// The option that allows other users to read the files that a command creates.
struct SharingOption: ParsableArguments {
    @Flag(help: "Let other users read the output, as the umask permits (default: only you).")
    var shareOutput = false

    var sharing: OutputSharing { shareOutput ? .umask : .owner }
}
