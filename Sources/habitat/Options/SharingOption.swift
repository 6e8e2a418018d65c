import ArgumentParser
import HabitReport
import Rendering

/// The option that allows other users to read the files that a command creates.
struct SharingOption: ParsableArguments {
    @Flag(help: "Create the output with the permissions of the umask (default: only the owner can read it).")
    var shareOutput = false

    var sharing: OutputSharing { shareOutput ? .umask : .owner }
}
