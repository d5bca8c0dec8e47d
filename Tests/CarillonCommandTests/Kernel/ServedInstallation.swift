import Glibc
import TestFolders

/// `carillon serve` on the loopback card, under a service manager and with its socket open: a song whose every moment has
/// notes that are known.
final class ServedInstallation {
    /// Seconds that the service manager waits for the watchdog.
    static let patience = 4.0
    /// A note on each quarter of half a second, and silence behind its middle; ten minutes.
    private static let beats = 1200

    let folder = TemporaryFolder()
    let manager: NotifySocket
    let program: RunningProgram
    /// The file that it runs.
    let text: String
    private let link: Int32
    private var rest: [UInt8] = []

    init(_ text: String = "playlists: {a: [beats.mid]}", isOpen: Bool = true) throws {
        folder.add("beats.mid", SongBytes.beats(Self.beats, key: Self.key))
        folder.add(
            "patch.yaml",
            Array(
                """
                version: 1
                units:
                  organ: {unit: square-wave, role: instrument, parts: 1-16}
                  mixer: {unit: multichannel-mixer, role: master, inputs: 1}
                connections: [organ -> mixer]
                outputs: mixer

                """.utf8))
        self.text = "version: 1\npatch: patch.yaml\nfade: 0 s\nsaving: 1 s\ntime-zone: UTC\n\(text)\n"
        folder.add("house.yaml", Array(self.text.utf8))
        // While a page of a program comes from outside of this machine, its clock leaps: all of it is read before.
        Self.read(Program.path)
        let check = Program.run(["serve", "house.yaml", "--check"], in: folder)
        guard check.exitCode == 0 else { throw CallFailure(call: "serve --check: \(check.errors)", code: EINVAL) }
        manager = try NotifySocket(at: folder.file("notify"))
        program = Program.start(
            [Program.path, "serve", "house.yaml", "--device", LoopbackCard.name, "--state", "state", "--control", "s"],
            in: folder,
            environment: ["NOTIFY_SOCKET": folder.file("notify"), "WATCHDOG_USEC": "\(Int(Self.patience * 1e6))"])
        let manager = manager, program = program
        guard eventually(within: 60, { program.hasEnded || manager.count(of: "READY=1") > 0 }), !program.hasEnded else {
            throw CallFailure(call: "carillon serve: \(program.errorsSoFar)", code: ECHILD)
        }
        link = try UnixLink.connect(to: folder.file("s"))
        // It is ready before its card is: that is opened by a thread of its own.
        guard try !isOpen || eventually(within: 10, { try reading().device == "running" }) else {
            throw CallFailure(call: "the card: \(program.errorsSoFar)", code: ENODEV)
        }
    }

    deinit {
        close(link)
        if !program.hasEnded { kill(program.id, SIGKILL) }
    }

    static func key(ofBeat beat: Int) -> UInt8 { UInt8(48 + (beat % 24 + 24) % 24) }

    private static func read(_ path: String) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        var block = [UInt8](repeating: 0, count: 1 << 20)
        while Glibc.read(file, &block, block.count) > 0 {}
        close(file)
    }

    /// How things stand now.
    func reading() throws -> HouseReading {
        let line = try UnixLink.ask("status", through: link, &rest)
        return try HouseReading(line, seconds: monotonic())
    }

    /// How things stand for so long, some forty times a second.
    func readings(for seconds: Double) throws -> [HouseReading] {
        let end = monotonic() + seconds
        var readings: [HouseReading] = []
        while monotonic() < end {
            readings.append(try reading())
            usleep(19_000)
        }
        return readings
    }
}

/// What `status` says, as far as it is looked at here.
struct HouseReading {
    let frames: Int
    let songSeconds: Double
    let isPlaying: Bool
    let keys: [Int]
    /// The loudest of all outputs, in decibels.
    let level: Double
    let device: String
    /// 0 while there is no device.
    let periodFrames: Int
    let xruns: Int
    let lostEvents: Int
    /// By a clock that nobody sets, when the answer was here.
    let seconds: Double

    init(_ line: String, seconds: Double) throws {
        func part(_ name: String, behind: String = "") -> Substring {
            let from = behind.isEmpty ? line[...] : line.split(separator: "\"\(behind)\":", maxSplits: 1).last ?? ""
            let pieces = from.split(separator: "\"\(name)\":", maxSplits: 1, omittingEmptySubsequences: false)
            return pieces.count < 2 ? "" : pieces[1].prefix { !",}]".contains($0) }
        }
        guard let frames = Int(part("frames")), let song = Double(part("seconds", behind: "song")) else {
            throw CallFailure(call: "status: \(line)", code: EPROTO)
        }
        self.frames = frames
        songSeconds = song
        isPlaying = part("isPlaying", behind: "song") == "true"
        let notes = line.split(separator: "\"notes\":[", maxSplits: 1).last?.prefix { $0 != "]" } ?? ""
        keys = notes.split(separator: "\"key\":").dropFirst().compactMap { Int($0.prefix { $0.isNumber }) }
        let levels = line.split(separator: "\"levels\":[", maxSplits: 1).last?.prefix { $0 != "]" } ?? ""
        level =
            levels.split(separator: "\"average\":").dropFirst()
            .compactMap { Double($0.prefix { $0 != "}" }) }.max() ?? -.infinity
        device = part("state", behind: "device").filter { $0 != "\"" }
        periodFrames = Int(part("period")) ?? 0
        xruns = ["renderLate", "wokeLate", "driver"].reduce(0) { $0 + (Int(part($1)) ?? 0) }
        lostEvents = Int(part("lostEvents")) ?? -1
        self.seconds = seconds
    }

    /// What is wrong with the notes that are held: the song says which are.
    var fault: String? {
        let beat = Int(songSeconds / 0.5), phase = songSeconds - Double(beat) * 0.5
        let now = Int(ServedInstallation.key(ofBeat: beat))
        let isRight =
            switch phase {
            case 0.05..<0.2: keys == [now]
            case 0.3..<0.45: keys.isEmpty
            default: keys.isEmpty || keys == [now]
            }
        return isRight ? nil : "at \(songSeconds) s (frame \(frames)) there are \(keys), the song has \(now)"
    }
}

extension [HouseReading] {
    /// Frames beyond those of a clock that began at 0: a reading is a little old, and the freshest counts.
    func lead(rate: Double = 48_000) -> Double { map { Double($0.frames) - $0.seconds * rate }.max() ?? .nan }
}

/// A client of the program's socket that is no process of its own.
enum UnixLink {
    static func connect(to path: String) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard descriptor >= 0, code == 0 else { throw CallFailure(call: "connect \(path)", code: errno) }
        return descriptor
    }

    /// The line that answers a request; `rest` is what was read beyond it.
    static func ask(_ request: String, through link: Int32, _ rest: inout [UInt8]) throws -> String {
        let line = Array((request + "\n").utf8)
        guard write(link, line, line.count) == line.count else { throw CallFailure(call: request, code: errno) }
        var block = [UInt8](repeating: 0, count: 16_384)
        while true {
            if let end = rest.firstIndex(of: 10) {
                defer { rest.removeSubrange(...end) }
                return String(decoding: rest[..<end], as: UTF8.self)
            }
            let count = read(link, &block, block.count)
            guard count > 0 else { throw CallFailure(call: "no answer to \(request)", code: errno) }
            rest += block[..<count]
        }
    }
}
