import ArgumentParser
import Foundation
import Geo
import HabitModel
import HabitReport
import HabitStore

extension CommonOptions {
    /// Does something in the actor's name, and shows what came of it; what cannot be shown is not done.
    func act(_ output: OutputOptions, _ body: (ActingUser) throws -> Selection) throws {
        try change(output) { session, viewer, clock in
            let selection = try body(try ActingUser(viewer, clock: clock, in: session))
            try output.show(selection, self, in: session, whenEmpty: "", single: true)
        }
    }

    /// Does something in the actor's name that leaves nothing to look at but what `body` says of it.
    func tell(_ output: OutputOptions, _ body: (ActingUser) throws -> [(name: String, value: Value)]) throws {
        try change(output) { session, viewer, clock in
            try output.show(try body(try ActingUser(viewer, clock: clock, in: session)), self)
        }
    }

    /// Changes the store, in one transaction.
    func change(_ output: OutputOptions, _ body: (any Session, Viewer, Clock) throws -> Void) throws {
        try output.refuseExplanation()
        let clock = try clock()
        try open(.write).write { session in
            let viewer = try viewer(in: session)
            try whoeverListens { try body(session, viewer, clock) }
        }
    }

    /// Runs what does something and then tells of it. Where nobody reads that any more (`habitat … | true`), it is done all
    /// the same: the command ends with 0, and that means that it is in the store.
    func whoeverListens(_ body: () throws -> Void) throws {
        do { try body() } catch is ClosedPipe {}
    }
}

/// Whether something may be deleted without asking.
struct ConfirmOptions: ParsableArguments {
    @Flag(help: "Do not ask.")
    var yes = false

    /// Asks on a terminal; throws `confirm-required` without one, or where the answer is no.
    func confirm(_ question: String) throws {
        guard !yes else { return }
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
            throw HabitError(.confirmRequired, "\(question) Say --yes to do it: nothing has been changed", field: "yes")
        }
        ErrorReport.write(ErrorReport.clean("\(question) [y/N] "))
        guard ["y", "yes"].contains(readLine()?.trimmingCharacters(in: .whitespaces).lowercased()) else {
            throw HabitError(.confirmRequired, "nothing has been changed", field: "yes")
        }
    }
}

/// A photo that is handed in as a file, and the place of what it shows.
struct PhotoOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("A JPEG, PNG, WebP or GIF file under 65,536 bytes; none takes it away.", valueName: "file"))
    var photo: String?
    @Flag(help: "Make a JPEG that fits of a photo that is too large.")
    var shrinkPhoto = false
    @Flag(help: "Leave the photo's EXIF data in it.")
    var keepExif = false
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "LATITUDE,LONGITUDE, 'photo' for where the photo says it was taken, or 'none'.", valueName: "position"))
    var position: String?

    /// What the options say; to be asked before the store is opened, since it reads and works on the file.
    func read() throws -> (photo: Given<Photo>, position: Given<Position>) {
        guard let photo, photo != "none" else {
            guard !shrinkPhoto, !keepExif else {
                throw HabitError(
                    .usage, "--shrink-photo and --keep-exif are about a photo: give one with --photo", field: "photo")
            }
            return (photo == nil ? .absent : .null, try position(in: nil))
        }
        let file = try PhotoFile(
            try Parse.file(photo, option: "photo", limit: PhotoFile.sizeLimit, tooLarge: .photoTooLarge))
        return (
            .value(try file.photo(keepingEXIF: keepExif, shrinking: shrinkPhoto)), try position(in: file)
        )
    }

    private func position(in photo: PhotoFile?) throws -> Given<Position> {
        switch position {
        case nil: return .absent
        case "none": return .null
        case "photo":
            guard let position = photo?.position else {
                throw HabitError(
                    .locationUnavailable,
                    "no photo was given that says where it was taken (stored photos do not): give its file with --photo, or the position as LATITUDE,LONGITUDE",
                    field: "position")
            }
            return .value(position)
        case let text?: return .value(try Parse.position(text, option: "position"))
        }
    }
}

extension Given<String> {
    /// An option's value: an empty one stands for nothing.
    init(option: String?) {
        switch option {
        case nil: self = .absent
        case "": self = .null
        case let text?: self = .value(text)
        }
    }
}

extension Given<Day> {
    /// A date, or `none`.
    init(option: String?, named name: String) throws {
        switch option {
        case nil: self = .absent
        case "none", "": self = .null
        case let text?: self = .value(try Parse.day(text, option: name))
        }
    }
}
