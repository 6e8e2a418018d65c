// embed-files OUTPUT PACKAGE=FILE…: writes a Swift file with the content of each FILE in base64, keyed by file name.
// PACKAGE is the Debian package that installs FILE. The error message for a missing file names the package.

import Foundation

func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("error: \(message)\n".utf8))
    exit(1)
}

guard CommandLine.arguments.count > 2 else { fail("usage: embed-files OUTPUT PACKAGE=FILE…") }

var source = """
    /// Files of other projects, in base64, by name.
    enum EmbeddedLibraries {
        static let files: [String: String] = [

    """
for argument in CommandLine.arguments.dropFirst(2) {
    guard let separator = argument.firstIndex(of: "=") else {
        fail("'\(argument)' is not a pair PACKAGE=FILE: put '=' between package and file")
    }
    let (package, path) = (argument[..<separator], String(argument[argument.index(after: separator)...]))
    guard let content = FileManager.default.contents(atPath: path) else {
        fail("'\(path)' cannot be read: install the Debian package \(package), or run .ci/install")
    }
    source += "        \"\(URL(filePath: path).lastPathComponent)\": \"\(content.base64EncodedString())\",\n"
}
source += "    ]\n}\n"
do {
    try source.write(toFile: CommandLine.arguments[1], atomically: true, encoding: .utf8)
} catch {
    fail("'\(CommandLine.arguments[1])' cannot be written: \(error.localizedDescription)")
}
