import Foundation
import HabitTestSupport
import Testing

/// Tests of `nightly --per-user` and `nightly --every`.
@Suite(.engineIndependent) struct NightlyDigestTests {
    private static let now = "2026-12-02T12:00:00Z"

    /// A store in which `fay` follows `a/b`, and no user follows `sam`.
    private static func store() async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(
            "id,name,email\na/b,Ann,ann@example.org\nfay,,\nsam,Sam,sam@example.org\nidle,,idle@example.org\n",
            to: "users.csv")
        try folder.write(
            "id,user,title,days,reason,start\nread,a/b,Read,1111111,secret of Ann,2026-09-01\nrun,fay,Run,1111111,,2026-09-01\nsew,sam,Sew,1111111,,2026-09-01\n",
            to: "habits.csv")
        try folder.write("follower,followee,status,share\nfay,a/b,accepted,all\n", to: "follows.csv")
        try folder.write(
            "habit,day,comment\nread,2026-11-29,of Ann\nread,2026-11-27,earlier\nsew,2026-11-29,of Sam\n",
            to: "events.csv")
        let load = try await Program.habitat(
            "ingest", "users.csv", "habits.csv", "follows.csv", "events.csv", "--now", now, in: folder)
        #expect(load.status == 0, "\(load)")
        return folder
    }

    private static func nightly(_ arguments: String..., in folder: TemporaryFolder) async throws -> ProgramResult {
        try await Program.habitat(["nightly", "--output", "nights", "--now", now] + arguments, in: folder)
    }

    @Test func digestContainsOnlyWhatItsUserCanSee() async throws {
        let folder = try await Self.store()
        let result = try await Self.nightly("--date", "2026-11-29", "--per-user", in: folder)
        #expect(result.status == 0, "\(result)")
        let list = parseCSV(try folder.read("nights/2026-11-29/digests.csv"))
        #expect(
            list == [
                ["user", "email", "text", "html", "name"],
                ["a/b", "ann@example.org", "digest-a%2Fb.txt", "digest-a%2Fb.html", "Ann"],
                ["fay", nil, "digest-fay.txt", "digest-fay.html", nil],
                ["sam", "sam@example.org", "digest-sam.txt", "digest-sam.html", "Sam"],
            ])
        let visible: [(file: String, shown: [String], hidden: [String])] = [
            ("digest-a%2Fb", ["of Ann", "Read"], ["of Sam", "Sew", "Run"]),
            ("digest-fay", ["of Ann", "Run"], ["of Sam", "Sew", "secret of Ann"]),
            ("digest-sam", ["of Sam", "Sew"], ["of Ann", "Read", "Run"]),
        ]
        for digest in visible {
            let page = try folder.read("nights/2026-11-29/\(digest.file).html")
            for text in digest.shown { #expect(page.contains(text), "\(digest.file): \(text)") }
            let summary = try folder.read("nights/2026-11-29/\(digest.file).txt")
            #expect(summary.hasPrefix("Habits on Sunday, 2026-11-29\nFor "), "\(summary)")
            #expect(summary.split(separator: "\n").allSatisfy { $0.count <= 78 }, "\(summary)")
            for text in digest.hidden {
                #expect(!page.contains(text), "\(digest.file): \(text)")
                #expect(!summary.contains(text), "\(digest.file): \(text)")
            }
        }
        #expect(try folder.read("nights/2026-11-29/summary.txt").contains("- digests.csv: 3 rows\n"))
        let plain = try await Program.habitat(
            ["nightly", "--output", "plain", "--date", "2026-11-29", "--now", Self.now], in: folder)
        #expect(plain.status == 0, "\(plain)")
        #expect(!FileManager.default.fileExists(atPath: folder.file("plain/2026-11-29/digests.csv")))
    }

    @Test func textContainsOnlyOwnHabitsWithoutIDs() async throws {
        let folder = try await Self.store()
        #expect(try await Self.nightly("--date", "2026-11-29", "--per-user", in: folder).status == 0)
        #expect(
            try folder.read("nights/2026-11-29/digest-a%2Fb.txt") == """
                Habits on Sunday, 2026-11-29
                For Ann

                Done: 1 of 1, 100 %. Four weeks: 7 %.
                Longest current streak: Read (1 day).

                To do
                title  done  status      outcome
                ─────  ────  ──────────  ───────
                Read   ✓     ◆ Inactive  ✓ done

                """)
        let fay = try folder.read("nights/2026-11-29/digest-fay.txt")
        #expect(fay.contains("Run    –  "), "\(fay)")
        #expect(!fay.contains("a/b"), "\(fay)")
        let page = try folder.read("nights/2026-11-29/digest-fay.html")
        // Rates are percentages, and followed users' habits without a rate have no bar.
        let body = try #require(page.range(of: "<body>"))
        #expect(!page[body.upperBound...].contains("0.0"))
        #expect(page.contains("<figcaption>completion rate by habit</figcaption>"), "\(page)")
        #expect(page.contains("<span><i class=\"dot inactive\"></i>Run</span> <strong>0 %</strong>"))
        #expect(!page.contains("<strong>–</strong>"))
        #expect(page.contains("<dt>Done</dt><dd>0 of 1<small>0 %</small></dd>"))
    }

    @Test func digestOfWeekListsHabitsWithRatesAndStreak() async throws {
        let folder = try await Self.store()
        #expect(try await Self.nightly("--every", "week", "--date", "2026-12-01", "--per-user", in: folder).status == 0)
        #expect(
            try folder.read("nights/2026-11-29/digest-a%2Fb.txt") == """
                Habits from 2026-11-23 to 2026-11-29
                For Ann

                Done: 2 of 7, 29 %. Before: 0 %.
                Longest current streak: Read (1 day).

                Habits of the period
                title  due  done  rate  before  streak
                ─────  ───  ────  ────  ──────  ──────
                Read     7     2  29 %     0 %       1

                """)
    }

    @Test func weekAndMonthHaveFiguresAndNames() async throws {
        let folder = try await Self.store()
        #expect(try await Self.nightly("--every", "week", "--date", "2026-12-01", in: folder).status == 0)
        let summary = try folder.read("nights/2026-11-29/summary.txt")
        #expect(
            summary.contains("Done: 3 of 21, 14 %, 3 more than in the week before (0 of 21, 0 %).\n"), "\(summary)")
        let page = try folder.read("nights/2026-11-29/index.html")
        #expect(page.contains("<div><dt>Done</dt><dd>3 of 21<small>14 %</small></dd></div>"))
        #expect(page.contains("<dt>Change</dt><dd>+3<small>0 of 21, 0 % in the week before</small></dd>"))
        #expect(!page.contains("<dt>Events</dt>"))
        let list = try folder.read("nights/index.html")
        #expect(list.contains("<h1>Weekly reports</h1>"))
        #expect(!list.contains("Sunday"))
        #expect(
            list.contains("<a href=\"2026-11-29/index.html\"><time>2026-11-23</time> to <time>2026-11-29</time></a>"))
        #expect(list.contains("<p class=\"count\">1 week</p>"))
        #expect(list.contains("<td class=\"n\">3 of 21</td><td class=\"n\">14 %</td>"))
        let month = try await Program.habitat(
            ["nightly", "--output", "months", "--every", "month", "--now", Self.now], in: folder)
        #expect(month.status == 0, "\(month)")
        let months = try folder.read("months/index.html")
        #expect(months.contains("<h1>Monthly reports</h1>"))
        #expect(months.contains(">November 2026</a>"))
        #expect(try folder.read("months/2026-11-30/summary.txt").contains("in the 30 days before"))
    }

    /// The example script passes each digest with an address to a program with the interface of sendmail.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "Python is not installed"))
    func scriptSendsTextAndPageOfEachDigest() async throws {
        let folder = try await Self.store()
        #expect(try await Self.nightly("--date", "2026-11-29", "--per-user", in: folder).status == 0)
        try folder.write("#!/bin/sh\necho \"$@\" >>options\ncat >>mail\n", to: "sendmail")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.file("sendmail"))
        let script = Program.repository + "/Packaging/examples/mail-digests"
        func send(with program: String) async throws -> ProgramResult {
            try await Program.run(
                script, ["nights/latest", "habits@example.org"], in: folder.path,
                environment: ["SENDMAIL": program, "PATH": "/usr/bin:/bin"])
        }
        let result = try await send(with: folder.file("sendmail"))
        #expect(result.status == 0, "\(result)")
        #expect(result.output == "", "\(result)")
        #expect(result.errors == "", "\(result)")
        #expect(try folder.read("options") == "-t -i\n-t -i\n")
        let mail = try folder.read("mail")
        for line in [
            "From: habits@example.org\nTo: ann@example.org\nSubject: Habits on Sunday, 2026-11-29\n",
            "\nTo: sam@example.org\n", "Content-Type: text/plain; charset=\"utf-8\"\n",
            "Content-Type: text/html; charset=\"utf-8\"\n",
        ] { #expect(mail.contains(line), "\(line)") }
        #expect(mail.components(separatedBy: "\nTo: ").count == 3)
        let failed = try await send(with: "/bin/false")
        #expect(failed.status == 1, "\(failed)")
        #expect(failed.errors.contains("the message to 'sam' was not sent"), "\(failed)")
    }

    /// Names with characters that have a meaning in a line of CSV, a shell, a mail header or a terminal.
    private static let hostileNames = [
        "M\nx,a@evil.example,digest-victim.txt,y,", "M\r\nBcc: a@evil.example", "M\rx",
        "\nx,a@evil.example,summary.txt,,",
        "\",a@evil.example,summary.txt", "a,b,c,d,e", "x\u{85}y,a@evil.example",
        "x\u{2028}y,a@evil.example,summary.txt",
        "x\u{2029}y", "$(touch pwned)", "`touch pwned`", "; touch pwned", "| touch pwned", "&& touch pwned", "> pwned",
        "\u{1b}[2J\u{1b}[31m", "\u{7}", "\u{7f}", "\u{9b}2J", "-oQ/tmp", "--help", "../../habitat.db", "%s%n", "\\n",
        "'",
        "\"", "=HYPERLINK(\"http://evil.example\")", "\u{202e}txt.exe", "~!", "<script>alert(1)</script>",
    ]

    /// A program with the interface of sendmail that writes each message without its encoding into a file.
    private static let decodingSendmail = """
        #!/usr/bin/python3
        import email, email.policy, os, sys
        message = email.message_from_binary_file(sys.stdin.buffer, policy=email.policy.default)
        with open('options', 'a') as options: options.write(' '.join(sys.argv[1:]) + '\\n')
        with open('mail-%d' % os.getpid(), 'w', encoding='utf-8') as mail:
            for name, value in message.items(): mail.write('%s: %s\\n' % (name, value))
            for kind in ['plain', 'html']: mail.write('\\n' + message.get_body((kind,)).get_content())

        """

    /// Each user of a store with hostile names gets only the user's own digest, by the recipe of the manual.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "Python is not installed"))
    func recipeSendsEachDigestToItsUserOnly() async throws {
        let folder = try TemporaryFolder()
        func quoted(_ text: String) -> String { "\"" + text.replacing("\"", with: "\"\"") + "\"" }
        let names = Self.hostileNames.enumerated().map { number, name in
            "\(quoted("user,\(number)\"';$(id)")),\(quoted(name)),u\(number)@example.org\n"
        }
        let habits = Self.hostileNames.indices.map { number in
            "h\(number),\(quoted("user,\(number)\"';$(id)")),Habit of \(number).,1111111,2026-09-01\n"
        }
        try folder.write("id,name,email\nvictim,V,victim@example.org\n" + names.joined(), to: "users.csv")
        try folder.write(
            "id,user,title,days,start\nv,victim,Victim,1111111,2026-09-01\n" + habits.joined(), to: "habits.csv")
        let load = try await Program.habitat("ingest", "users.csv", "habits.csv", "--now", Self.now, in: folder)
        #expect(load.status == 0, "\(load)")
        #expect(load.errors.contains("by spaces in 11 texts"), "\(load)")
        #expect(try await Self.nightly("--date", "2026-11-29", "--per-user", in: folder).status == 0)
        let list = try folder.read("nights/latest/digests.csv")
        let controls = list.unicodeScalars.filter { $0.value < 0x20 || (0x7f...0x9f).contains($0.value) }
        #expect(controls.allSatisfy { $0 == "\n" })
        #expect(list.split(whereSeparator: \.isNewline).count == Self.hostileNames.count + 2)

        let page = try String(contentsOfFile: Program.repository + "/docs/nightly.md", encoding: .utf8)
        let example = "/usr/share/doc/habitat/examples/mail-digests"
        let recipe = try #require(page.components(separatedBy: "```sh\n").first { $0.hasPrefix(example) })
        let script = Program.repository + "/Packaging/examples/mail-digests"
        let command = String(recipe.prefix { $0 != "`" }).replacing(example, with: script)
        try folder.write(Self.decodingSendmail, to: "sendmail")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.file("sendmail"))
        let result = try await Program.run(
            "/bin/sh", ["-c", command], in: folder.path,
            environment: ["SENDMAIL": folder.file("sendmail"), "PATH": "/usr/bin:/bin"])
        #expect(result.status == 0, "\(result)")
        #expect(result.errors == "", "\(result)")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(!files.contains("pwned"))
        let mails = try files.filter { $0.hasPrefix("mail-") }.map { try folder.read($0) }
        #expect(mails.count == Self.hostileNames.count + 1)
        #expect(try folder.read("options") == String(repeating: "-t -i\n", count: mails.count))
        for mail in mails {
            let headers = mail.components(separatedBy: "\n\n")[0].split(separator: "\n").map(String.init)
            let recipients = headers.filter { $0.hasPrefix("To: ") }
            #expect(recipients.count == 1, "\(headers)")
            #expect(!headers.contains { $0.hasPrefix("Bcc") || $0.contains("evil") }, "\(headers)")
            let address = recipients[0].dropFirst(4)
            let title =
                address == "victim@example.org" ? "Victim" : "Habit of \(address.dropFirst().prefix { $0.isNumber })."
            #expect(mail.contains(title), "\(address)")
            #expect(mail.contains("Victim") == (address == "victim@example.org"), "\(address)")
        }
    }

    /// The script sends nothing for a row that it cannot trust, and sends the digests of the other rows.
    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "Python is not installed"),
        arguments: [
            ("a@example.org,b@example.org", "digest-sam.txt"),
            ("\"a@example.org\nBcc: b@example.org\"", "digest-sam.txt"),
            ("a b@example.org", "digest-sam.txt"), ("a@example.org", "../../habitat.db"),
            ("a@example.org", "/etc/hostname"),
        ])
    func scriptRefusesRowThatIsNoDigest(email: String, text: String) async throws {
        let folder = try await Self.store()
        #expect(try await Self.nightly("--date", "2026-11-29", "--per-user", in: folder).status == 0)
        let address = email.hasPrefix("\"") ? email : "\"\(email)\""
        try folder.write(
            "user,email,text,html,name\nx,\(address),\(text),digest-sam.html,X\nsam,sam@example.org,digest-sam.txt,digest-sam.html,Sam\n",
            to: "nights/latest/digests.csv")
        try folder.write("#!/bin/sh\ncat >>mail\n", to: "sendmail")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.file("sendmail"))
        let result = try await Program.run(
            Program.repository + "/Packaging/examples/mail-digests", ["nights/latest", "habits@example.org"],
            in: folder.path, environment: ["SENDMAIL": folder.file("sendmail"), "PATH": "/usr/bin:/bin"])
        #expect(result.status == 1, "\(result)")
        #expect(result.errors.contains("the message to 'x' was not sent"), "\(result)")
        let mail = try folder.read("mail")
        #expect(mail.components(separatedBy: "\nTo: ").count == 2, "\(mail)")
        #expect(mail.contains("\nTo: sam@example.org\n"), "\(mail)")
    }

    @Test func weekEndsOnSundayAndMonthOnLastDay() async throws {
        let folder = try await Self.store()
        let week = try await Self.nightly("--every", "week", "--since", "2026-11-12", in: folder)
        #expect(week.status == 0, "\(week)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("nights")).sorted()
        #expect(
            names.filter { !$0.hasPrefix(".") && $0 != "index.html" } == [
                "2026-11-15", "2026-11-22", "2026-11-29", "latest",
            ])
        #expect(try folder.read("nights/latest/summary.txt").hasPrefix("Habits from 2026-11-23 to 2026-11-29\n"))
        let rows = parseCSV(try folder.read("nights/2026-11-29/period-summary.csv"))
        #expect(rows.contains(["a/b", "Ann", "7", "2", "0.285714", "0", "1", "Read"]), "\(rows)")
        #expect(!FileManager.default.fileExists(atPath: folder.file("nights/2026-11-29/day-events.csv")))

        let mixed = try await Self.nightly("--date", "2026-11-30", in: folder)
        #expect(mixed.status == 73, "\(mixed)")
        #expect(mixed.errors.contains("contains the reports of each week"), "\(mixed)")
        let month = try await Program.habitat(
            ["nightly", "--output", "months", "--every", "month", "--now", Self.now], in: folder)
        #expect(month.status == 0, "\(month)")
        #expect(try folder.read("months/2026-11-30/summary.txt").hasPrefix("Habits from 2026-11-01 to 2026-11-30\n"))
    }

    @Test func changedOptionsRepeatNights() async throws {
        let folder = try await Self.store()
        #expect(try await Self.nightly("--since", "2026-11-29", "--date", "2026-11-29", in: folder).status == 0)
        let digests = try await Self.nightly("--since", "2026-11-29", "--date", "2026-11-29", "--per-user", in: folder)
        #expect(digests.status == 0, "\(digests)")
        #expect(digests.errors.contains("changed: options"), "\(digests)")
    }

    /// The script names its errors in one line and has no traceback.
    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "Python is not installed"),
        arguments: [
            ("nosuch", "a@example.org", "nosuch/digests.csv: No such file or directory"),
            (".", "a@example.org", "digests.csv: No such file or directory"),
            ("other", "a@example.org", "it has other columns"),
            ("nights/latest", "", "the sender '' is not one address"),
            ("nights/latest", "ann", "the sender 'ann' is not one address"),
            ("nights/latest", "a@example.org,b@example.org", "is not one address"),
            ("nights/latest", "a@example.org\nBcc: b@example.org", "is not one address"),
            ("nights/latest", "-oQ@example.org", "the sender '-oQ@example.org' is not one address"),
        ])
    func scriptRefusesFolderAndSender(nights: String, sender: String, error: String) async throws {
        let folder = try await Self.store()
        #expect(try await Self.nightly("--date", "2026-11-29", "--per-user", in: folder).status == 0)
        try folder.write("id,name\n1,x\n", to: "other/digests.csv")
        try folder.write("#!/bin/sh\ncat >>mail\n", to: "sendmail")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.file("sendmail"))
        let result = try await Program.run(
            Program.repository + "/Packaging/examples/mail-digests", [nights, sender], in: folder.path,
            environment: ["SENDMAIL": folder.file("sendmail"), "PATH": "/usr/bin:/bin"])
        #expect(result.status == 1, "\(result)")
        #expect(result.errors.hasPrefix("mail-digests: "), "\(result)")
        #expect(result.errors.contains(error), "\(result)")
        #expect(result.errors.split(separator: "\n").count == 1, "\(result)")
        #expect(!folder.names.contains("mail"))
    }

    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "Python is not installed"),
        arguments: [("/nosuch/sendmail", "No such file or directory"), ("/bin/false", "ended with the status 1")])
    func scriptReportsEachMessageOnce(program: String, reason: String) async throws {
        let folder = try await Self.store()
        #expect(try await Self.nightly("--date", "2026-11-29", "--per-user", in: folder).status == 0)
        let result = try await Program.run(
            Program.repository + "/Packaging/examples/mail-digests", ["nights/latest", "habits@example.org"],
            in: folder.path, environment: ["SENDMAIL": program, "PATH": "/usr/bin:/bin"])
        #expect(result.status == 1, "\(result)")
        let lines = result.errors.split(separator: "\n")
        #expect(lines.count == 2, "\(result)")
        #expect(lines.allSatisfy { $0.contains("was not sent: ") }, "\(result)")
        #expect(lines.allSatisfy { $0.contains(reason) }, "\(result)")
    }
}
