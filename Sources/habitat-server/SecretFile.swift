import Base
import Foundation
import HabitModel

/// A secret in the first line of a file that no other user can read.
struct SecretFile {
    private let path: String
    private let option: String
    /// The first line without surrounding spaces.
    private let secret: String

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - option: The name of the option.
    /// - Throws: `input-not-found` if the file cannot be read, and `parameter-invalid` if other users have permissions on
    ///   it.
    init(_ path: String, option: String) throws(HabitError) {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw HabitError(
                .inputNotFound, "file '\(path)' does not exist or cannot be read: pass another file with --\(option)")
        }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & 0o077 == 0 else {
            throw HabitError(
                .parameterInvalid,
                "other users have permissions on '\(path)': run chmod 600 \(path)",
                field: option)
        }
        let text = String(decoding: data, as: UTF8.self)
        let line = text.split(whereSeparator: \.isNewline).first ?? ""
        self.path = path
        self.option = option
        secret = line.trimmingCharacters(in: .whitespaces)
    }

    /// Returns a secret that the operator creates.
    ///
    /// - Parameter noun: The kind of the secret, for the error.
    /// - Returns: The secret.
    /// - Throws: `parameter-invalid` if the secret is shorter than 32 bytes.
    func key(noun: String) throws(HabitError) -> String {
        guard secret.utf8.count >= 32 else {
            throw HabitError(
                .parameterInvalid,
                "the \(noun) in '\(path)' is shorter than 32 bytes: create one with 'openssl rand -hex 32'",
                field: option)
        }
        return secret
    }

    /// Returns a secret that another server has created.
    ///
    /// - Returns: The secret.
    /// - Throws: `parameter-invalid` if the first line is empty.
    func given() throws(HabitError) -> String {
        guard !secret.isEmpty else {
            throw HabitError(
                .parameterInvalid,
                "the first line of '\(path)' is empty: write the secret into it",
                field: option)
        }
        return secret
    }
}
