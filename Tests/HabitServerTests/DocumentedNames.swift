import Foundation
import HTTPTypes
import HabitModel
import Testing

@testable import HabitServer

/// The names in the API document, which errors may mention.
struct DocumentedNames {
    static let shared = Result {
        DocumentedNames(
            APIDocument(server: try ServerFixture().server, base: "http://localhost").json.bytes)
    }

    /// The names of parameters and of members of records.
    private(set) var names = Set(Field.allCases.map(\.name))
    private(set) var parameters: Set<String> = []
    private(set) var paths: Set<String> = []
    /// Texts that the document contains as values, such as the choices of a parameter.
    private var values: Set<String> = []

    private init(_ bytes: [UInt8]) {
        let document = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
        paths = Set((document?["paths"] as? [String: Any] ?? [:]).keys)
        collect(document ?? [:])
        names.formUnion(parameters)
    }

    private mutating func collect(_ value: Any) {
        if let text = value as? String { values.insert(text) }
        if let list = value as? [Any] { for value in list { collect(value) } }
        guard let object = value as? [String: Any] else { return }
        if object["in"] is String, let name = object["name"] as? String { parameters.insert(name) }
        if let properties = object["properties"] as? [String: Any] { names.formUnion(properties.keys) }
        for value in object.values { collect(value) }
    }

    /// Checks that the error names only fields of the document or texts of the request.
    ///
    /// - Parameters:
    ///   - response: A response, which is not checked if it is not an error.
    ///   - request: The texts of the request.
    func check(_ response: ServerResponse, of request: [String]) {
        guard response.status >= 400, response.type == MediaType.problem.text else { return }
        func isKnown(_ name: String) -> Bool {
            names.contains(name) || values.contains(name) || request.contains { $0.contains(name) }
        }
        if let field = response.field {
            #expect(isKnown(field), "the field of \(response) is not documented")
        }
        let detail = response.json["detail"] as? String ?? ""
        for match in detail.matches(of: /'([a-z][a-z_-]*)'/) {
            #expect(isKnown(String(match.1)), "'\(match.1)' of \(response) is neither documented nor in the request")
        }
        #expect(!detail.contains(/(?:^|[ '(])--[a-z]/) || request.contains { $0.contains("--") }, "\(response)")
    }
}
