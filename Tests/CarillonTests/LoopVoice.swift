import Carillon
import Patches
import RemoteIO

@testable import Sessions

/// A session with a voice at its input, which the patch plays alone, and a looper.
final class LoopVoice {
    let port = SimulatedPort(), session: Session

    /// - Parameter sound: what is captured while a frame is played.
    init(latency: Double? = nil, _ sound: @escaping @Sendable (Int) -> Float) throws {
        port.captures = { frame, _ in sound(frame) }
        var options = LiveOptions()
        let text = "version: 1\nunits:\n  voice: {unit: input}\noutputs: [voice]\n"
        options.patch = try PatchFile(text: text, units: UnitCatalog.entries).patch
        (options.device.loopSeconds, options.device.loopLatency) = (10, latency)
        session = try Session(options, on: port)
        try session.start()
    }

    func pass(_ seconds: Double) throws { try session.pass(seconds, on: port) }

    func ask(_ action: String, _ track: Int = 1) throws { try session.perform(LooperSessionTests.command(action, track)) }

    /// Arms a loop. Returns its state after so many seconds.
    func arm(_ seconds: Double) throws -> String {
        try ask("arm")
        try pass(seconds)
        return state
    }

    var state: String { session.snapshot.loops[0].state }
}
