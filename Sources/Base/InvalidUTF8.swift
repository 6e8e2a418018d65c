import Glibc

/// Names and arguments of the system that are not UTF-8 text.
///
/// A Swift string replaces such bytes, so that it names another file.
public enum InvalidUTF8 {
    /// Returns the first argument of the process that is not UTF-8, with `\xNN` for each invalid byte, otherwise `nil`.
    public static var argument: String? {
        let count = max(Int(CommandLine.argc), 1)
        for index in 1..<count {
            guard let argument = CommandLine.unsafeArgv[index] else {
                continue
            }
            if let text = escaped(argument) {
                return text
            }
        }
        return nil
    }

    /// Returns the value of an environment variable that is not UTF-8, with `\xNN` for each invalid byte, otherwise `nil`.
    public static func value(ofVariable name: String) -> String? {
        guard let value = getenv(name) else {
            return nil
        }
        return escaped(value)
    }

    /// Returns the name of the first file in a folder that is not UTF-8, with `\xNN` for each invalid byte.
    ///
    /// - Parameter path: The path of the folder.
    /// - Returns: The name, or `nil` if all names are UTF-8 or the folder cannot be read.
    public static func name(inFolder path: String) -> String? {
        guard let folder = opendir(path) else {
            return nil
        }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) { escaped($0) }
            }
            if let name {
                names.append(name)
            }
        }
        return names.min()
    }

    /// Returns the text with `\xNN` for each invalid byte, or `nil` if it is UTF-8.
    private static func escaped(_ text: UnsafePointer<CChar>) -> String? {
        let bytes = Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
        let isValid = String(validating: bytes, as: UTF8.self) != nil
        return isValid ? nil : escaped(bytes)
    }

    /// Returns the text of bytes with `\xNN` for each invalid byte.
    static func escaped(_ bytes: [UInt8]) -> String {
        var text = ""
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var index = 0
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let scalar):
                text.unicodeScalars.append(Unicode.UTF8.decode(scalar))
                index += scalar.count
            case .error(let length):
                for byte in bytes[index..<index + length] {
                    text += "\\x" + hexadecimal(byte)
                }
                index += length
            case .emptyInput:
                return text
            }
        }
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return byte < 16 ? "0" + digits : digits
    }
}

extension HabitError {
    /// The error for a path that is not UTF-8.
    ///
    /// - Parameters:
    ///   - text: The path with escaped bytes.
    ///   - subject: The noun for the path, such as `the argument`.
    /// - Returns: The error.
    public static func invalidUTF8(_ text: String, _ subject: String) -> HabitError {
        HabitError(.usage, "\(subject) '\(text)' is not UTF-8 text: rename the file, or write the name in UTF-8")
    }
}
