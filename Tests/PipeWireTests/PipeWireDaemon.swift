import CarillonTestKit
import Foundation

@testable import PipeWire

/// A PipeWire daemon of the test's own, in a folder of its own: one sink that nobody hears, `hall`, one source that is silent,
/// `booth`, and no session manager, so that nothing is linked but what a test links.
final class PipeWireDaemon {
    /// Why no daemon can be had here; nil where one must start.
    static let refusal: String? = {
        if !PipeWireCalls.isInstalled { return "libpipewire-0.3-0 is not installed" }
        for program in ["pipewire", "pw-link", "pw-cli"] where access("/usr/bin/\(program)", X_OK) != 0 {
            return "pipewire-bin is not installed"
        }
        return nil
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
            { factory = adapter
              args = {
                factory.name = support.null-audio-sink
                node.name = booth
                node.description = "A booth"
                media.class = Audio/Source/Virtual
                audio.position = "FL,FR"
                adapter.auto-port-config = { mode = dsp monitor = true position = preserve }
              }
            }
        ]
        """

    private let process: ServerProcess

    /// Starts one and waits until it answers.
    init() throws {
        try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
        try Data(Self.configuration.utf8).write(to: Self.folder.appending(path: "pipewire.conf"))
        process = try ServerProcess(
            "/usr/bin/pipewire", [],
            environment: ["PIPEWIRE_CONFIG_DIR": Self.folder.path(), "PIPEWIRE_RUNTIME_DIR": Self.folder.path()]
        ) {
            do { return try PipeWireSystem(remote: Self.remote).entries().count == 2 } catch { return false }
        }
    }

    /// Links two ports as soon as both are there; whether that was done.
    func link(_ from: String, _ to: String) -> Bool { eventually { Self.run("/usr/bin/pw-link", [from, to]).code == 0 } }

    /// Links both sides of a stereo node with the hall.
    func play(_ node: String) -> Bool {
        link("\(node):output_FL", "hall:playback_FL") && link("\(node):output_FR", "hall:playback_FR")
    }

    /// Takes those links away.
    func unlink(_ node: String) {
        for side in ["FL", "FR"] { unlink("\(node):output_\(side)", "hall:playback_\(side)") }
    }

    /// Takes the link of two ports away.
    func unlink(_ from: String, _ to: String) { _ = Self.run("/usr/bin/pw-link", ["--disconnect", from, to]) }

    /// Throws the stream out by which the program called `node` captures; whether there was one.
    func throwOutCapture(of node: String) -> Bool {
        let text = Self.run("/usr/bin/pw-cli", ["list-objects", "Node"]).text
        let entry = text.components(separatedBy: "\tid ").first {
            $0.contains("node.name = \"\(node)\"") && $0.contains("Stream/Input/Audio")
        }
        guard let id = entry?.prefix(while: \.isNumber), !id.isEmpty else { return false }
        return Self.run("/usr/bin/pw-cli", ["destroy", String(id)]).code == 0
    }

    private static func run(_ program: String, _ arguments: [String]) -> (code: Int32, text: String) {
        ServerProcess.run(program, ["--remote", remote] + arguments)
    }

    /// Ends it as a crash does.
    func kill() { process.kill() }

    deinit { try? FileManager.default.removeItem(at: Self.folder) }
}
