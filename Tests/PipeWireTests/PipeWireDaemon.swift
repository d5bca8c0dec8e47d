import CRealtime
import Foundation
import RemoteIO
@testable import PipeWire

/// A PipeWire daemon of the test's own, in a folder of its own: one sink that nobody hears, `hall`, and no session manager,
/// so that nothing is linked but what a test links.
final class PipeWireDaemon {
    /// Why no daemon can be had here; nil where one can.
    static let refusal: String? = {
        if !PipeWireCalls.isInstalled { return "libpipewire-0.3-0 is not installed" }
        for program in ["pipewire", "pw-link"] where !FileManager.default.isExecutableFile(atPath: "/usr/bin/\(program)") {
            return "pipewire-bin is not installed"
        }
        do {
            _ = try PipeWireDaemon()
            return nil
        } catch { return "pipewire does not start here: \(error)" }
    }()
    static let isThere = refusal == nil

    /// Where all daemons of this process have their sockets, one at a time.
    private static let folder = URL(filePath: "/tmp/carillon-pipewire-\(getpid())")
    /// The socket; no other test in this process hears of it.
    static let remote = folder.appending(path: "pipewire-0").path()
    private static let configuration = """
        context.properties = {
            core.daemon = true
            core.name = pipewire-0
            support.dbus = false
            mem.allow-mlock = false
            default.clock.rate = 48000
            default.clock.quantum = 256
            default.clock.min-quantum = 32
        }
        context.spa-libs = {
            audio.convert.* = audioconvert/libspa-audioconvert
            support.* = support/libspa-support
        }
        context.modules = [
            { name = libpipewire-module-protocol-native }
            { name = libpipewire-module-metadata }
            { name = libpipewire-module-spa-node-factory }
            { name = libpipewire-module-client-node }
            { name = libpipewire-module-access }
            { name = libpipewire-module-adapter }
            { name = libpipewire-module-link-factory }
        ]
        context.objects = [
            { factory = adapter
              args = {
                factory.name = support.null-audio-sink
                node.name = hall
                node.description = "A hall"
                media.class = Audio/Sink
                audio.position = "FL,FR"
                node.driver = true
                priority.driver = 20000
                adapter.auto-port-config = { mode = dsp monitor = true position = preserve }
              }
            }
        ]
        """

    private let process = Process()

    struct NotStarted: Error, CustomStringConvertible { let description: String }

    /// Starts one and waits until it answers.
    init() throws {
        try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
        try Data(Self.configuration.utf8).write(to: Self.folder.appending(path: "pipewire.conf"))
        let log = Self.folder.appending(path: "log")
        _ = FileManager.default.createFile(atPath: log.path(), contents: nil)
        process.executableURL = URL(filePath: "/usr/bin/pipewire")
        process.environment = ProcessInfo.processInfo.environment.merging([
            "PIPEWIRE_CONFIG_DIR": Self.folder.path(), "PIPEWIRE_RUNTIME_DIR": Self.folder.path(),
        ]) { $1 }
        let output = try FileHandle(forWritingTo: log)
        process.standardOutput = output
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let answers = eventually {
            guard process.isRunning else { return true }
            do { return try PipeWireSystem(remote: Self.remote).entries().count == 2 } catch { return false }
        }
        guard answers, process.isRunning else {
            throw NotStarted(description: (try? String(contentsOf: log, encoding: .utf8)) ?? "no answer")
        }
    }

    /// Links two ports as soon as both are there; whether that was done.
    func link(_ from: String, _ to: String) -> Bool { eventually { Self.run("/usr/bin/pw-link", [from, to]) == 0 } }

    /// Links both sides of a stereo node with the hall.
    func play(_ node: String) -> Bool {
        link("\(node):output_FL", "hall:playback_FL") && link("\(node):output_FR", "hall:playback_FR")
    }

    /// Takes those links away.
    func unlink(_ node: String) {
        for side in ["FL", "FR"] {
            _ = Self.run("/usr/bin/pw-link", ["--disconnect", "\(node):output_\(side)", "hall:playback_\(side)"])
        }
    }

    private static func run(_ program: String, _ arguments: [String]) -> Int32 {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = ["--remote", remote] + arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        do { try process.run() } catch { return -1 }
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Ends it as a crash does.
    func kill() {
        if process.isRunning { Glibc.kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    deinit {
        if process.isRunning { process.terminate() }
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: Self.folder)
    }
}

/// Waits until `condition` holds, and gives up after a minute and a half: only what has failed takes so long.
func eventually(_ condition: () -> Bool) -> Bool {
    let end = rt_monotonic_nanoseconds() + 90_000_000_000
    while rt_monotonic_nanoseconds() < end {
        if condition() { return true }
        usleep(1000)
    }
    return condition()
}
