import Base
import HTTPTypes
import HabitModel
import Hummingbird
import Rendering

extension Problem {
    /// Returns the page of the problem for a browser.
    fileprivate func page(_ site: PageSite) -> WebPage {
        var page = WebPage(title: status.reasonPhrase)
        page.trail = [HabitatServer.home(site.base)]
        guard status == .unauthorized else {
            page.content = "<p class=\"about\">\(linkedDetail(site))</p>\n"
            return page
        }
        page.description = "This page contains data that is not public."
        page.content = """
            <p>A browser sends no token when it opens this page, so the page shows only public data, also after a sign-in. \
            <a href="\(site.root)/map">Sign in on the map page</a> to see your own records and the records that other users \
            share with you on the map. Programs send a token in the header <code>Authorization</code>.</p>

            """
        return page
    }
}

extension Problem {
    /// The detail with a link for the resource that it recommends, as in `see /collections`.
    private func linkedDetail(_ site: PageSite) -> HTML {
        // A path has only letters and single slashes, so no text of a request can become a link to another server.
        guard let found = detail.matches(of: /see (\/(?:[a-z]+(?:\/[a-z]+)*)?)(?![^\s,;])/).last else {
            return "\(isolated: detail)"
        }
        let path = found.1
        return """
            \(isolated: String(detail[..<path.startIndex]))<a href="\(site.root)\(String(path))">\(String(path))</a>\
            \(isolated: String(detail[path.endIndex...]))
            """
    }
}

extension HabitatServer {
    /// Returns the response of a request that failed: a page if the client prefers HTML, otherwise problem details.
    func response(_ problem: Problem, to request: Request, _ context: HabitContext) -> Response {
        // A page contains links to the host of the request.
        guard problem.status != .misdirectedRequest, request.method == .get || request.method == .head,
            isPageWanted(request, context)
        else {
            return problem.response
        }
        let site = site(of: request)
        let page = problem.page(site)
        let body = ResponseBody(byteBuffer: ByteBuffer(bytes: page.html(site)))
        let response = Response(
            status: problem.status, headers: problem.headerFields.merging(page.headers), body: body)
        guard request.method == .head else { return response }
        return Response(status: problem.status, headers: response.headers)
    }

    /// Whether the client prefers HTML, or requests the page of a document or of features with `f=html`.
    private func isPageWanted(_ request: Request, _ context: HabitContext) -> Bool {
        let route = context.endpointPath ?? ""
        let hasPage = route == "/" || route.hasPrefix("/collections")
        let form = request.uri.query?.split(separator: "&").first { $0.hasPrefix("f=") }?.dropFirst(2)
        return request.wantsPage(hasPage ? form.map(String.init) : nil)
    }
}
