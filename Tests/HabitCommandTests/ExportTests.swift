import Foundation
import HabitTestSupport
import Testing

/// Tests that `ingest(export(store)) = store` and that an export folder is complete or absent.
@Suite struct ExportTests {
    @Test(arguments: ["csv", "ndjson"])
    func exportOfSampleDataRoundTrips(format: String) async throws {
        try await expectRoundTrip(of: try SampleData.folder(), format: format)
    }

    @Test(arguments: ["csv", "ndjson"])
    func exportOfAwkwardDataRoundTrips(format: String) async throws {
        let folder = try await AwkwardData.folder()
        let records = try await RawStore.records(folder.file("habitat.db"))
        // Each of these values differs by one bit or character from a common wrong result.
        for text in TestServer.isUsed
            ? []
            : [
                "00000000000000800000000000000080",
                #""name": """#,
                #""utc_offset": 0"#,
                #""comment": """#,
                #""deleted_at": 1"#,
                #""share": "latest""#,
                #""status": "rejected""#,
                #""state": "withdrawn""#,
                "message-limit",
                "65584966",
            ]
        {
            #expect(records.contains(text), "\(text)")
        }
        try await expectRoundTrip(of: folder, format: format)
    }

    private func expectRoundTrip(of folder: TemporaryFolder, format: String) async throws {
        let copy = try TemporaryFolder()
        let original = folder.file("habitat.db")
        let out = copy.file("out")
        let first = try await Program.habitat("export", out, "--format", format, "--store", original, in: folder)
        try #require(first.status == 0, "\(first.errors)")
        let load = try await Program.habitat("ingest", "out", "--quiet", in: copy)
        #expect(load.status == 0, "\(load.errors)")
        #expect(try await RawStore.records(copy.file("habitat.db")) == RawStore.records(original))
        #expect(try await Program.habitat("export", "again", "--format", format, in: copy).status == 0)
        let difference = try await Program.run("/usr/bin/diff", ["-r", "out", "again"], in: copy.path)
        #expect(difference.status == 0, "\(difference.output)")
        // A second load finds no differences.
        let second = try await Program.habitat("ingest", "out", "--format", "csv", in: copy)
        for row in parseCSV(second.output).dropFirst() { #expect(row[1...2] == ["0", "0"], "\(row)") }
        let doctor = try await Program.habitat("doctor", in: copy)
        #expect(doctor.status == 0, "\(doctor.output)")
    }

    @Test func summaryCountsRowsAndPhotos() async throws {
        let folder = try TemporaryFolder()
        let store = try await SampleData.folder().file("habitat.db")
        let result = try await Program.habitat("export", "out", "--store", store, "--format", "csv", in: folder)
        try #require(result.status == 0, "\(result.errors)")
        let rows = parseCSV(result.output)
        #expect(
            rows.map { $0[0] ?? "" }.joined(separator: " ")
                == "kind settings users habits schedules pauses follows blocks events "
                + "items claims messages reads posts photos")
        #expect(
            rows.last == [
                "photos",
                "\(try FileManager.default.contentsOfDirectory(atPath: folder.file("out/photos")).count)",
            ])
        #expect(rows.contains(["events", "4990"]))
    }

    @Test func exportDoesNotChangeStore() async throws {
        let folder = try await SampleData.folder()
        let store = folder.file("habitat.db")
        let before = try TestServer.state(ofStoreAt: store)
        let result = try await Program.habitat("export", folder.file("unchanged"), "--store", store, in: folder)
        #expect(result.status == 0, "\(result.errors)")
        #expect(try TestServer.state(ofStoreAt: store) == before)
    }

    @Test func exportIsReadableOnlyByOwner() async throws {
        let folder = try TemporaryFolder()
        let store = try await SampleData.folder().file("habitat.db")
        #expect(try await Program.habitat("export", "out", "--store", store, in: folder).status == 0)
        #expect(try folder.permissions("out") == 0o700)
        #expect(try folder.permissions("out/photos") == 0o700)
        let photos = try FileManager.default.contentsOfDirectory(atPath: folder.file("out/photos"))
        for name in ["out/events.csv", "out/settings.csv", "out/photos/" + (photos.first ?? "")] {
            #expect(try folder.permissions(name) == 0o600, "\(name)")
        }
    }

    /// Existing files stay unchanged, and no temporary files remain.
    @Test(.fileStoreOnly) func exportKeepsExistingFilesWhenOutputExists() async throws {
        let folder = try TemporaryFolder()
        try folder.write("mine", to: "full/file")
        try folder.write("mine", to: "file")
        try FileManager.default.createDirectory(atPath: folder.file("empty"), withIntermediateDirectories: false)
        #expect(try await Program.habitat("init", in: folder).status == 0)
        let before = folder.namesWithoutWAL
        for (name, status, slug) in [
            ("full", 73, "output-exists"), ("file", 73, "output-exists"), (".", 73, "output-exists"),
            ("habitat.db", 73, "output-exists"), ("none/out", 73, "output-not-writable"),
            ("", 73, "output-not-writable"),
        ] as [(String, Int32, String)] {
            let result = try await Program.habitat("export", name, in: folder)
            #expect(result.status == status, "\(name): \(result.errors)")
            #expect(result.errors.hasPrefix("error[\(slug)]: "), "\(name): \(result.errors)")
            #expect(folder.namesWithoutWAL == before)
        }
        #expect(try folder.read("full/file") == "mine")
        #expect(try await Program.habitat("export", "empty/", in: folder).status == 0)
        let users = "id,name,email,time_zone,share_location,private_places\n"
        #expect(folder.contents("empty/users.csv") == Data(users.utf8))
        #expect(folder.namesWithoutWAL == before)
    }

    @Test(.fileStoreOnly) func exportIsRefusedForActorOrInvalidOption() async throws {
        let folder = try TemporaryFolder()
        let store = try await SampleData.folder().file("habitat.db")
        for (arguments, status, slug) in [
            (["--as", "alice"], 77, "operator-only"), (["--format", "geojson"], 64, "format-not-available"),
            (["--explain"], 64, "usage"), (["--store", "none.db"], 69, "store-unavailable"),
        ] as [([String], Int32, String)] {
            let result = try await Program.habitat(["--store", store, "export", "out"] + arguments, in: folder)
            #expect(result.status == status, "\(result.errors)")
            #expect(result.errors.hasPrefix("error[\(slug)]: "), "\(result.errors)")
            #expect(folder.names.isEmpty)
        }
    }

    /// An export contains either all rows of a concurrent load or none of them.
    @Test(.fileStoreOnly) func exportIsConsistentWhileAnotherProcessLoads() async throws {
        let folder = try TemporaryFolder()
        let scratch = try TemporaryFolder()
        let large = try await LargeStore.folder()
        try FileManager.default.copyItem(atPath: large.file("habitat.db"), toPath: folder.file("habitat.db"))
        try folder.write(LargeStore.events(in: 2021), to: "events.csv")
        let load = try Program.start(Program.habitat, ["ingest", "events.csv"], in: folder.path, scratch: scratch)
        var counts: [String] = []
        var isLast = false
        while !isLast {
            isLast = !load.isRunning
            let result = try await Program.habitat("export", "out\(counts.count)", "--format", "csv", in: folder)
            #expect(result.status == 0, "\(result.errors)")
            let rows = parseCSV(result.output)
            let events: String? = rows.first { $0[0] == "events" }?[1] ?? nil
            counts.append(events ?? "none")
        }
        #expect(await load.end() == .exit(0))
        #expect(counts.first == "\(LargeStore.eventCount)")
        #expect(counts.last == "\(2 * LargeStore.eventCount)")
        #expect(Set(counts).count == 2, "\(counts)")
    }

    @Test(arguments: [SIGKILL, SIGTERM, SIGINT])
    func stoppedExportLeavesNoOutputFolder(signal: Int32) async throws {
        let folder = try TemporaryFolder()
        let scratch = try TemporaryFolder()
        let store = try await LargeStore.folder().file("habitat.db")
        let arguments = ["export", "out", "--store", store]
        // An export that ends before the signal arrives is repeated.
        var isStopped = false
        for _ in 1...20 where !isStopped {
            let process = try Program.startInterruptible(arguments, in: folder, scratch: scratch)
            try await folder.waitForTemporaryName(of: process)
            process.send(signal)
            let end = await process.end()
            isStopped = end == .signal(signal)
            if !isStopped {
                #expect(end == .exit(0))
                try FileManager.default.removeItem(atPath: folder.file("out"))
            }
        }
        #expect(isStopped)
        #expect(!folder.names.contains("out"))
        if signal != SIGKILL { #expect(folder.names.isEmpty) }
    }
}

/// Tests of the export of a user's records before the account is deleted.
@Suite struct UserExportTests {
    private func store() async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try FileManager.default.copyItem(
            atPath: try await SampleData.folder().file("habitat.db"), toPath: folder.file("habitat.db"))
        return folder
    }

    @Test(.fileStoreOnly) func userExportContainsOnlyRecordsOfUser() async throws {
        let folder = try await store()
        let before = try await RawStore.records(folder.file("habitat.db"))
        let result = try await Program.habitat(
            "user", "delete", "alice", "--yes", "--export", "alice", "--format", "csv", in: folder)
        try #require(result.status == 0, "\(result.errors)")
        let counts = parseCSV(result.output)
        for (kind, count) in zip(counts[0], counts[1]) {
            guard let kind, let count, kind != "deleted" else { continue }
            let rows = parseCSV(try folder.read("alice/\(kind).csv")).dropFirst()
            // The deletion also counts messages between other users about alice's items. These messages are not hers.
            if kind != "messages" { #expect("\(rows.count)" == count, "\(kind)") }
            #expect(
                rows.allSatisfy { row in kind == "schedules" || kind == "claims" || row.contains("alice") }, "\(kind)")
        }
        #expect(parseCSV(try folder.read("alice/events.csv")).count > 10)
        #expect(!FileManager.default.fileExists(atPath: folder.file("alice/settings.csv")))
        #expect(!(try await RawStore.records(folder.file("habitat.db"))).contains(#""external_id": "alice""#))
        // Loading the export into a store with the other users restores the account.
        try await FileManager.default.copyItem(
            atPath: try SampleData.folder().file("habitat.db"), toPath: folder.file("other.db"))
        let load = try await Program.habitat("ingest", "alice", "--store", "other.db", "--format", "csv", in: folder)
        #expect(load.status == 0, "\(load.errors)")
        #expect(try await RawStore.records(folder.file("other.db")) == before)
    }

    @Test(.fileStoreOnly) func accountIsKeptWhenExportFails() async throws {
        let folder = try await store()
        let before = try await RawStore.records(folder.file("habitat.db"))
        try folder.write("mine", to: "full/file")
        for (arguments, slug) in [
            (["alice", "--export", "full"], "output-exists"),
            (["alice", "--export", "none/out"], "output-not-writable"),
            (["alice", "--as", "bruno", "--export", "out"], "not-yours"), (["nobody", "--export", "out"], "not-found"),
            (["alice", "--export", "out", "--output", "none/out.csv"], "output-not-writable"),
        ] {
            let result = try await Program.habitat(["user", "delete", "--yes"] + arguments, in: folder)
            #expect(result.errors.contains("error[\(slug)]: "), "\(arguments): \(result.errors)")
            #expect(folder.names.contains("out") == arguments.contains("none/out.csv"))
            #expect(result.errors.contains("The account was not deleted") == arguments.contains("none/out.csv"))
        }
        #expect(try await RawStore.records(folder.file("habitat.db")) == before)
    }
}
