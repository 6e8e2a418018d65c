import Base
import Foundation
import HTTPTypes
import HabitModel
import Testing

@testable import HTTPServing
@testable import HabitServer

/// The names in the API document, which errors may mention.
struct DocumentedNames {
    /// The names of a server with only the shipped reports.
    static let shared = Result { DocumentedNames(of: try ServerFixture.emptyServer()) }

    /// The names of parameters and of members of records.
    private(set) var names = Set(Field.allCases.map(\.name))
    private(set) var parameters: Set<String> = []
    private(set) var paths: Set<String> = []
    /// The strings in the document, such as the choices and the description of a parameter.
    private var texts: Set<String> = []

    init(of server: HabitatServer) {
        let bytes = server.apiDocument.json.bytes
        let document = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
        paths = Set((document?["paths"] as? [String: Any] ?? [:]).keys)
        collect(document ?? [:])
        names.formUnion(parameters)
    }

    private mutating func collect(_ value: Any) {
        if let text = value as? String { texts.insert(text) }
        if let list = value as? [Any] { for value in list { collect(value) } }
        guard let object = value as? [String: Any] else { return }
        if object["in"] is String, let name = object["name"] as? String { parameters.insert(name) }
        if let properties = object["properties"] as? [String: Any] { names.formUnion(properties.keys) }
        for value in object.values { collect(value) }
    }

    /// Returns the field and the quoted names of an error that are neither in the document nor in the request.
    ///
    /// - Parameters:
    ///   - response: The response to the request.
    ///   - request: The texts of the request.
    /// - Returns: The names, or an empty array for a response that is not an error.
    func unknownNames(in response: ServerResponse, to request: [String]) -> [String] {
        guard response.type == ContentType.problem.text else { return [] }
        let detail = response.json["detail"] as? String ?? ""
        // A blocked word is in the word list, and the request can contain it in another spelling.
        let word = (response.json["parameters"] as? [String: Any])?["word"] as? String
        let quoted = detail.matches(of: /'([a-z][a-z_-]*)'/).map { match in String(match.1) }
        let field = [response.field].compactMap(\.self)
        return (quoted + field).filter { name in
            name != word && !names.contains(name) && !texts.contains { $0 == name || $0.contains("'\(name)'") }
                && !request.contains { $0.contains(name) }
        }
    }
}
