internal import EngineCore
internal import Graphs
internal import Reports
internal import UnitAPI
internal import Units

/// An echo.
open class AVAudioUnitDelay: AVAudioUnitEffect {
    /// Seconds, 0...2; less than 0.01 as 0.01.
    open var delayTime: TimeInterval = 1 { didSet { set(Delay.Parameter.time, settings[0].1) } }
    /// Percent, -100...100; the engine takes 0...90, without the sign.
    open var feedback: Float = 50 { didSet { set(Delay.Parameter.feedback, settings[1].1) } }
    /// Hertz: what is above is lost with each repeat.
    open var lowPassCutoff: Float = 15_000 { didSet { set(Delay.Parameter.highCut, settings[2].1) } }
    /// Percent: 0 is dry, 100 only the echo.
    open var wetDryMix: Float = 100 { didSet { set(Delay.Parameter.mix, settings[3].1) } }

    private var settings: [(Delay.Parameter, Float)] {
        [
            (.time, max(0.01, min(2, Float(delayTime)))), (.feedback, min(90, abs(feedback))),
            (.highCut, max(200, min(20_000, lowPassCutoff))), (.mix, max(0, min(100, wetDryMix))), (.lowCut, 10),
        ]
    }

    override func addUnits(to graph: inout Graph, _ host: EngineHost, _ links: [NodeLink]) throws(Fault) -> [NodeID] {
        [try add(Delay.self, settings, to: &graph)]
    }
}
