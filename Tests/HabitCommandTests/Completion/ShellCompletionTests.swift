import Foundation
import HabitTestSupport
import Testing

/// Tests of completion in the shells, which read typed keys from a terminal.
///
/// A test fails if a shell is not installed. The values come from a store in a file, because the shells do not depend on
/// the engine.
@Suite(.serialized, .fileStoreOnly) struct ShellCompletionTests {
    private static let store = Task { try await CompletionStore() }

    /// The typed text, and the words that the shell passes after the Tab key.
    private static let cases: [(typed: String, words: [String])] = [
        ("habit edit Gui", ["habit", "edit", "Guitar practice"]),
        ("habit edit gui", ["habit", "edit", "guitar practice"]),
        ("habit edit Roc", ["habit", "edit", "Rock & roll"]),
        ("habit edit apos", ["habit", "edit", "apostrophe-1"]),
        ("habit edit quo", ["habit", "edit", "quotes-1"]),
        ("habit edit sla", ["habit", "edit", "slash-1"]),
        ("habit edit '$(t", ["habit", "edit", "$(touch pwned)"]),
        ("habit edit Éb", ["habit", "edit", "Ébène"]),
        ("habit edit スキ", ["habit", "edit", "スキー"]),
        ("history --habit Rock\\ ", ["history", "--habit", "Rock & roll"]),
        ("event show walk@yes", ["event", "show", "walk@yesterday"]),
        ("report run cal", ["report", "run", "calendar"]),
        ("todo --as b", ["todo", "--as", "bob"]),
        ("todo --spreads", ["todo", "--spreadsheet-safe"]),
        ("history --in this-w", ["history", "--in", "this-week"]),
        ("report cal", ["report", "calendar"]),
        ("report lis", ["report", "list"]),
        ("report calendar --as b", ["report", "calendar", "--as", "bob"]),
        ("config set color alw", ["config", "set", "color", "always"]),
        ("done wal", ["done", "walk"]),
        ("--as b", ["--as", "bob"]),
        ("--quiet repo", ["--quiet", "report"]),
        ("--as ana --quiet habit ed", ["--as", "ana", "--quiet", "habit", "edit"]),
        ("--as ana --quiet habit edit Gui", ["--as", "ana", "--quiet", "habit", "edit", "Guitar practice"]),
        ("--as bob history --habit Gui", ["--as", "bob", "history", "--habit", "Guild secret"]),
        ("--operator report calendar --as b", ["--operator", "report", "calendar", "--as", "bob"]),
    ]

    @Test(arguments: ["bash", "zsh", "fish"]) func tabKeyCompletesWord(shell: String) async throws {
        let program = "/usr/bin/" + shell
        try #require(
            FileManager.default.isExecutableFile(atPath: program), "\(shell) is missing: run .ci/install for-tests")
        let store = try await Self.store.value
        // The name of a folder that is also a value is not completed as a folder.
        try FileManager.default.createDirectory(
            atPath: store.folder.file("calendar"), withIntermediateDirectories: true)
        let folder = try TemporaryFolder()
        let script = try await Program.habitat("--generate-completion-script", shell, in: folder)
        #expect(script.status == 0, "\(script.errors)")
        try folder.write(script.output, to: "script")
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("habitat"), withDestinationPath: Program.habitat)
        try folder.write(Self.driver, to: "driver.py")
        let lines = try JSONEncoder().encode(Self.cases.map(\.typed))
        let result = try await Program.run(
            "/usr/bin/python3", [folder.file("driver.py"), shell, folder.path], in: store.folder.path, input: lines,
            environment: [
                "PATH": folder.path + ":/usr/bin:/bin", "HOME": folder.path, "ZDOTDIR": folder.path, "TERM": "dumb",
                "LC_ALL": "C.UTF-8", "HABITAT_USER": "ana",
            ])
        #expect(result.status == 0, "\(result.errors)")
        let words = try JSONDecoder().decode([[String]].self, from: Data(result.output.utf8))
        #expect(words.count == Self.cases.count)
        for (typed, found) in zip(Self.cases, words) { #expect(found == typed.words, "\(shell): \(typed.typed)") }
        #expect(!store.folder.names.contains("pwned"))
    }

    /// A program that types each line and the Tab key in a shell and prints the words of the completed line.
    ///
    /// The line is completed again if the limit of a run may have been reached on a busy machine.
    private static let driver = #"""
        import json, os, pty, select, signal, sys, time

        # The signal ends a driver whose shell does not respond.
        signal.alarm(300)
        shell, folder = sys.argv[1], sys.argv[2]
        script = os.path.join(folder, "script")
        prompt = "READY" + "> "

        with open(os.path.join(folder, "words"), "w") as program:
            program.write("#!/bin/sh\nshift\nprintf '%s\\0' \"$@\" >" + folder + "/result.tmp\n")
            program.write("mv " + folder + "/result.tmp " + folder + "/result\n")
        os.chmod(os.path.join(folder, "words"), 0o755)

        if shell == "bash":
            name, text = ".bashrc", f"PS1='{prompt}'\nsource {script}\n"
            command = ["bash", "--noprofile", "--rcfile", os.path.join(folder, ".bashrc"), "-i"]
        elif shell == "zsh":
            text = f"autoload -Uz compinit\ncompinit -u -D\nsource {script}\nbindkey -e\nunsetopt prompt_sp\nPS1='{prompt}'\n"
            name, command = ".zshrc", ["zsh", "-i"]
        else:
            os.makedirs(os.path.join(folder, ".config/fish"), exist_ok=True)
            # Without this folder, Fish reads all manual pages of the machine.
            os.makedirs(os.path.join(folder, ".local/share/fish/generated_completions"), exist_ok=True)
            name = ".config/fish/config.fish"
            text = f"set -g fish_greeting\nset -g fish_autosuggestion_enabled 0\nfunction fish_prompt\n echo -n '{prompt}'\nend\nsource {script}\n"
            command = ["fish", "-i", "--private"]
        with open(os.path.join(folder, name), "w") as file:
            file.write(text)

        child, terminal = pty.fork()
        if child == 0:
            os.execvp(command[0], command)

        def read(seconds, until=None):
            """Reads until no text arrives for some time, or until a text arrives."""
            text = b""
            while True:
                ready, _, _ = select.select([terminal], [], [], seconds)
                if not ready:
                    return text.decode(errors="replace")
                try:
                    text += os.read(terminal, 65536)
                except OSError:
                    sys.exit("the shell has ended: " + text.decode(errors="replace"))
                if until and until.encode() in text:
                    return text.decode(errors="replace")

        def completed(line):
            result = os.path.join(folder, "result")
            if os.path.exists(result):
                os.remove(result)
            os.write(terminal, f"habitat {line}\t".encode())
            time.sleep(0.3)
            read(0.7)
            os.write(terminal, b"\x01words \r")
            for _ in range(200):
                read(0.05)
                if os.path.exists(result):
                    break
            else:
                os.write(terminal, b"\x03")
                return None
            with open(result, "rb") as file:
                return file.read().decode().split("\0")[:-1]

        read(20, until=prompt)
        found = []
        for line in json.load(sys.stdin):
            for attempt in range(40):
                words = completed(line)
                if words is not None and words[-1] != line.split(" ")[-1]:
                    break
            found.append(words or [])
        print(json.dumps(found))
        """#
}
