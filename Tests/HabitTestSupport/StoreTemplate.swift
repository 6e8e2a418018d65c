import Foundation

/// A small store for tests of rules, loaded once and copied for each test.
///
/// The command line and the server are tested with the same records, on Friday, 2026-11-20, at noon in UTC.
public enum StoreTemplate: Sendable {
    /// Habits, events and follows.
    ///
    /// `all` and `latest` follow `owner` with the share of their name. `pending` has a pending request, `rejected` a
    /// rejected one, and `stranger` none. `hidden` does not share a location. The users `kiri`, `pago`, `lisbon` and
    /// `auckland` are in other time zones.
    case rules
    /// Items, claims and posts.
    ///
    /// `pat` has posted everything. `cleo` holds the claims, `rex` has released his, and `sam` is a stranger. `fay`
    /// follows pat with the share `all`, and `lou` with the share `latest`. The request of `pen` is pending, and that of
    /// `rej` was rejected. All are in UTC.
    case sharing
    /// The habits of ``HabitStatisticsCase/all``, of the user `ann`.
    case statistics

    /// The IDs of the users.
    public var users: [String] {
        switch self {
        case .rules:
            [
                "owner", "all", "latest", "pending", "rejected", "stranger", "hidden", "kiri", "pago", "lisbon",
                "auckland",
            ]
        case .sharing: ["pat", "cleo", "rex", "sam", "fay", "lou", "pen", "rej"]
        case .statistics: ["ann"]
        }
    }

    /// The instant at which the records are loaded.
    public static let now = "2026-11-20T12:00:00Z"

    /// Copies the store to a path.
    public func copy(to path: String) async throws {
        let folder =
            switch self {
            case .rules: Self.loadedRules
            case .sharing: Self.loadedSharing
            case .statistics: Self.loadedStatistics
            }
        try TestServer.copyStore(at: await folder.value.file("habitat.db"), to: path)
    }

    private struct LoadFailure: Error { var result: ProgramResult }

    private static let loadedRules = Task { try await load(files) }
    private static let loadedStatistics = Task { try await load(HabitStatisticsCase.files) }

    private static let loadedSharing = Task {
        let folder = try await load(sharingFiles)
        let delete = try await Program.habitat(
            "post", "delete", "p-gone", "--as", "pat", "--yes", "--now", now, in: folder)
        guard delete.status == 0 else { throw LoadFailure(result: delete) }
        return folder
    }

    private static func load(_ files: [String: String]) async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for (name, text) in files { try folder.write(text, to: "in/\(name)") }
        let photos = Program.repository + "/sample-data/photos"
        for name in try FileManager.default.contentsOfDirectory(atPath: photos) {
            try FileManager.default.copyItem(atPath: photos + "/" + name, toPath: folder.file("in/\(name)"))
        }
        let inputs = files.keys.map { "in/\($0)" }.sorted()
        let load = try await Program.habitat(["ingest", "--now", now] + inputs, in: folder)
        guard load.status == 0 else { throw LoadFailure(result: load) }
        return folder
    }

    private static let files = [
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

    private static let sharingFiles = [
        "users.csv": "id,email\n" + StoreTemplate.sharing.users.map { "\($0),\($0)@example.org\n" }.joined(),
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
