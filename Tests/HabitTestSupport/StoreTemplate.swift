import Foundation

/// A small store that is loaded once and copied for each test.
public struct StoreTemplate: Sendable {
    /// Habits, events and follows.
    ///
    /// `all` and `latest` follow `owner` with the share of their name. `pending` has a pending request, `rejected` a
    /// rejected one, and `stranger` none. `hidden` does not share a location. The users `kiri`, `pago`, `lisbon` and
    /// `auckland` are in other time zones.
    ///
    /// The command line and the server are tested with the same records, on Friday, 2026-11-20, at noon in UTC.
    public static let rules = StoreTemplate(ruleFiles)
    /// Items, claims and posts.
    ///
    /// `pat` has posted everything. `cleo` holds the claims, `rex` has released his, and `sam` is a stranger. `fay`
    /// follows pat with the share `all`, and `lou` with the share `latest`. The request of `pen` is pending, and that of
    /// `rej` was rejected. All are in UTC.
    public static let sharing = StoreTemplate(
        sharingFiles, then: ["post", "delete", "p-gone", "--as", "pat", "--yes"])
    /// The habits of ``HabitStatisticsCase/all``, of the user `ann`.
    public static let statistics = StoreTemplate(HabitStatisticsCase.files)

    /// The instant at which the records are loaded.
    public static let now = "2026-11-20T12:00:00Z"

    /// The IDs of the users.
    public let users: [String]
    private let loaded: Task<TemporaryFolder, any Error>

    /// Creates a template with the records of files.
    ///
    /// - Parameters:
    ///   - files: The texts of the files by name. The photos of the sample data are next to the files.
    ///   - command: A command that changes the store after the load.
    public init(_ files: [String: String], then command: [String] = []) {
        let rows = (files["users.csv"] ?? "").split(separator: "\n").dropFirst()
        users = rows.map { String($0.prefix { $0 != "," }) }
        loaded = Task {
            let folder = try await Self.load(files)
            if !command.isEmpty { try await Self.run(command, in: folder) }
            return folder
        }
    }

    /// Returns a folder with a copy of the store in `habitat.db`.
    public func copy() async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try TestServer.copyStore(at: try await loaded.value.file("habitat.db"), to: folder.file("habitat.db"))
        return folder
    }

    private static func load(_ files: [String: String]) async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for (name, text) in files { try folder.write(text, to: "in/\(name)") }
        let photos = Program.repository + "/sample-data/photos"
        for name in try FileManager.default.contentsOfDirectory(atPath: photos) {
            try FileManager.default.copyItem(atPath: photos + "/" + name, toPath: folder.file("in/\(name)"))
        }
        try await run(["ingest"] + files.keys.map { "in/\($0)" }.sorted(), in: folder)
        return folder
    }

    private struct Failure: Error { var result: ProgramResult }

    private static func run(_ command: [String], in folder: TemporaryFolder) async throws {
        let result = try await Program.habitat(["--now", now] + command, in: folder)
        guard result.status == 0 else { throw Failure(result: result) }
    }

    private static let ruleFiles = [
        "users.csv": """
        id,name,email,time_zone,share_location
        owner,Olga Owner,olga@example.org,UTC,true
        all,,,UTC,true
        latest,,,UTC,true
        pending,,,UTC,true
        rejected,,,UTC,true
        stranger,,,UTC,true
        hidden,,,UTC,false
        kiri,,,Pacific/Kiritimati,true
        pago,,,Pacific/Pago_Pago,true
        lisbon,,,Europe/Lisbon,true
        auckland,,,Pacific/Auckland,true

        """,
        "habits.csv": """
        id,user,title,days,reason,start,end
        run,owner,Run,1111111,secret reason,2026-09-01,
        read,owner,Straße,mon wed fri,,2026-11-02,
        gone,owner,Gone,1111111,,2026-09-01,2026-11-18
        soon,owner,Soon,1111111,,2026-11-23,
        twin-1,owner,Twin,tue,,2026-09-01,
        twin-2,owner,TWIN,tue,,2026-09-01,
        other,stranger,run,1111111,,2026-09-01,
        hidden-walk,hidden,Walk,1111111,,2026-09-01,
        kiri-run,kiri,Kiri,1111111,,2026-09-01,
        pago-run,pago,Pago,1111111,,2026-09-01,
        lisbon-run,lisbon,Lisbon,1111111,,2026-09-01,
        auckland-run,auckland,Auckland,1111111,,2026-09-01,

        """,
        "follows.csv": """
        follower,followee,status,share
        all,owner,accepted,all
        latest,owner,accepted,latest
        pending,owner,pending,all
        rejected,owner,rejected,all

        """,
        "events.csv": """
        id,habit,day,at,comment,photo,longitude,latitude
        r17,run,2026-11-17,2026-11-17T07:00:00Z,rain 100%,hills.png,10,50
        r18,run,2026-11-18,2026-11-18T07:00:00Z,,,10.01,50
        r19,run,2026-11-19,2026-11-19T07:00:00Z,Sunny Tag,reef.png,,
        b18,read,2026-11-18,2026-11-18T21:00:00Z,page 3,,10.02,50
        x18,other,2026-11-18,2026-11-18T08:00:00Z,theirs,,10,50

        """,
    ]

    private static let sharingUsers = ["pat", "cleo", "rex", "sam", "fay", "lou", "pen", "rej"]

    private static let sharingFiles = [
        "users.csv": "id,email\n" + sharingUsers.map { "\($0),\($0)@example.org\n" }.joined(),
        "habits.csv": "id,user,title,days\nread,pat,Read,1111111\n",
        "follows.csv":
            "follower,followee,status,share\nfay,pat,accepted,all\nlou,pat,accepted,latest\npen,pat,pending,all\nrej,pat,rejected,all\n",
        "events.csv":
            "id,habit,day,photo\ne-old,read,2026-11-10,lamp.png\ne-new,read,2026-11-15,tram.png\ne-bare,read,2026-11-14,\n",
        "items.csv": """
        id,user,name,photo,state,posted_at,expires,longitude,latitude
        i-available,pat,Lamp,lamp.png,available,2026-11-01T08:00:00Z,,-9.1,38.7
        i-claimed,pat,Chair,chair.png,claimed,2026-11-02T08:00:00Z,,-9.1,38.7
        i-given,pat,Books,books.png,given,2026-11-03T08:00:00Z,,-9.1,38.7
        i-withdrawn,pat,Kettle,kettle.png,withdrawn,2026-11-04T08:00:00Z,,-9.1,38.7
        i-expired,pat,Plant,plant.png,available,2026-11-05T08:00:00Z,2026-11-19,-9.1,38.7

        """,
        "claims.csv": """
        item,user,state,claimed_at
        i-claimed,cleo,claimed,2026-11-12T08:00:00Z
        i-claimed,rex,released,2026-11-11T08:00:00Z
        i-given,cleo,given,2026-11-12T08:00:00Z
        i-given,rex,released,2026-11-11T08:00:00Z
        i-withdrawn,cleo,released,2026-11-12T08:00:00Z

        """,
        "posts.csv": """
        id,user,caption,photo,posted_at,longitude,latitude
        p-river,pat,At the river,river.png,2026-11-06T08:00:00Z,-9.1,38.7
        p-gone,pat,Soon gone,wave.png,2026-11-07T08:00:00Z,-9.1,38.7

        """,
    ]
}
