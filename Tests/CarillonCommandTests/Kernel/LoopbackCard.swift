import Glibc
import TestFolders

/// The loopback card of tools/alsa-vm, to be taken away and put back, and the clock on the wall of that machine.
enum LoopbackCard {
    /// A disposable kernel, where a test runs as root and harms nobody.
    static let isDisposable = getenv("ALSA_VM") != nil && access("/proc/asound/Loopback", F_OK) == 0
    static let name = "hw:Loopback,0,0"

    private static let driver = "/sys/bus/platform/drivers/snd_aloop", device = "snd_aloop.0"

    /// As when the cable is pulled; returns when whoever had it open has closed it, as the kernel does.
    static func pull() throws { try write(device, to: driver + "/unbind") }

    static func plug() throws { try write(device, to: driver + "/bind") }

    /// Its driver goes too.
    static func removeModule(in folder: TemporaryFolder) throws { try run(["/usr/sbin/rmmod", "snd_aloop"], in: folder) }

    static func insertModule(in folder: TemporaryFolder) throws {
        try run(["/usr/sbin/modprobe", "snd-aloop", "index=0", "pcm_substreams=2"], in: folder)
    }

    /// What the kernel says of the PCM: RUNNING, closed; nil while there is no card.
    static var state: String? {
        let text = String(decoding: bytes("/proc/asound/Loopback/pcm0p/sub0/status"), as: UTF8.self)
        guard let line = text.split(separator: "\n").first else { return nil }
        return line.hasPrefix("state: ") ? String(line.dropFirst(7)) : String(line)
    }

    /// Sets the clock on the wall that many seconds forwards or back.
    static func stepClock(by seconds: Int) throws {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        time.tv_sec += seconds
        guard clock_settime(CLOCK_REALTIME, &time) == 0 else { throw CallFailure(call: "clock_settime", code: errno) }
    }

    private static func run(_ words: [String], in folder: TemporaryFolder) throws {
        let run = Program.start(words, in: folder).end()
        guard run.exitCode == 0 else { throw CallFailure(call: "\(words): \(run.errors)", code: EBUSY) }
    }

    private static func write(_ text: String, to path: String) throws {
        let file = open(path, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { throw CallFailure(call: path, code: errno) }
        defer { close(file) }
        guard Glibc.write(file, text, text.utf8.count) == text.utf8.count else { throw CallFailure(call: path, code: errno) }
    }
}
