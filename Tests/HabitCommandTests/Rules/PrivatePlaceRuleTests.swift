import Foundation
import HabitTestSupport
import Testing

/// Tests of rule C-33 with commands: others see no positions in a private place, in every output.
@Suite(.engineIndependent) struct PrivatePlaceRuleTests {
    /// The commands that show no items, of which others see the cell.
    private static let commands = LatestRuleTests.commands.filter { command in !command.contains("items") }

    /// The events r17 and r18 of `owner` are near 50,10: r18 is at longitude 10.01.
    @Test(arguments: commands) func privatePositionsAreHiddenInEveryOutput(command: String) async throws {
        let store = try await RuleStore()
        try store.folder.write("id,longitude,latitude\nhere,10,50\n", to: "centers.csv")
        let own = try await store.run(command, as: "owner")
        let added = try await store.run("place add home 50,10 --radius 2km", as: "owner")
        #expect(added.status == 0, "\(added.errors)")
        let hidden = try await store.run(command, as: "all")
        #expect(hidden.status == 0, "\(hidden.errors)")
        for position in [/10\.01(?!\d)/, /10\.0099/] {
            #expect(!hidden.output.contains(position), "\(hidden.output)")
        }
        let again = try await store.run(command, as: "owner")
        // The rows of a query without an order have any order.
        #expect(again.lines.sorted() == own.lines.sorted())
    }

    @Test func placesAreAddedListedAndDeleted() async throws {
        let store = try await RuleStore()
        let notice = try await store.run("place list", as: "owner")
        #expect(notice.errors.contains("You have no private places"), "\(notice)")
        _ = try await store.table("place add home 50,10", as: "owner")
        let moved = try await store.table("place add HOME 50.5,-10.25 --radius 1km", as: "owner")
        #expect(moved["radius_m"] == ["1000"])
        _ = try await store.table("place add work 51,11 --radius 100m", as: "owner")
        let list = try await store.table("place list", as: "owner")
        #expect(list["name"] == ["HOME", "work"])
        #expect(list["longitude"] == ["-10.25", "11"])
        #expect(list["latitude"] == ["50.5", "51"])
        #expect(try await store.run("place delete home --yes", as: "owner").status == 0)
        #expect(try await store.table("place list", as: "owner")["name"] == ["work"])
        #expect(try await store.table("place list", as: "all")["name"].isEmpty)
    }

    @Test(arguments: [
        ("place add home 50,10 --radius 99m", "distance-invalid"),
        ("place add home 50,10 --radius 3km", "distance-invalid"),
        ("place add a;b 50,10", "field-invalid"), ("place add home 91,10", "position-invalid"),
        ("place delete home --yes", "not-found"),
    ])
    func invalidPlaceIsRefused(command: String, slug: String) async throws {
        let store = try await RuleStore()
        let refused = try await store.run(command, as: "owner")
        #expect(refused.errors.hasPrefix("error[\(slug)]: "), "\(refused)")
        #expect(try await store.table("place list", as: "owner")["name"].isEmpty)
    }

    @Test func operatorHasNoPrivatePlaces() async throws {
        let store = try await RuleStore()
        let refused = try await store.run("place list")
        #expect(refused.errors.hasPrefix("error[not-signed-in]: "), "\(refused)")
    }

    /// An export contains the code of each place, so that a load hides the same positions.
    @Test func exportContainsPrivatePlaces() async throws {
        let store = try await RuleStore()
        #expect(try await store.run("place add home 50,10", as: "owner").status == 0)
        #expect(try await store.run("export out").status == 0)
        let users = String(decoding: store.folder.contents("out/users.csv") ?? Data(), as: UTF8.self)
        #expect(users.contains(/50\.0,10\.0 300m home #[0-9a-f]{16}/), "\(users)")
        let repeated = try await store.run("ingest out")
        #expect(repeated.status == 0, "\(repeated.errors)")
        let seen = try await store.table("history --scope all --columns id,longitude", as: "all")
        #expect(!seen["longitude"].contains("10"))
    }
}
