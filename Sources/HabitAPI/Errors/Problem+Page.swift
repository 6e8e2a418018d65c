import HTTPServing
import HTTPTypes
import Hummingbird

extension Problem {
    /// Returns the response to a request that failed: a page if the client prefers HTML, otherwise problem details.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - context: The context of the request.
    ///   - pages: The pages of problems.
    ///   - visit: The person who sent the request, as far as the server knows, and the address.
    /// - Returns: The response.
    package func response(
        to request: Request,
        _ context: ServerContext,
        pages: any WebPages,
        for visit: PageVisit
    ) -> Response {
        let isRead = request.method == .get || request.method == .head
        guard isRead || request.isForm, request.wantsPage(ofRoute: context.route) else { return response }
        // A page contains links to the host of the request.
        guard status != .misdirectedRequest else { return response }
        let page = pages.page(of: self, for: visit)
        var headers = headerFields.merging(page.headers)
        if visit.path.hasSecret { headers[.referrerPolicy] = "no-referrer" }
        let response = Response(
            status: status,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: page.html)))
        guard request.method == .head else { return response }
        // The header fields contain the length of the page.
        return Response(status: status, headers: response.headers)
    }
}

extension Request {
    /// Whether a page has sent the request as a form, so that a person reads the response.
    fileprivate var isForm: Bool {
        headers[.contentType]?.hasPrefix(FormBody.type) == true
    }

    /// Whether the client prefers HTML, or requests the page of a document or of features with `f=html`.
    fileprivate func wantsPage(ofRoute route: String) -> Bool {
        let hasPage = ["/", "/api", "/conformance"].contains(route) || route.hasPrefix("/collections")
        guard hasPage else { return wantsPage(nil) }
        return wantsPage
    }
}

extension Request {
    /// Whether the client requests a page with `f=html`, or prefers HTML without the parameter `f`.
    var wantsPage: Bool {
        let parameters = uri.query?.split(separator: "&")
        let form = parameters?.first { parameter in parameter.hasPrefix("f=") }
        let name = form.map { form in String(form.dropFirst(2)) }
        return wantsPage(name)
    }
}
