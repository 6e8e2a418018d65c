// embed-files OUTPUT APPLICATION LIBRARY NAME=PACKAGE=FILE…: writes a Swift file with files of web pages, compressed with
// gzip and in base64, by name. These are the bundles of the sources in the folder APPLICATION, which import LIBRARY, the
// large icon, and each FILE with its NAME. PACKAGE is the Debian package that installs FILE; it is empty for a file of the
// project. The error message for a missing file names the package.

import Foundation

/// Returns the Swift literal of a content, compressed with gzip and in base64.
func literal(_ content: Data, of name: String) -> String {
    guard let compressed = content.compressed(.gzip) else {
        fail("'\(name)' cannot be compressed: free some memory and try again")
    }
    return "\"\(compressed.base64EncodedString())\""
}

/// Returns the name and the content of an argument `NAME=PACKAGE=FILE`.
func named(_ argument: String) -> (name: String, content: Data) {
    let parts = argument.split(separator: "=", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3 else {
        fail("'\(argument)' is not NAME=PACKAGE=FILE: put '=' between the name, the package and the file")
    }
    let advice = "install the Debian package \(parts[1]), or run .ci/install"
    return (String(parts[0]), content(of: String(parts[2]), advice: advice))
}

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count > 3 else { fail("usage: embed-files OUTPUT APPLICATION LIBRARY NAME=PACKAGE=FILE…") }
let output = CommandLine.arguments[1]
let library = CommandLine.arguments[3]
_ = content(of: library, advice: "run .ci/install, which takes it out of a package of PyPI")
let bundle = ApplicationBundle(sources: URL(filePath: CommandLine.arguments[2]), library: library)
guard let icon = LargeIcon.png else { fail("the icon cannot be compressed: free some memory and try again") }

let application = bundle.files()
var files = application
files["icon-512.png"] = icon
for name in ["sign-in", "sign-out"] {
    files["\(name).js"] = bundle.pageScript(name)
}
for argument in arguments.dropFirst(3) {
    let file = named(argument)
    guard files[file.name] == nil else { fail("two files have the name '\(file.name)': rename one") }
    files[file.name] = file.content
}

var source = """
    /// The files of web pages, compressed with gzip and in base64.
    enum EmbeddedFiles {
        /// The contents by name.
        static let all: [String: String] = [

    """
for (name, content) in files.sorted(by: { one, other in one.key < other.key }) {
    source += "        \"\(name)\": \(literal(content, of: name)),\n"
}
source += """
        ]

        /// The names of the files of the application.
        static let application = \(application.keys.sorted())

        static let serviceWorker = \(literal(bundle.serviceWorker(), of: "service-worker.js"))
    }

    """
do {
    try source.write(toFile: output, atomically: true, encoding: .utf8)
} catch {
    fail("'\(output)' cannot be written: \(error.localizedDescription)")
}
