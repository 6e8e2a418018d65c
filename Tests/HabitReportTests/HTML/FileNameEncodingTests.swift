import HabitReport
import Rendering
import Testing

@Suite struct FileNameEncodingTests {
    @Test(arguments: [
        ("ann", "ann"), ("Ann_1.b-c", "Ann_1.b-c"), ("a b/c", "a%20b%2Fc"), ("é", "%C3%A9"), ("%", "%25"),
        ("..", ".."), ("a~b", "a%7Eb"), ("", ""),
    ])
    func textBecomesFileNamePart(text: String, name: String) { #expect(FileNameEncoding.encode(text) == name) }

    @Test func longTextIsShortenedAndStaysUnique() throws {
        let texts = [String(repeating: "é", count: 300), String(repeating: "é", count: 301)]
        let names = texts.map(FileNameEncoding.encode)
        try #require(names.allSatisfy { $0.utf8.count == 200 })
        #expect(names[0] != names[1])
        #expect(FileNameEncoding.encode(String(repeating: "a", count: 200)) == String(repeating: "a", count: 200))
    }

    @Test func addressEncodesPercentSign() { #expect(FileNameEncoding.url(of: "a%20b") == "a%2520b") }
}
