// embed-files OUTPUT NAME=PACKAGE=FILE…: writes a Swift file with the content of each FILE in base64, keyed by NAME.
// PACKAGE is the Debian package that installs FILE; it is empty for a file of the project. The error message for a
// missing file names the package.

import Foundation

func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("error: \(message)\n".utf8))
    exit(1)
}

guard CommandLine.arguments.count > 2 else { fail("usage: embed-files OUTPUT NAME=PACKAGE=FILE…") }

var source = """
    /// The files of web pages, in base64, by name.
    enum EmbeddedFiles {
        static let all: [String: String] = [

    """
for argument in CommandLine.arguments.dropFirst(2) {
    let parts = argument.split(separator: "=", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3 else {
        fail("'\(argument)' is not NAME=PACKAGE=FILE: put '=' between the name, the package and the file")
    }
    let name = parts[0]
    let package = parts[1]
    let path = String(parts[2])
    guard let content = FileManager.default.contents(atPath: path) else {
        fail("'\(path)' cannot be read: install the Debian package \(package), or run .ci/install")
    }
    source += "        \"\(name)\": \"\(content.base64EncodedString())\",\n"
}
source += "    ]\n}\n"
do {
    try source.write(toFile: CommandLine.arguments[1], atomically: true, encoding: .utf8)
} catch {
    fail("'\(CommandLine.arguments[1])' cannot be written: \(error.localizedDescription)")
}
