import Foundation
import HabitTestSupport
import Testing

/// Tests of accounts: deletion, the inbox and location sharing.
@Suite struct AccountRuleTests {
    // MARK: Deleting

    /// Prints for each table the number of rows of the user with this key and a digest of all other rows.
    private static let inventory = """
        import hashlib, sys
        victim = KEY
        theirs = 'user_id = %d' % victim
        items = 'item_id IN (SELECT id FROM item WHERE %s)' % theirs
        tables = [
            ('users', 'account', 'id = %d' % victim), ('habits', 'habit', theirs),
            ('schedules', 'habit_schedule', 'habit_id IN (SELECT id FROM habit WHERE %s)' % theirs),
            ('pauses', 'pause', theirs), ('follows', 'follow', '%d IN (follower_id, followee_id)' % victim), ('events', 'event', theirs),
            ('items', 'item', theirs), ('claims', 'claim', '%s OR %s' % (theirs, items)),
            ('messages', 'message', '%d IN (sender_id, recipient_id) OR %s' % (victim, items)), ('posts', 'post', theirs),
            ('settings', 'setting', '0'),
        ]
        held = "SELECT item_id FROM claim WHERE %s AND state = 'claimed'" % theirs
        for name, table, condition in tables:
            digest = hashlib.sha256()
            columns = [c[1] for c in db.execute('PRAGMA table_info(%s)' % table)]
            if table == 'item':
                # What the user had claimed is available again, in another version.
                columns.remove('version')
                columns[columns.index('state')] = "CASE WHEN id IN (%s) THEN 'available' ELSE state END" % held
            rest = 'SELECT %s FROM %s WHERE NOT (%s) ORDER BY 1' % (', '.join(columns), table, condition)
            for row in db.execute(rest): digest.update(repr(row).encode())
            count = db.execute('SELECT count(*) FROM %s WHERE %s' % (table, condition)).fetchone()[0]
            print(name, count, digest.hexdigest()[:16])

        """

    private static func sampleFixture() async throws -> SharingStore {
        let fixture = try await SharingStore()
        try await SampleData.copy(to: fixture.folder.file("habitat.db"))
        return fixture
    }

    @Test(
        .fileStoreOnly,
        arguments: [
            ("bruno", "bruno"),
            ("alice", nil),
            ("hana", nil),
        ] as [(String, String?)])
    func deletingAccountRemovesOnlyRecordsOfUser(victim: String, user: String?) async throws {
        let fixture = try await Self.sampleFixture()
        let key = try await fixture.runPython(
            "print(db.execute(\"SELECT id FROM account WHERE external_id = '\(victim)'\").fetchone()[0])")
        let inventory = Self.inventory.replacing("KEY", with: key.trimmingCharacters(in: .newlines))
        let held = "SELECT count(*) FROM items WHERE claimed_by = '\(victim)' AND state = 'claimed'"
        let available = "SELECT count(*) FROM item WHERE state = 'available'"
        func table(_ text: String, _ column: Int) -> [String] {
            text.split(separator: "\n").map { String($0.split(separator: " ")[column]) }
        }
        let before = try await fixture.runPython(inventory)
        #expect(!(try await fixture.rows(held)).contains("0") || victim != "bruno", "the user has claimed items")
        #expect(try await fixture.runPython("print(db.execute(\"\(available)\").fetchone()[0])") != "0\n")
        let result = try await fixture.expectSuccess(
            ["user", "delete", victim, "--yes", "--format", "json"], as: user)
        let after = try await fixture.runPython(inventory)
        #expect(table(after, 1).allSatisfy { $0 == "0" }, "no record of the user remains: \(after)")
        #expect(table(after, 2) == table(before, 2), "records of other users are unchanged\n\(before)\n\(after)")
        let summary = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any] ?? [:]
        #expect(summary["deleted"] as? String == victim)
        for (kind, count) in zip(table(before, 0), table(before, 1)) where kind != "settings" {
            #expect(summary[kind] as? Int == Int(count), "\(kind): \(summary)")
        }
        let checks = """
            used = 'SELECT photo_id FROM event UNION SELECT photo_id FROM item UNION SELECT photo_id FROM post'
            print(db.execute('SELECT count(*) FROM photo WHERE id NOT IN (SELECT * FROM (%s) WHERE photo_id > 0)' % used).fetchone())
            print(db.execute('PRAGMA foreign_key_check').fetchall(), db.execute('PRAGMA integrity_check').fetchall())
            for table in 'event', 'item', 'post':
                print(db.execute('SELECT (SELECT count(*) FROM idx_%s_geometry) - count(geometry) FROM %s' % (table, table)).fetchone())
            db.execute("INSERT INTO event_comment (event_comment) VALUES ('integrity-check')")
            """
        #expect(try await fixture.runPython(checks) == "(0,)\n[] [('ok',)]\n(0,)\n(0,)\n(0,)\n")
        try await fixture.expectRefusal(["habit", "list"], as: victim, "not-signed-in")
        try await fixture.expectRefusal(["user", "show", victim], "not-found")
    }

    @Test func deletingAccountIsRefusedForOtherUsers() async throws {
        let fixture = try await SharingStore()
        try await fixture.expectRefusal("user", "delete", "pat", "--yes", as: "sam", "not-yours")
        try await fixture.expectRefusal("user", "delete", "ghost", "--yes", as: "sam", "not-found")
        try await fixture.expectRefusal("user", "delete", "pat", "--yes", as: "", "not-signed-in")
        try await fixture.expectRefusal(["user", "delete", "--yes"], "not-signed-in")
        try await fixture.expectRefusal("user", "delete", as: "pat", "confirm-required")
        try await fixture.expectRefusal(["user", "delete", "pat"], "confirm-required")
        // An output that cannot be written is refused before any change.
        try await fixture.expectRefusal(
            "user", "delete", "--yes", "--output", "none/x.csv", as: "pat", "output-not-writable")
        try await fixture.expectSuccess("user", "delete", "--yes", as: "cleo")
        #expect(
            try await fixture.rows("SELECT id, state FROM items WHERE id IN ('i-claimed', 'i-given') ORDER BY id")
                == ["i-claimed,available", "i-given,given"])
        try await fixture.expectSuccess("item", "claim", "i-claimed", as: "sam")
    }

    /// A killed deletion is either complete or has no effect.
    @Test(.fileStoreOnly) func killedDeleteIsCompleteOrAbsent() async throws {
        let counts =
            "SELECT (SELECT count(*) FROM users), (SELECT count(*) FROM events), (SELECT count(*) FROM follows)"
        let fixture = try await Self.sampleFixture()
        let before = try await fixture.rows(counts)
        let scratch = try TemporaryFolder()
        for attempt in 0..<8 {
            let delete = ["user", "delete", "alice", "--yes", "--now", SampleData.now]
            let process = try Program.start(Program.habitat, delete, in: fixture.folder.path, scratch: scratch)
            try await Task.sleep(for: .seconds(0.04 + Double(attempt) * 0.02))
            process.send(SIGKILL)
            let end = await process.end()
            let after = try await fixture.rows(counts)
            if after != before {
                #expect(after[0].hasPrefix("39,"))
                #expect(try await fixture.rows("SELECT count(*) FROM habits WHERE user = 'alice'") == ["0"])
                break
            }
            #expect(end == .signal(SIGKILL), "exit status 0 means that the account is deleted")
        }
        #expect(try await fixture.runPython("print(db.execute('PRAGMA foreign_key_check').fetchall())") == "[]\n")
    }

    // MARK: The inbox

    @Test func inboxListsUnansweredRecords() async throws {
        let fixture = try await SharingStore()
        func inbox(_ user: String) async throws -> [String] {
            let result = try await fixture.expectSuccess(
                "inbox", "--format", "csv", "--columns", "kind,user,item,text", as: user)
            return Array(result.lines.dropFirst())
        }
        #expect(try await inbox("pat") == ["claim,cleo,i-claimed,Chair", "request,pen,,"])
        #expect(try await inbox("sam").isEmpty)
        #expect(try await fixture.run("inbox", as: "sam").errors.contains("inbox is empty"))
        func send(_ text: String, by user: String, _ time: String) async throws {
            let now = "2026-11-20T12:\(time)Z"
            try await fixture.expectSuccess(
                "message", "send", "--item", "i-claimed", "--text", text, "--now", now, as: user)
        }
        try await send("When?", by: "cleo", "00:01")
        try await send("Please", by: "cleo", "00:02")
        #expect(
            try await inbox("pat") == [
                "message,cleo,i-claimed,Please", "message,cleo,i-claimed,When?", "claim,cleo,i-claimed,Chair",
                "request,pen,,",
            ])
        #expect(try await inbox("cleo").isEmpty)
        try await send("At six", by: "pat", "00:03")
        #expect(
            try await inbox("pat") == ["claim,cleo,i-claimed,Chair", "request,pen,,"],
            "answered messages are not listed")
        #expect(try await inbox("cleo") == ["message,pat,i-claimed,At six"])
        try await fixture.expectSuccess("follow", "accept", "pen", as: "pat")
        try await fixture.expectSuccess("item", "give", "i-claimed", as: "pat")
        #expect(try await inbox("pat").isEmpty)
        try await fixture.expectRefusal(["inbox"], "not-signed-in")
        try await fixture.expectRefusal("inbox", as: "", "not-signed-in")
    }

    // MARK: Texts with one line

    @Test(arguments: [
        ["user", "edit", "pat", "--name"], ["habit", "add", "--days", "mon", "--title"],
        ["habit", "edit", "read", "--reason"], ["habit", "edit", "read", "--unit"],
        ["habit", "edit", "read", "--title"],
        ["item", "edit", "i-available", "--name"],
        ["item", "post", "--photo", SharingStore.photoPath("lamp.png"), "--name"],
    ])
    func textWithControlCharacterIsRefused(command: [String]) async throws {
        let fixture = try await SharingStore()
        for text in ["ctrl\u{1}", "a\nb", "a\u{85}b", "\u{1b}[1m", "a\u{2028}b"] {
            let errors = try await fixture.expectRefusal(command + [text], as: "pat", "text-invalid")
            #expect(errors.contains("contains a control character or a line break"), "\(errors)")
        }
    }

    @Test func operatorCannotStoreTextsWithLinesAndInvalidAddresses() async throws {
        let fixture = try await SharingStore()
        try await fixture.expectRefusal(["user", "add", "new", "--name", "a\nb"], "text-invalid")
        try await fixture.expectRefusal(["token", "create", "--user", "pat", "--label", "a\u{7}"], "text-invalid")
        try await fixture.expectRefusal(
            ["token", "create", "--user", "pat", "--calendar", "--label", "a\r\nb"], "text-invalid")
        for address in ["-oQ/tmp@example.org", "a,b@example.org", "a@example.org b@example.org", "ann"] {
            try await fixture.expectRefusal(["user", "add", "new", "--email", address], "field-invalid")
            try await fixture.expectRefusal(["user", "edit", "pat", "--email", address], "field-invalid")
        }
    }

    // MARK: Location sharing

    @Test(arguments: [
        ["event", "add", "--habit", "read"], ["event", "edit", "e-new"], ["item", "edit", "i-available"],
        ["post", "edit", "p-river"],
        ["item", "post", "--name", "Lamp", "--photo", SharingStore.photoPath("lamp.png")],
        ["post", "add", "--photo", SharingStore.photoPath("lamp.png")],
    ])
    func positionIsRefusedWhenUserDoesNotShareLocation(command: [String]) async throws {
        let fixture = try await SharingStore()
        try await fixture.expectSuccess("user", "edit", "--share-location", "no", as: "pat")
        for position in ["-33.87,151.21", "0,0"] {
            let errors = try await fixture.expectRefusal(
                command + ["--position", position], as: "pat", "location-not-permitted")
            #expect(errors.contains("user edit --share-location yes"), "the error names the command")
        }
        let without = try await fixture.run(command + ["--position", "none", "--format", "json"], as: "pat")
        #expect(without.status == 0, "\(without.errors)")
        #expect(without.output.contains("\"longitude\":null"))
        try await fixture.expectSuccess("user", "edit", "--share-location", "yes", as: "pat")
        let again = command[1] == "add" && command[0] == "event" ? ["event", "edit", "e-new"] : command
        let result = try await fixture.run(again + ["--position", "0,0", "--format", "json"], as: "pat")
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("\"longitude\":0,\"latitude\":0"), "0,0 is a position: \(result.output)")
    }

    @Test func shareLocationIsChangedOnlyByUserAndOperator() async throws {
        let fixture = try await SharingStore()
        try await fixture.expectRefusal("user", "edit", "pat", "--share-location", "no", as: "sam", "not-yours")
        try await fixture.expectRefusal("user", "edit", "--share-location", "maybe", as: "pat", "parameter-invalid")
        try await fixture.expectSuccess("user", "edit", "pat", "--share-location", "no")
        let edit = ["item", "edit", "i-available", "--position"]
        try await fixture.expectRefusal(edit + ["1,2"], as: "pat", "location-not-permitted")
        // Stored positions are kept.
        #expect(
            try await fixture.rows("SELECT longitude, latitude FROM items WHERE id = 'i-available'") == ["-9.1,38.7"])
    }
}
