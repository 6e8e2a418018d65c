import HTTPServing
import HabitAPI

extension RequestBodies {
    /// The largest form that is accepted, in bytes.
    private static let formLimit = 16_384

    /// Reads the form of a page.
    ///
    /// - Parameters:
    ///   - call: The request.
    ///   - path: The path of the page, for the error.
    /// - Returns: The fields.
    /// - Throws: 415 `form-invalid` if the body is not a form, and the errors of
    ///   ``withBody(of:for:limit:remedy:isOptional:_:)``.
    func form(of call: Call, from path: String) async throws -> FormBody {
        try await withBody(of: call.request, for: "client \(call.client)", limit: Self.formLimit) { body in
            guard let form = FormBody(body, sentBy: call.request) else {
                throw Problem.invalidForm(path)
            }
            return form
        }
    }
}

extension Problem {
    /// Returns the problem of a request whose body is not the form of a page.
    static func invalidForm(_ path: String) -> Problem {
        Problem(
            .unsupportedMediaType,
            slug: ServerSlug.formInvalid,
            detail: "the body is not a form: send the form of the page \(path)",
            field: "Content-Type")
    }
}
