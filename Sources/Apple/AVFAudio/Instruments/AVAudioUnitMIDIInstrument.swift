internal import DSP
internal import EngineCore
internal import Graphs
internal import MIDI
internal import Reports
internal import Samplers
internal import UnitAPI
internal import Units

/// A unit that plays MIDI: with the SoundFont that `CARILLON_SOUNDFONT` names, or `carillon play` would choose.
///
/// Events take effect with the next slice. Before the engine is prepared they wait.
open class AVAudioUnitMIDIInstrument: AVAudioUnit, AVAudioMixing {
    private var exclusive = SystemExclusive()
    private var waiting: [MusicEvent] = []
    /// The SoundFont's path; nil for the default.
    fileprivate var bank: String?
    /// The number of the instrument, so that another one is made anew.
    fileprivate var edition = 0.0

    open override var numberOfInputs: Int { 0 }

    open func startNote(_ note: UInt8, withVelocity velocity: UInt8, onChannel channel: UInt8) {
        sendMIDIEvent(0x90 | channel & 15, data1: note, data2: velocity)
    }
    open func stopNote(_ note: UInt8, onChannel channel: UInt8) { sendMIDIEvent(0x80 | channel & 15, data1: note, data2: 0) }
    open func sendController(_ controller: UInt8, withValue value: UInt8, onChannel channel: UInt8) {
        sendMIDIEvent(0xB0 | channel & 15, data1: controller, data2: value)
    }
    /// 0...16383, 8192 is the middle.
    open func sendPitchBend(_ pitchbend: UInt16, onChannel channel: UInt8) {
        sendMIDIEvent(0xE0 | channel & 15, data1: UInt8(pitchbend & 127), data2: UInt8(pitchbend >> 7 & 127))
    }
    open func sendPressure(_ pressure: UInt8, onChannel channel: UInt8) { sendMIDIEvent(0xD0 | channel & 15, data1: pressure) }
    open func sendPressure(forKey key: UInt8, withValue value: UInt8, onChannel channel: UInt8) {
        sendMIDIEvent(0xA0 | channel & 15, data1: key, data2: value)
    }
    open func sendProgramChange(_ program: UInt8, onChannel channel: UInt8) { sendMIDIEvent(0xC0 | channel & 15, data1: program) }
    /// Chooses a bank first: controllers 0 and 32.
    open func sendProgramChange(_ program: UInt8, bankMSB: UInt8, bankLSB: UInt8, onChannel channel: UInt8) {
        sendController(0, withValue: bankMSB, onChannel: channel)
        sendController(32, withValue: bankLSB, onChannel: channel)
        sendProgramChange(program, onChannel: channel)
    }
    open func sendMIDIEvent(_ midiStatus: UInt8, data1: UInt8) { sendMIDIEvent(midiStatus, data1: data1, data2: 0) }
    /// A channel message; others mean nothing to an instrument.
    open func sendMIDIEvent(_ midiStatus: UInt8, data1: UInt8, data2: UInt8) {
        guard (0x80...0xEF).contains(midiStatus), data1 < 128, data2 < 128 else {
            return Refusal.write("sendMIDIEvent: \(midiStatus) \(data1) \(data2) is no channel message")
        }
        Control.run { send(.message(MIDIMessage(status: midiStatus, data1: data1, data2: data2))) }
    }
    /// A System Exclusive message, F0 ... F7.
    open func sendMIDISysExEvent(_ midiData: Data) {
        Control.run { for event in exclusive.events(from: Array(midiData), port: 0) { send(event) } }
    }

    func send(_ event: MusicEvent) {
        guard let (host, place) = place else { return waiting.append(event) }
        do { try host.engine.send(event, to: place.first) } catch { Refusal.write("\(error)") }
    }

    /// Parameters that its unit begins with.
    fileprivate var startValues: [String: Float] { [:] }

    override func needs(_ host: EngineHost, _ links: [NodeLink]) -> [Double] { [edition] }

    override func addUnits(to graph: inout Graph, _ host: EngineHost, _ links: [NodeLink]) throws(Fault) -> [NodeID] {
        var properties: [String: PropertyValue] = [:]
        if let bank { properties["soundfonts"] = [.text(bank)] }
        return [try graph.add(named: Sampler.defaultDescriptor.name, startValues: startValues, properties: properties)]
    }

    override func didJoin(_ host: EngineHost, _ place: EngineHost.Placed) {
        let events = waiting
        waiting = []
        for event in events { send(event) }
    }
}

/// Plays one instrument of a SoundFont (SF2, SF3, DLS, SFZ) on all channels.
open class AVAudioUnitSampler: AVAudioUnitMIDIInstrument {
    private var program: (number: UInt8, msb: UInt8, lsb: UInt8)?

    /// -1 to 1: left to right.
    open var stereoPan: Float = 0 { didSet { controlAll(10, UInt8(max(0, min(127, 64 + stereoPan / 100 * 63)))) } }
    /// Decibels, -90...12.
    open var overallGain: Float = 0 {
        didSet { set(Sampler.Parameter.gain, gain) }
    }
    private var gain: Float { 0.2 * Decibels.amplitude(max(-90, min(12, overallGain))) }
    open var masterGain: Float {
        get { overallGain }
        set { overallGain = newValue }
    }
    /// Cents, -2400...2400.
    open var globalTuning: Float = 0 {
        didSet { Control.run { send(.masterTuning(cents: max(-2_400, min(2_400, globalTuning)), port: 0)) } }
    }

    /// Loads an instrument of a bank. 0x79 is Apple's number of melodic banks, 0x78 of percussion; others are as in the file.
    open func loadSoundBankInstrument(at bankURL: URL, program: UInt8, bankMSB: UInt8, bankLSB: UInt8) throws {
        try load(bankURL, (program, bankMSB, bankLSB))
    }

    /// Loads the first instrument of a file.
    open func loadInstrument(at instrumentURL: URL) throws { try load(instrumentURL, (0, 0x79, 0)) }

    /// `kAudio_UnimplementedError`.
    open func loadAudioFiles(at audioFiles: [URL]) throws { throw osError(kAudio_UnimplementedError, "loadAudioFiles") }
    open func loadPreset(at presetURL: URL) throws { throw osError(kAudio_UnimplementedError, presetURL.path) }

    private func load(_ url: URL, _ program: (UInt8, UInt8, UInt8)) throws {
        try Control.run {
            guard FileManager.default.isReadableFile(atPath: url.path) else { throw osError(kAudio_FileNotFoundError, url.path) }
            let rate = owner?.sampleRate ?? SessionState.sampleRate
            if bank != url.path {
                // Made once to see whether it can be: a refusal is this call's error.
                do {
                    _ = try UnitInstance.make(
                        Sampler.self, UnitSetup(sampleRate: rate, properties: ["soundfonts": [.text(url.path)], "buses": "main"]))
                } catch let error as UnitError {
                    throw NSError(domain: avfaudioDomain, code: -10_871, userInfo: [NSLocalizedDescriptionKey: "\(error)"])
                }
                bank = url.path
                edition += 1
            }
            self.program = program
            owner?.refresh()
            if place != nil { choose() }
        }
    }

    fileprivate override var startValues: [String: Float] { ["gain": gain] }

    override func didJoin(_ host: EngineHost, _ place: EngineHost.Placed) {
        choose()
        super.didJoin(host, place)
    }

    /// The instrument on every channel, as a sampler has one.
    private func choose() {
        let (number, msb, lsb) = program ?? (0, 0x79, 0)
        for channel in UInt8(0)..<16 {
            send(.partMode(msb == 0x78 ? .drums : .melodic, port: 0, channel: channel))
            send(.message(MIDIMessage(status: 0xB0 | channel, data1: 0, data2: msb == 0x79 || msb == 0x78 ? 0 : msb & 127)))
            send(.message(MIDIMessage(status: 0xB0 | channel, data1: 32, data2: lsb & 127)))
            send(.message(MIDIMessage(status: 0xC0 | channel, data1: number & 127)))
        }
    }

    private func controlAll(_ controller: UInt8, _ value: UInt8) {
        Control.run {
            for channel in UInt8(0)..<16 { send(.message(MIDIMessage(status: 0xB0 | channel, data1: controller, data2: value))) }
        }
    }
}
