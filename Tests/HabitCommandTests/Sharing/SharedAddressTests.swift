import HabitTestSupport
import Testing

/// Tests that the operator learns of accounts with the same email address.
@Suite(.engineIndependent) struct SharedAddressTests {
    private static func folder() async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(
            "id,email,time_zone\nann,ann@example.org,UTC\nbob,bob@example.org,UTC\ncy,,UTC\n", to: "users.csv")
        let loaded = try await Program.habitat("ingest", "users.csv", in: folder)
        try #require(loaded.status == 0, "\(loaded)")
        #expect(!loaded.errors.contains("email address"), "\(loaded.errors)")
        return folder
    }

    @Test func addedAccountWithSameAddressIsNamed() async throws {
        let folder = try await Self.folder()
        let added = try await Program.habitat("user", "add", "eve", "--email", "ANN@example.org", in: folder)
        #expect(added.status == 0, "\(added)")
        #expect(added.errors.contains("the email address of 'eve' is also the address of 'ann'"), "\(added.errors)")
        let other = try await Program.habitat("user", "add", "fay", "--email", "fay@example.org", in: folder)
        #expect(!other.errors.contains("email address"), "\(other.errors)")
    }

    @Test func changedAccountWithSameAddressIsNamedOnlyToOperator() async throws {
        let folder = try await Self.folder()
        let changed = try await Program.habitat("user", "edit", "bob", "--email", "ann@example.org", in: folder)
        #expect(changed.errors.contains("the email address of 'bob' is also the address of 'ann'"), "\(changed.errors)")
        let name = try await Program.habitat("user", "edit", "bob", "--name", "Bob", in: folder)
        #expect(!name.errors.contains("email address"), "\(name.errors)")
        // A user must not learn which addresses other users have.
        let own = try await Program.habitat("user", "edit", "--as", "cy", "--email", "ann@example.org", in: folder)
        #expect(own.status == 0, "\(own)")
        #expect(own.errors.isEmpty, "\(own.errors)")
    }

    @Test func loadOfSameAddressIsReported() async throws {
        let folder = try await Self.folder()
        try folder.write("id,email\ncy,Bob@Example.org\n", to: "users.csv")
        let loaded = try await Program.habitat("ingest", "users.csv", in: folder)
        #expect(loaded.status == 0, "\(loaded)")
        #expect(
            loaded.errors.contains("2 accounts have the email address of another account ('bob', 'cy')"),
            "\(loaded.errors)")
        let repeated = try await Program.habitat("ingest", "users.csv", in: folder)
        #expect(!repeated.errors.contains("email address"), "\(repeated.errors)")
    }

    @Test func operatorCanListAddresses() async throws {
        let folder = try await Self.folder()
        let list = ["user", "list", "--columns", "id,email", "--format", "csv"]
        #expect(
            try await Program.habitat(list, in: folder).lines == [
                "id,email", "ann,ann@example.org", "bob,bob@example.org", "cy,",
            ])
        let plain = try await Program.habitat("user", "list", "--format", "csv", in: folder)
        #expect(plain.lines.first == "id,name,following,follower")
        let refused = try await Program.habitat(list + ["--as", "ann"], in: folder)
        #expect(refused.status == 64, "\(refused)")
        #expect(!refused.output.contains("@"), "\(refused)")
    }
}
