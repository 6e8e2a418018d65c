import Base
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitIngest

/// Tests of the streaming XML reader.
@Suite(.engineIndependent) struct XMLReaderTests {
    private func reader(_ text: String) throws -> XMLReader {
        try XMLReader(ByteSource(bytes: Array(text.utf8), name: "a.xml"))
    }

    /// The code of the error of reading a document.
    private func code(_ text: String) throws -> ErrorCode? {
        do {
            try reader(text).forEach { _ in }
            return nil
        } catch let error as HabitError { return error.code }
    }

    /// Returns the trees of the elements with a local name, in the way of the importers.
    private func trees(_ name: StaticString, in text: String) throws -> [XMLNode] {
        var builder = XMLTreeBuilder()
        var nodes: [XMLNode] = []
        try reader(text).forEach { event in
            if !builder.isActive {
                guard case .start(let tag) = event, tag.is(name) else { return }
            }
            if let node = try builder.add(event) { nodes.append(node) }
        }
        return nodes
    }

    @Test func treesHaveLocalNamesAttributesAndText() throws {
        let nodes = try trees(
            "wpt",
            in: """
                <?xml version="1.0"?>
                <g:gpx xmlns:g="urn:a"><g:wpt lat="1" x:lon="2"><name> A &amp; <![CDATA[<b>]]></name><e><name>c</name></e></g:wpt>
                <rte/><wpt lat="3"/></g:gpx>
                """)
        #expect(nodes.map(\.name) == ["wpt", "wpt"])
        #expect(nodes[0].attributes == ["lat": "1", "lon": "2"])
        #expect(nodes[0].text(of: "name") == "A & <b>")
        #expect(nodes[0]["e"]?.text(of: "name") == "c")
        try #require(nodes[1].attributes["lat"] == "3")
        #expect(nodes[1].children.isEmpty)
    }

    @Test func documentsInOtherEncodingsAreRead() throws {
        let text = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a>"
        let latin = Array(text.utf8) + [0xE9] + Array("</a>".utf8)
        var content = ""
        try XMLReader(ByteSource(bytes: latin, name: "a.xml")).forEach { event in
            if case .text(let bytes) = event { content += String(decoding: bytes, as: UTF8.self) }
        }
        #expect(content == "é")
        var wide: [UInt8] = [0xFF, 0xFE]
        for unit in "<a>é</a>".utf16 { wide += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
        content = ""
        try XMLReader(ByteSource(bytes: wide, name: "a.xml")).forEach { event in
            if case .text(let bytes) = event { content += String(decoding: bytes, as: UTF8.self) }
        }
        #expect(content == "é")
    }

    @Test func documentTypeWithoutEntitiesIsAccepted() throws {
        #expect(try code("<!DOCTYPE a [<!ELEMENT a ANY><!ATTLIST a b CDATA #IMPLIED>]><a/>") == nil)
    }

    @Test(
        arguments: [
            "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>",
            "<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><a>&b;</a>",
            "<!DOCTYPE a [<!ENTITY % b SYSTEM \"file:///etc/passwd\"> %b;]><a/>", "<a><b></a>", "<a>", "<a/><b/>",
            "text",
            "", "<a>\u{1}</a>", "<a b=\"1\" b=\"2\"/>",
        ])
    func damagedOrDangerousDocumentIsInvalid(text: String) throws { #expect(try code(text) == .xmlInvalid) }

    @Test func depthIsLimited() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
        }
        #expect(try code(nested(100)) == nil)
        #expect(try code(nested(101)) == .xmlInvalid)
    }

    @Test func errorHasLine() throws {
        #expect {
            try reader("<a>\n<b>\n</c>\n</a>").forEach { _ in }
        } throws: { ($0 as? HabitError)?.line == 3 && ($0 as? HabitError)?.file == "a.xml" }
    }

    @Test func errorOfBodyEndsReading() throws {
        struct Stop: Error {}
        var count = 0
        #expect(throws: Stop.self) {
            try reader("<a><b/><b/><b/></a>").forEach { _ in
                count += 1
                if count == 3 { throw Stop() }
            }
        }
        #expect(count == 3)
    }

    // MARK: Limits

    private static func filled(start: String, end: String, count: Int) -> String {
        "<a>" + start + String(repeating: "x", count: count) + end + "</a>"
    }

    /// Expat needs quadratic time for long markup.
    @Test(arguments: [("<b c=\"", "\"/>"), ("<!--", "-->"), ("<?b ", "?>"), ("<b", "/>")])
    func longMarkupIsInvalid(start: String, end: String) throws {
        #expect(try code(Self.filled(start: start, end: end, count: 900_000)) == nil)
        #expect(try code(Self.filled(start: start, end: end, count: 2_000_000)) == .xmlInvalid)
    }

    @Test(arguments: [("", ""), ("<![CDATA[", "]]>"), ("<b/>", "<b/>")])
    func longTextsThatNoImporterNeedsAreRead(start: String, end: String) throws {
        #expect(try code(Self.filled(start: start, end: end, count: 3_000_000)) == nil)
    }

    @Test func manyCommentsAreRead() throws {
        let comment = "<!--\(String(repeating: "x", count: 300_000))-->"
        #expect(try code("\(String(repeating: comment, count: 10))<a/>") == nil)
        #expect(try code("<a>\(String(repeating: comment, count: 10))</a>") == nil)
    }

    @Test func longTextOfTreeIsInvalidAndHasLine() throws {
        func document(_ count: Int) -> String { "<a>\n<b><c>\(String(repeating: "x", count: count))</c></b></a>" }
        #expect(try trees("b", in: document(1_000_000)).count == 1)
        let error = try #require(throws: HabitError.self, performing: { try trees("b", in: document(2_000_000)) })
        #expect(error.code == .xmlInvalid)
        #expect(error.file == "a.xml")
        #expect(error.line == 2)
    }

    @Test func sumOfTextsOfTreeIsLimited() throws {
        let text = "<c>\(String(repeating: "x", count: 1_000_000))</c>"
        #expect(throws: HabitError.self) { try trees("b", in: "<b>\(String(repeating: text, count: 20))</b>") }
        let document = "<a>\(String(repeating: "<b>\(text)</b>", count: 20))</a>"
        #expect(try trees("b", in: document).count == 20)
    }

    @Test func longCollectedTextIsInvalid() throws {
        let text = String(repeating: "x", count: 2_000_000)
        let documents = [
            "<kml>\n<Placemark><TimeStamp><when>\(text)</when></TimeStamp></Placemark></kml>",
            "<gpx>\n<trk><type>\(text)</type></trk></gpx>",
            "<TrainingCenterDatabase>\n<Activity><Id>\(text)</Id></Activity></TrainingCenterDatabase>",
        ]
        let folder = try TemporaryFolder()
        for document in documents {
            let path = try folder.write(document, to: "a.xml")
            let plan = try ImportPlan(paths: [path], options: ImportOptions())
            let part = try #require(plan.parts.first)
            let error = try #require(
                throws: HabitError.self, performing: { try part.importer.init().records(of: part.input) { _ in } })
            #expect(error.code == .xmlInvalid)
            #expect(error.file == path)
            #expect(error.line == 2)
        }
    }
}
