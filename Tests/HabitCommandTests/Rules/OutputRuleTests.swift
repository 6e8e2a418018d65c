import Foundation
import HabitTestSupport
import Testing

/// Tests of the columns of every kind, of empty results, and of errors in JSON.
@Suite(.engineIndependent) struct OutputRuleTests {
    private static let item = "id,user,name,description,state,claimed_by,posted_at,expires,has_photo,longitude,latitude"
    private static let post = "id,user,caption,posted_at,has_photo,longitude,latitude"
    private static let event = EventRuleTests.columns.joined(separator: ",")
    private static let habit = HabitRuleTests.columns.joined(separator: ",")

    /// The names are in the same order in CSV, in JSON and in the views for analysts.
    static let columns: [(command: String, names: String)] = [
        ("history", event), ("history --near 50,10", event + ",distance_m"), ("near 50,10", event + ",distance_m"),
        ("query SELECT~*~FROM~events", event), ("habit list", habit), ("query SELECT~*~FROM~habits", habit),
        ("item list --state all", item), ("item list --near 50,10 --state all", item + ",distance_m"),
        ("query SELECT~*~FROM~items", item), ("post list", post), ("post list --near 50,10", post + ",distance_m"),
        ("query SELECT~*~FROM~posts", post),
        ("near 50,10 --kind events,items,posts", "kind,id,user,title,at,longitude,latitude,distance_m"),
        ("todo", "habit,title,day,status,color,done,event,outcome"),
        ("following", "user,user_name,habit,title,status,color"), ("user list", "id,name,following,follower"),
        ("query SELECT~*~FROM~users", "id,name,following,follower"),
        ("follow list", "follower,followee,status,share,requested_at"),
        ("query SELECT~*~FROM~follows", "follower,followee,status,share,requested_at"),
        ("query SELECT~*~FROM~claims", "item,user,state,claimed_at"),
        ("message list", "id,item,sender,recipient,sent_at,text"),
        ("query SELECT~*~FROM~messages", "id,item,sender,recipient,sent_at,text"),
    ]

    @Test(arguments: columns.indices) func columnsMatchContract(number: Int) async throws {
        let command = Self.columns[number].command
        let names = Self.columns[number].names
        let store = try await Self.filledStore.value
        let csv = try await store.run(command + " --format csv", as: "owner")
        #expect(csv.lines.first == names, "\(csv.errors)")
        let array = try await store.run(command + " --format json", as: "owner")
        let objects: [[String: Any]] = try json(array)
        let first = try #require(objects.first, "the result has rows")
        #expect(Set(first.keys) == Set(names.split(separator: ",").map(String.init)))
        // Foundation does not keep the order of members.
        let offsets = names.split(separator: ",").compactMap { array.output.range(of: "\"\($0)\":")?.lowerBound }
        #expect(offsets == offsets.sorted())
    }

    /// A shared read-only store in which the owner has a record of every kind.
    private static let filledStore = Task { () async throws -> RuleStore in
        let store = try await RuleStore()
        try store.folder.write("id,user,name,longitude,latitude\nchair,owner,Chair,10,50\n", to: "in/items.csv")
        try store.folder.write("item,user,state\nchair,all,claimed\n", to: "in/claims.csv")
        try store.folder.write("item,sender,recipient,text\nchair,all,owner,Hello\n", to: "in/messages.csv")
        try store.folder.write("id,user,caption,longitude,latitude\np1,owner,Sea,10,50\n", to: "in/posts.csv")
        try store.folder.write("follower,followee,status\nowner,lisbon,accepted\n", to: "in/follows.csv")
        #expect(try await store.run("ingest in").status == 0)
        return store
    }

    @Test func columnsOfOperatorTablesMatchContract() async throws {
        let store = try await RuleStore()
        try store.folder.write("id\nzoe\n", to: "users.csv")
        #expect(try await store.table("stats").columns == ["kind", "rows", "located", "bytes"])
        #expect(
            try await store.table("ingest users.csv").columns == [
                "kind", "inserted", "updated", "unchanged", "rejected",
            ])
    }

    /// An empty result is a success, with an empty list on standard output and a remedy on standard error.
    @Test(arguments: [
        "history", "history --scope friends", "history --scope all --from 2026-11-20", "near 50,10", "near 0,0",
        "habit list --user owner", "following", "follow list", "post list", "message list", "item list",
        "query SELECT~id~FROM~events",
    ])
    func emptyResultSucceeds(command: String) async throws {
        let store = try await RuleStore()
        let empty = try await store.run(command + " --format json", as: "hidden")
        #expect(empty.status == 0, "\(empty.output)\(empty.errors)")
        #expect(empty.output == "[]\n", "\(empty.output)\(empty.errors)")
        #expect(!empty.errors.isEmpty)
        #expect(!empty.errors.hasPrefix("error"))
    }

    @Test func quietOmitsNotice() async throws {
        let result = try await RuleStore().run("history --quiet --format ndjson", as: "hidden")
        #expect(result.status == 0)
        #expect(result.output.isEmpty)
        #expect(result.errors.isEmpty)
    }

    /// Each error is one object on one line with slug, message and, if applicable, field.
    @Test(arguments: [
        ("owner", "habit add --days mon", 65, "title-empty", "title"),
        ("owner", "event add --habit run --day 2026-11-21", 65, "day-in-future", "day"),
        ("owner", "event add --habit run --day 2026-11-19", 76, "event-exists", "day"),
        ("owner", "history --comment ''", 64, "search-text-empty", "comment"),
        ("owner", "habit delete run", 64, "confirm-required", "yes"),
        ("pending", "habit show run", 66, "not-found", "habit"),
        ("all", "habit edit run --title x", 77, "not-yours", nil),
        ("owner", "follow request owner", 65, "self-follow", "user"), ("owner", "stats", 77, "operator-only", nil),
        ("nobody", "history", 77, "not-signed-in", nil), ("owner", "event add", 64, "usage", nil),
    ])
    func errorsInJSONHaveSlugAndField(user: String, command: String, status: Int32, slug: String, field: String?)
        async throws
    {
        let store = try await RuleStore()
        let result = try await store.run("--errors json " + command, as: user)
        #expect(result.status == status)
        #expect(result.output.isEmpty)
        #expect(result.errors.filter { $0 == "\n" }.count == 1)
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(result.errors.utf8)) as? [String: Any], "\(result.errors)")
        #expect(object["error"] as? String == slug)
        #expect(object["field"] as? String == field)
        #expect((object["message"] as? String)?.isEmpty == false)
        #expect(!result.errors.contains("error["))
    }
}
