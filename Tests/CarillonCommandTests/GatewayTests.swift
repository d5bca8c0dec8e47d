import Glibc
import TestFolders
import Testing

/// `--http`: the gateway that `live`, `play` and `serve` begin beside them; and `carillon-gateway` by itself.
@Suite struct GatewayProcessTests {
    private static let play = ["play", "long.mid", "--device", "null", "--instrument", "square-wave", "--http", "0"]

    private func folder() -> TemporaryFolder {
        let folder = TemporaryFolder()
        folder.add("long.mid", SongBytes.song([SongBytes.note(60, ticks: 960 * 600) + SongBytes.end]))
        folder.add("house.yaml", Array("version: 1\nhttp: 0\nplaylists: {a: [long.mid]}\n".utf8))
        folder.add("open", Array("full 0123456789abcdef0123456789abcdef\n".utf8))
        chmod(folder.file("open"), 0o644)
        folder.add("tokens", Array("reader 0123456789abcdef0123456789abcdef\n".utf8))
        folder.add("weak", Array("full 0123456789abcdef\n".utf8))
        for name in ["tokens", "weak"] { chmod(folder.file(name), 0o600) }
        return folder
    }

    private func start(_ arguments: [String], in folder: TemporaryFolder) -> RunningProgram {
        Program.start([Program.path] + arguments, in: folder, environment: ["XDG_RUNTIME_DIR": folder.file("")])
    }

    /// The port of the page, once it is told; 0 where the program ends before.
    private func port(of running: RunningProgram) -> Int {
        while !running.hasEnded {
            let parts = running.errorsSoFar.split(separator: "http://127.0.0.1:")
            if parts.count > 1, parts[1].contains("/") { return Int(parts[1].prefix { $0 != "/" }) ?? 0 }
            sched_yield()
        }
        return 0
    }

    /// What the page answers, head and all; empty where nobody listens.
    private func ask(_ port: Int, _ request: String, in folder: TemporaryFolder, body: String = "") -> String {
        let head = "\(request) HTTP/1.0\\r\\nHost: localhost\\r\\nContent-Length: \(body.utf8.count)\\r\\n\\r\\n\(body)"
        return Program.shell("exec 3<>/dev/tcp/127.0.0.1/\(port) && printf '\(head)' >&3 && cat <&3", in: folder).text
    }

    /// Waits until the page answers this.
    private func wait(_ port: Int, _ request: String, for text: String, _ running: RunningProgram, in folder: TemporaryFolder) {
        while !running.hasEnded, !ask(port, request, in: folder).contains(text) { sched_yield() }
    }

    /// The processes of gateways that have this folder's socket.
    private func gateways(_ folder: TemporaryFolder) -> [pid_t] {
        let run = Program.shell("grep -lzs -- '\(folder.file(""))' /proc/[0-9]*/cmdline | cut -d / -f 3", in: folder)
        return run.text.split(separator: "\n").compactMap { pid_t($0) }.filter { id in
            Program.shell("tr '\\0' ' ' < /proc/\(id)/cmdline", in: folder).text.contains("carillon-gateway")
        }
    }

    @Test func aSongIsSteeredFromThePageAndEndsWithIt() {
        let folder = folder(), running = start(Self.play, in: folder), port = port(of: running)
        wait(port, "GET /health", for: "\"isHealthy\":true", running, in: folder)
        #expect(ask(port, "GET /", in: folder).contains("<!doctype html>"))
        #expect(ask(port, "POST /api/command", in: folder, body: "volume -9").contains("{\"answer\":\"ok\"}"))
        wait(port, "GET /api/status", for: "\"volume\":-9", running, in: folder)
        #expect(gateways(folder).count == 1)
        kill(running.id, SIGTERM)
        #expect(running.end().exitCode == 143)
        #expect(gateways(folder).isEmpty && ask(port, "GET /", in: folder).isEmpty)
        #expect(!folder.names.contains { $0.hasSuffix(".sock") })
    }

    /// Without a page: OSC alone begins a gateway too.
    @Test(arguments: [false, true]) func aSongIsSteeredByOSC(_ isInFile: Bool) {
        let folder = folder()
        folder.add("osc.yaml", Array("version: 1\nosc: 0\nplaylists: {a: [long.mid]}\n".utf8))
        let play = Self.play.dropLast(2) + ["--osc", "0", "--control", folder.file("s")]
        let serve = ["serve", "osc.yaml", "--device", "null", "--state", "state", "--control", folder.file("s")]
        let running = start(isInFile ? serve : Array(play), in: folder)
        var port = 0
        while !running.hasEnded, port == 0 {
            let parts = running.errorsSoFar.split(separator: "OSC: osc.udp://127.0.0.1:")
            if parts.count > 1, parts[1].contains("/") { port = Int(parts[1].prefix { $0 != "/" }) ?? 0 }
            sched_yield()
        }
        #expect(!running.errorsSoFar.contains("http://") && gateways(folder).count == 1)
        // A datagram is sent until it was heard: /carillon/volume ,i -9.
        let datagram = "/carillon/volume\\0\\0\\0\\0,i\\0\\0\\377\\377\\377\\367"
        while !running.hasEnded {
            _ = Program.shell("printf '\(datagram)' > /dev/udp/127.0.0.1/\(port)", in: folder)
            let status = Program.shell("'\(Program.path)' ctl --socket s status", in: folder).text
            if status.contains("\"volume\":-9") { break }
        }
        kill(running.id, SIGTERM)
        #expect(running.end().exitCode == (isInFile ? 0 : 143) && gateways(folder).isEmpty)
    }

    @Test func aGatewayThatEndsBeginsAgain() {
        let folder = folder(), running = start(Self.play, in: folder), port = port(of: running)
        wait(port, "GET /health", for: "\"isHealthy\":true", running, in: folder)
        for id in gateways(folder) { kill(id, SIGKILL) }
        while !running.hasEnded, !running.errorsSoFar.contains("has ended (signal 9); it begins again") { sched_yield() }
        while !running.hasEnded, gateways(folder).isEmpty { sched_yield() }
        kill(running.id, SIGTERM)
        #expect(running.end().exitCode == 143 && gateways(folder).isEmpty)
    }

    @Test func aGatewayDoesNotOutliveItsSession() {
        let folder = folder(), running = start(Self.play, in: folder)
        #expect(port(of: running) > 0 && gateways(folder).count == 1)
        kill(running.id, SIGKILL)
        _ = running.end()
        while !gateways(folder).isEmpty { sched_yield() }
    }

    @Test func anInstallationsFileOpensThePage() {
        let folder = folder()
        let running = start(["serve", "house.yaml", "--device", "null", "--state", "state"], in: folder)
        let port = port(of: running)
        wait(port, "GET /api/status", for: "\"playlist\":\"a\"", running, in: folder)
        wait(port, "GET /api/log", for: "opens: a", running, in: folder)
        kill(running.id, SIGTERM)
        #expect(running.end().exitCode == 0 && gateways(folder).isEmpty)
    }

    @Test(
        arguments: [
            (["--http", ""], 64, "--http: the address is empty"), (["--http", "x"], 64, "\"x\": is no address to listen at"),
            (["--http", "0.0.0.0:0"], 64, "others can reach it: give a token file"),
            (["--http", "0", "--token-file", "none"], 66, "none: No such file"),
            (["--http", "0", "--token-file", "open"], 66, "chmod 600 open"), (["--token-file", "tokens"], 64, "with --http"),
            (["--http", "0", "--token-file", "weak"], 66, "openssl rand -hex 16 makes one"),
            (["--http", "0", "--trusted-proxy", "proxy"], 64, "is no address of a proxy"),
            (["--trusted-proxy", "127.0.0.1"], 64, "with --http"),
            (["--origin", "https://x.example"], 64, "with --http"), (["--osc", ""], 64, "--osc: the address is empty"),
            (["--osc", "x"], 64, "--osc: \"x\": is no address"), (["--osc", "0.0.0.0:0"], 64, "others can reach it"),
            (["--osc", "0", "--origin", "https://x.example"], 64, "with --http"), (["--control", ""], 64, "the path is empty"),
            (["--control", "s", "--control-mode", "666"], 64, "--control-mode"),
            (["--control-mode", "660"], 64, "with --control"),
        ] as [([String], Int32, String)])
    func whatIsWrongIsToldBeforeAnythingSounds(_ arguments: [String], _ code: Int32, _ part: String) {
        let folder = folder(), run = Program.run(Self.play.dropLast(2) + arguments, in: folder)
        #expect(run.exitCode == code && run.errors.contains(part), "\(run.exitCode ?? -1): \(run.errors)")
        #expect(!run.errors.contains("event=song"))
    }

    /// What would keep the gateway from beginning is found before, in the gateway's own words, whoever has said it.
    @Test(arguments: [
        ("http: 0\ntoken-file: weak", []), ("playlists: {b: [long.mid]}", ["--http", "0", "--token-file", "weak"]),
    ]) func theCheckOfAnInstallationAsksTheGateway(_ text: String, _ arguments: [String]) {
        let folder = folder(), all = text.contains("playlists") ? text : "playlists: {b: [long.mid]}\n" + text
        folder.add("house.yaml", Array("version: 1\ndevice: \"null\"\n\(all)\n".utf8))
        let check = Program.run(["serve", "house.yaml", "--check"] + arguments, in: folder)
        let told = check.errorLines.filter { $0.contains("openssl rand -hex 16 makes one") }
        #expect(check.exitCode == 65 && told.count == 1, "\(check.exitCode ?? -1): \(check.errors)")
        let start = Program.run(["serve", "house.yaml", "--state", "state"] + arguments, in: folder)
        #expect(start.exitCode == 66)
        for line in told { #expect(start.errors.contains(line.dropFirst("house.yaml: ".count)), "\(start.errors)") }
        folder.add("weak", folder.bytes(of: "tokens"))
        chmod(folder.file("weak"), 0o600)
        #expect(Program.run(["serve", "house.yaml", "--check"] + arguments, in: folder).exitCode == 0)
    }

    @Test func whatTheGatewayRefusesIsNotTakenOver() {
        let folder = folder()
        folder.add("house.yaml", Array("version: 1\nplaylists: {a: [long.mid]}\n".utf8))
        let running = start(["serve", "house.yaml", "--device", "null", "--state", "state"], in: folder)
        while !running.hasEnded, !running.errorsSoFar.contains("event=song") { sched_yield() }
        folder.add("house.yaml", Array("version: 1\nhttp: 0\ntoken-file: weak\nplaylists: {a: [long.mid]}\n".utf8))
        kill(running.id, SIGHUP)
        while !running.hasEnded, !running.errorsSoFar.contains("not reloaded") { sched_yield() }
        #expect(running.errorsSoFar.contains("openssl rand -hex 16 makes one"))
        kill(running.id, SIGTERM)
        #expect(running.end().exitCode == 0)
    }

    /// Beside a gateway that another user runs in the session's group.
    @Test(arguments: [("600", 0o600), ("0660", 0o660)] as [(String, mode_t)])
    func theSocketIsForTheUserOrForTheGroup(_ mode: String, _ rights: mode_t) {
        let folder = folder(),
            running = start(Self.play.dropLast(2) + ["--loudness", "off", "--control", "s", "--control-mode", mode], in: folder)
        var info = stat()
        while !running.hasEnded, lstat(folder.file("s"), &info) != 0 { sched_yield() }
        #expect(info.st_mode == S_IFSOCK | rights)
        kill(running.id, SIGKILL)
        _ = running.end()
    }

    /// A gateway of another user that somebody has taken over is still none that ends the music or writes where it likes.
    @Test(.enabled(if: getuid() == 0 && access("/usr/bin/setpriv", X_OK) == 0, "needs root, which can be another user"))
    func anotherUserOfTheGroupSpeaksForOthers() {
        let folder = folder()
        chmod(folder.path, 0o750)
        let running = start(
            Self.play.dropLast(2) + ["--loudness", "off", "--control", "s", "--control-mode", "660"], in: folder)
        while !running.hasEnded, !folder.names.contains("s") { sched_yield() }
        func ask(_ words: String) -> ProgramRun {
            Program.shell(
                "setpriv --reuid 65534 --regid $(id -g) --clear-groups '\(Program.path)' ctl --control s \(words)", in: folder)
        }
        #expect(ask("volume -9").text == "ok\n")
        #expect(ask("quit").exitCode == 64 && ask("save-recording /tmp/x.mid").exitCode == 64)
        #expect(Program.run(["ctl", "--control", "s", "quit"], in: folder).text == "ok\n")
        _ = running.end()
    }

    // MARK: - By itself

    private static let program = Program.folder + "/carillon-gateway"

    @Test(
        arguments: [
            (["--listen", "x"], 64, "\"x\": is no address"), (["--socket", ""], 64, "cannot be the path of a socket"),
            (["--socket", "s", "--listen", "0.0.0.0:0"], 64, "others can reach it"),
            (["--socket", "s", "--osc", "x"], 64, "\"x\": is no address"),
            (["--socket", "s", "--osc", "0.0.0.0:0"], 64, "others can reach it"),
            (["--socket", "s", "--token-file", "none"], 66, "none: No such file"), (["--nothing"], 64, "Unknown option"),
            (["--socket", "s", "--listen", "203.0.113.1:1", "--token-file", "tokens"], 73, "203.0.113.1:1: cannot listen there"),
            (["--check", "--socket", "s", "--listen", "0.0.0.0:1"], 64, "others can reach it"),
            (["--check", "--socket", "s", "--token-file", "weak"], 66, "openssl rand -hex 16 makes one"),
            (["--check", "--socket", "s", "--trusted-proxy", "proxy"], 64, "is no address of a proxy"),
            // It listens nowhere: an address of another machine is one.
            (["--check", "--socket", "s", "--listen", "203.0.113.1:1", "--token-file", "tokens"], 0, ""),
        ] as [([String], Int32, String)])
    func aGatewaySaysWhatIsWrong(_ arguments: [String], _ code: Int32, _ part: String) {
        let folder = folder(), running = Program.start([Self.program] + arguments, in: folder), run = running.end()
        #expect(run.exitCode == code && (part.isEmpty ? run.errors.isEmpty : run.errors.contains(part)), "\(run.errors)")
    }

    /// Systemd hands tokens over in a folder that is the service's alone; by an access list, where it has no file system of its own
    /// for them, and that shows in the rights of the group.
    @Test(arguments: [(0o400, true, 0), (0o440, true, 0), (0o444, true, 66), (0o440, false, 66)] as [(mode_t, Bool, Int32)])
    func tokensAreHandedOver(_ mode: mode_t, _ isHandedOver: Bool, _ code: Int32) {
        let folder = folder(), environment = ["CREDENTIALS_DIRECTORY": isHandedOver ? folder.path : "/proc/nowhere"]
        chmod(folder.file("tokens"), mode)
        let words = [Self.program, "--check", "--control", "s", "--token-file", folder.file("tokens")]
        #expect(Program.start(words, in: folder, environment: environment).end().exitCode == code)
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func aSignalEndsIt(_ number: Int32) {
        let folder = folder()
        let running = Program.start([Self.program, "--control", "s", "--listen", "0"], in: folder), port = port(of: running)
        #expect(ask(port, "GET /health", in: folder).contains("the session is not there"))
        kill(running.id, number)
        #expect(running.end().exitCode == 0)
    }

    @Test func theExamplesOfItsHelpBegin() {
        let help = Program.shell("'\(Self.program)' --help", in: folder()).text
        let examples = help.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { $0.hasPrefix("carillon-gateway ") }
        #expect(examples.count >= 3)
        for example in examples {
            let folder = folder()
            var words = example.split(separator: " ").map(String.init)
            words[0] = Self.program
            // A port that is free, whoever else has one here.
            if let place = words.firstIndex(of: "--listen") {
                words[place + 1] = words[place + 1].contains("0.0.0.0") ? "0.0.0.0:0" : "0"
            } else {
                words += ["--listen", "0"]
            }
            if let place = words.firstIndex(of: "--osc") { words[place + 1] = "0" }
            let running = Program.start(words, in: folder, environment: ["XDG_RUNTIME_DIR": folder.file("")])
            while !running.hasEnded, !running.errorsSoFar.contains("http://") { sched_yield() }
            kill(running.id, SIGTERM)
            let run = running.end()
            #expect(run.exitCode == 0, "\(example): \(run.errors)")
        }
    }
}
