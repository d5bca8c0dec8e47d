import CarillonTestKit
import DSP
import Graphs
import RealtimeCore
import UnitAPI

/// A steady level of its own on each of eight channels, told apart by it.
enum EightTones {
    static func level(_ speaker: Speaker) -> Float { Float(speaker.rawValue + 1) / 64 }

    /// A renderer that makes it, and what has to live as long.
    static func renderer() throws -> (Renderer, OfflineRig) {
        let rig = OfflineRig()
        let setup = UnitSetup(sampleRate: 48_000, maximumFrames: 4096)
        let unit = UnitInstance.callback("tones", outputs: [8], setup: setup) { io in
            for channel in 0..<8 {
                for i in 0..<io.frames { io.output(0, channel).base[i] = Float(channel + 1) / 64 }
            }
            return .sounding
        }
        try rig.graph.setOutput(rig.graph.add(unit))
        try rig.publish()
        return (rig.renderer, rig)
    }
}
