import Base
import HTTPServing
import HTTPTypes
import Hummingbird

/// The form of a document that describes the server.
enum DocumentForm: String, CaseIterable {
    case json, html
}

extension RouteOperation {
    /// Describes the operation that reads a document about the server, which is also a page.
    ///
    /// - Parameters:
    ///   - id: The identifier of the operation.
    ///   - summary: A title for lists.
    ///   - description: The content of the document.
    ///   - permission: The callers who may read the document.
    ///   - type: The media type of the document.
    /// - Returns: The operation.
    static func ofDocumentAndPage(
        _ id: String,
        summary: String,
        description: String,
        permission: Permission,
        type: ContentType = .json
    ) -> RouteOperation {
        RouteOperation(
            id,
            summary: summary,
            description: description,
            permission: permission,
            query: [.form(DocumentForm.allCases.map(\.rawValue))],
            content: .content(type, schema: ["type": "object"]).merging(.pageContent))
    }

    /// Describes the operation that reads a document without a page.
    ///
    /// - Parameters:
    ///   - id: The identifier of the operation.
    ///   - summary: A title for lists.
    ///   - description: The content of the document.
    ///   - permission: The callers who may read the document.
    ///   - type: The media type of the document.
    /// - Returns: The operation.
    static func ofDocument(
        _ id: String,
        summary: String,
        description: String,
        permission: Permission = .everyone,
        type: ContentType = .json
    ) -> RouteOperation {
        RouteOperation(
            id,
            summary: summary,
            description: description,
            permission: permission,
            query: [.onlyJSON],
            content: .content(type, schema: ["type": "object"]))
    }
}

extension Call {
    /// Responds with a document that is built from the program, its options and the report files.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - type: The media type of the document.
    /// - Returns: The response.
    /// - Throws: `parameter-invalid` if the parameter `f` has another value than `json`.
    func document(_ document: JSON, type: ContentType = .json) throws -> Response {
        try requireJSON()
        return Response(document, type: type, headers: [.cacheControl: "no-cache"])
    }

    /// Checks that a request does not ask for another format than JSON.
    ///
    /// - Throws: `parameter-invalid`.
    func requireJSON() throws {
        guard let form = parameters["f"], form != DocumentForm.json.rawValue else { return }
        throw Problem.invalid("f", "'\(form)' is not a format of this document: use json")
    }

    /// Responds with a document that describes the server, as JSON or as a page.
    ///
    /// The parameter `f` selects the form, otherwise the header Accept.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - pages: The pages of documents.
    /// - Returns: The response, which depends on the caller.
    /// - Throws: `parameter-invalid`.
    func response(with document: WebPageDocument, _ pages: any WebPages) throws -> Response {
        let form = try parameters.choice("f", DocumentForm.self)
        let isPage = request.wantsPage(form?.rawValue)
        let headers: HTTPFields = [.link: document.linkHeader(base: base, isPage: isPage)]
        guard isPage else {
            return Response(document.json.linkingToPage, type: document.type, headers: headers).forOneViewer
        }
        let page = pages.page(of: document, for: visit)
        let response = try Response(
            page.html,
            encoded: ContentEncoding(for: request),
            headers: headers.merging(page.headers))
        return response.forOneViewer
    }
}

extension JSON {
    /// Returns the document with a link to its page.
    fileprivate var linkingToPage: JSON {
        guard let ownAddress else { return self }
        let link = FeaturePage.link(
            "alternate",
            to: "\(ownAddress)?f=html",
            type: .html,
            title: "This document as HTML")
        return merging(["links": .list(self["links"].elements + [link])])
    }
}

extension WebPageDocument {
    /// Returns the value of the header Link of the response with the document or its page.
    fileprivate func linkHeader(base: String, isPage: Bool) -> String {
        let own = address(base: base)
        let json = type.text
        let html = ContentType.html.text
        guard isPage else {
            return "<\(own)>; rel=\"self\"; type=\"\(json)\", <\(own)?f=html>; rel=\"alternate\"; type=\"\(html)\""
        }
        return "<\(own)?f=html>; rel=\"self\"; type=\"\(html)\", <\(own)?f=json>; rel=\"alternate\"; type=\"\(json)\""
    }

    private func address(base: String) -> String {
        switch self {
        case .conformance: "\(base)/conformance"
        case .api: "\(base)/api"
        case .landing(let json), .collections(let json), .collection(let json): json.ownAddress ?? base
        case .schema(let json), .queryables(let json): json["$id"].textValue ?? base
        }
    }
}
