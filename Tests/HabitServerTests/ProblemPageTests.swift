import Base
import Foundation
import HTTPTypes
import HabitModel
import Hummingbird
import Testing

@testable import HTTPServing
@testable import HabitAPI
@testable import HabitPages
@testable import HabitServer

/// Tests of the pages of errors.
@Suite(.engineIndependent) struct ProblemPageTests {
    private static let browser: HTTPFields = [.accept: "text/html,application/xhtml+xml,*/*;q=0.8"]
    private static let base = "https://host.example/habits"

    private static func page(_ problem: Problem, path: String = "/near?near=1,2") -> String {
        let visit = PageVisit(base: base, caller: .nobody, path: path)
        let page = SitePages().page(of: problem, for: visit)
        return String(decoding: page.html, as: UTF8.self)
    }

    /// Returns the text and the address of the only button of a page.
    private static func button(_ page: String) throws -> [String] {
        let buttons = page.matches(of: /<a class="button main" href="([^"]*)">([^<]*)<\/a>/)
        #expect(buttons.count == 1, "\(page)")
        let button = try #require(buttons.first)
        return [String(button.output.2), String(button.output.1)]
    }

    private static func problem(
        _ status: HTTPResponse.Status,
        _ detail: String = "the value is not known: choose another one",
        retryAfter: String? = nil
    ) -> Problem {
        let headers: HTTPFields = retryAfter.map { seconds in [.retryAfter: seconds] } ?? [:]
        return Problem(status, slug: ErrorCode.usage, detail: detail, headers: headers)
    }

    // MARK: Buttons

    @Test func refusedPageLeadsToSignInAndBack() throws {
        let button = try Self.button(Self.page(Self.problem(.unauthorized)))
        let target = "/near?near=1,2".urlEncoded
        #expect(button == ["Sign in", "/habits/sign-in?to=\(target)"])
    }

    @Test(arguments: [HTTPResponse.Status.notFound, .gone, .badRequest, .forbidden, .internalServerError])
    func otherErrorLeadsHome(status: HTTPResponse.Status) throws {
        let button = try Self.button(Self.page(Self.problem(status)))
        #expect(button == ["Go to the home page", "/habits/"])
    }

    @Test(arguments: [HTTPResponse.Status.tooManyRequests, .serviceUnavailable])
    func busyServerIsTriedAgain(status: HTTPResponse.Status) throws {
        let problem = Self.problem(status, retryAfter: "1")
        let button = try Self.button(Self.page(problem))
        #expect(button == ["Try again", "/habits/near?near=1,2"])
    }

    @Test(arguments: [
        ("http://localhost/account", "/account"),
        ("http://localhost/sign-in?to=%2Fmap", nil),
        ("https://evil.example/account", nil),
        ("http://localhost.evil.example/account", nil),
        ("http://localhost//evil.example", nil),
        (nil, nil),
    ])
    func refusedFormLeadsBack(referer: String?, path: String?) async throws {
        try await ServerFixture(Scene.friends) { options in options.publicURL = "http://localhost" }.run { client in
            let type: HTTPFields = [.contentType: FormBody.type, .fetchSite: "cross-site"]
            var headers = Self.browser.merging(type)
            headers[.referer] = referer
            headers[.cookie] = try await client.cookie(of: "owner")
            let page = try await client.send(.post, path: "/account", "form=name", headers: headers)
            #expect(page.status == 403, "\(page)")
            let expected = path.map { path in ["Back to the form", path] }
            #expect(try Self.button(page.text) == expected ?? ["Go to the home page", "/"])
        }
    }

    /// A proxy may log the addresses to which a page leads, and the `Referer` of the files that it loads.
    @Test(arguments: [
        "/shared/hbv_AAAA", "/shared/hbv_AAAA?x=1", "/embed/hbv_AAAA", "/%73hared/hbv_AAAA", "/calendars/hbc_AAAA.ics",
    ])
    func pageDoesNotRepeatSecretOfAddress(path: String) async throws {
        try await ServerFixture(Scene.friends).run { client in
            for user in [nil, "owner"] {
                var headers = Self.browser
                if let user { headers[.cookie] = try await client.cookie(of: user) }
                let page = try await client.send(path: path, headers: headers)
                #expect(page.status == 404, "\(page)")
                #expect(page.type == "text/html; charset=utf-8", "\(page)")
                #expect(page.headers[.referrerPolicy] == "no-referrer", "\(page)")
                #expect(page.text.contains("/sign-in\""), "\(page.text)")
                #expect(!page.text.contains("AAAA"), "\(page.text)")
            }
        }
    }

    @Test func pageOfOtherAddressLeadsBackAfterSignIn() {
        #expect(Self.page(Self.problem(.notFound), path: "/shared-map").contains("/sign-in?to=%2Fshared-map"))
    }

    // MARK: Sentences

    @Test(arguments: [
        ("a value: choose", "A value: choose."), ("Done.", "Done."), ("'x' is unknown", "'x' is unknown."), ("", "."),
    ])
    func textBecomesSentence(text: String, sentence: String) {
        #expect(text.sentence == sentence)
    }

    @Test(arguments: [
        ("1", "a second"), ("2", "2 seconds"), ("90", "90 seconds"), ("91", "2 minutes"), ("300", "5 minutes"),
        ("5401", "2 hours"), ("7201", "3 hours"),
    ])
    func timeToWaitIsInWords(seconds: String, words: String) {
        let problem = Self.problem(
            .tooManyRequests,
            "too many links were requested: try again in \(seconds) s",
            retryAfter: seconds)
        #expect(problem.explanation == "Too many links were requested. Try again in \(words).")
        #expect(Self.page(problem).contains("Try again in \(words)."))
    }

    @Test func remedyOfTimeoutIsKept() {
        var problem = Self.problem(
            .serviceUnavailable,
            "the request took too long: request less data",
            retryAfter: "1")
        problem.slug = "timeout"
        #expect(problem.explanation == "The request took too long: request less data.")
    }

    @Test(arguments: [
        ("/nothing", 404), ("/sign-out", 405), ("/collections/foo", 404), ("/collections/events/items/none", 404),
        ("/collections/events/items?foo=1", 400), ("/user", 401), ("/static/0/none.js", 404),
    ])
    func pageHasSentencesAndNoTechnicalWords(path: String, status: Int) async throws {
        try await ServerFixture(Scene.friends).run { client in
            let user = status == 401 ? nil : "owner"
            let page = try await client.send(path: path, as: user, headers: Self.browser)
            #expect(page.status == status, "\(page)")
            let text = try #require(page.text.firstMatch(of: /<p class="about">(.*?)<\/p>/)).output.1
            let plain = text.replacing(/<[^>]*>/, with: "")
            #expect(plain.first?.isUppercase == true, "\(plain)")
            #expect(plain.hasSuffix("."), "\(plain)")
            let words = page.text.lowercased()
            #expect(!words.contains("resource"), "\(page.text)")
            #expect(!words.contains("representation"), "\(page.text)")
            _ = try Self.button(page.text)
        }
    }

    @Test func programReadsSameProblemAsBefore() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let problem = try await client.send(path: "/nothing")
            #expect(problem.json["detail"] as? String == "unknown URL: see / for the resources of the server")
            #expect(problem.json["title"] as? String == "Not Found")
        }
    }
}
