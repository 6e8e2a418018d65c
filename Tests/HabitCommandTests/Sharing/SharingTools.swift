import Foundation
import HabitTestSupport
import Testing

/// Concurrent runs of the program.
struct ConcurrentRuns {
    private let process: RunningProgram
    private let scratch: TemporaryFolder

    /// Starts all commands without waiting for them.
    init(_ commands: [[String]], in folder: TemporaryFolder, scratch: TemporaryFolder) throws {
        self.scratch = scratch
        let script = """
            import json, os, subprocess, sys, time
            def has_opened_store(process):
                folder = '/proc/%d/fd/' % process.pid
                try: files = [os.readlink(folder + name) for name in os.listdir(folder)]
                except OSError: return False
                return any(file.endswith('habitat.db') or file.startswith('socket:') for file in files)
            def start(number, command):
                return subprocess.Popen(command, stdout=open('%s/%d.out' % (scratch, number), 'w'), stderr=open('%s/%d.err' % (scratch, number), 'w'))
            scratch, commands = json.load(sys.stdin)
            running = [start(number, command) for number, command in enumerate(commands)]
            for process in running:
                while process.poll() is None and not has_opened_store(process): time.sleep(0.005)
            open(scratch + '/open', 'w').close()
            json.dump([process.wait() for process in running], sys.stdout)
            """
        let programs = commands.map { [Program.habitat] + $0 }
        process = try Program.start(
            "/usr/bin/python3", ["-c", script], in: folder.path, scratch: scratch,
            input: try JSONSerialization.data(withJSONObject: [scratch.path, programs] as [Any]))
    }

    struct Result {
        var status: Int32
        var output: String
        var errors: String
    }

    /// Waits until each command has opened the store or has ended.
    func waitUntilStoreIsOpen() async throws {
        try await waitUntil("each command has opened the store") {
            scratch.names.contains("open") || !process.isRunning
        }
    }

    /// Waits for all commands and returns their results in the order of the commands.
    func results() async throws -> [Result] {
        await process.end()
        let statuses = try JSONDecoder().decode([Int32].self, from: Data(try scratch.read("stdout").utf8))
        return try statuses.enumerated().map { number, status in
            Result(
                status: status, output: try scratch.read("\(number).out"), errors: try scratch.read("\(number).err"))
        }
    }
}

/// Operations that only root can do.
enum Privileges {
    static var isRoot: Bool { getuid() == 0 }

    /// Whether file systems can be mounted, determined once.
    static let canMount: Bool = {
        guard isRoot, let folder = try? TemporaryFolder(), mount(folder.path, size: "64k") else { return false }
        unmount(folder.path)
        return true
    }()

    /// Mounts an empty file system of the given size in memory, and returns whether that succeeded.
    static func mount(_ path: String, size: String) -> Bool {
        Glibc.mount("tmpfs", path, "tmpfs", 0, "size=\(size)") == 0
    }

    /// Unmounts a file system when no process uses it any longer.
    static func unmount(_ path: String) { umount2(path, Int32(MNT_DETACH)) }

    /// Runs a program as the user `nobody`, so that file permissions apply.
    static func runAsNobody(_ program: String, _ arguments: [String], in folder: String) async throws -> ProgramResult {
        guard isRoot else { return try await Program.run(program, arguments, in: folder) }
        let become = ["--reuid=65534", "--regid=65534", "--clear-groups", program]
        return try await Program.run("/usr/bin/setpriv", become + arguments, in: folder)
    }
}
