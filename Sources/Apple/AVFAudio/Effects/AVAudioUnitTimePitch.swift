internal import Graphs
internal import Reports
internal import TimePitch
internal import Units

/// Plays the player nodes that lead to it faster or slower, and higher or lower with that.
open class AVAudioUnitVarispeed: AVAudioUnitTimeEffect {
    /// 0.25...4.
    open var rate: Float = 1 { didSet { applySpeed() } }

    override var speed: Float { max(0.25, min(4, rate)) }
    override var unitDescription: AudioComponentDescription { .init(kAudioUnitType_FormatConverter, kAudioUnitSubType_Varispeed) }
    override var chain: [AUAudioUnit] { [] }

    override func addUnits(to graph: inout Graph, _ host: EngineHost, _ links: [NodeLink]) throws(Fault) -> [NodeID] {
        [try graph.add(Junction.self, name: nil)]
    }
}

/// Moves pitch, and plays the player nodes that lead to it faster or slower at their pitch.
///
/// Both together within an octave, which is what the engine's pitch shifter has; it needs librubberband3.
open class AVAudioUnitTimePitch: AVAudioUnitTimeEffect {
    /// 0.5...2.
    open var rate: Float = 1 { didSet { change() } }
    /// Cents, -1200...1200.
    open var pitch: Float = 0 { didSet { change() } }
    /// Stored: windows overlap as the library wants.
    open var overlap: Float = 8

    open override var bypass: Bool { didSet { change() } }

    override var speed: Float { max(0.5, min(2, rate)) }
    override var unitDescription: AudioComponentDescription {
        .init(kAudioUnitType_FormatConverter, kAudioUnitSubType_NewTimePitch)
    }
    override var chain: [AUAudioUnit] { [] }

    /// Semitones that undo the speed and do the pitch.
    private var semitones: Float { bypass ? 0 : max(-12, min(12, pitch / 100 - 12 * log2(speed))) }

    private func change() {
        set(PitchShift.Parameter.semitones, semitones.rounded())
        set(PitchShift.Parameter.cents, (semitones - semitones.rounded()) * 100)
        applySpeed()
    }

    override func addUnits(to graph: inout Graph, _ host: EngineHost, _ links: [NodeLink]) throws(Fault) -> [NodeID] {
        let values = ["semitones": semitones.rounded(), "cents": (semitones - semitones.rounded()) * 100]
        return [try graph.add(PitchShift.self, startValues: values)]
    }
}
