internal import DSP
internal import MIDI
internal import Samplers
internal import UnitAPI

/// A unit that plays MIDI: with the SoundFont that `CARILLON_SOUNDFONT` names, or `carillon play` would choose.
///
/// Events take effect with the next slice. Before the engine is prepared they wait.
open class AVAudioUnitMIDIInstrument: AVAudioUnit, AVAudioMixing {
    /// The SoundFont that is known to be one.
    private var seen: String?

    open override var numberOfInputs: Int { 0 }
    override var unitDescription: AudioComponentDescription {
        let own = super.unitDescription
        return own.componentType == kAudioUnitType_MusicDevice
            ? own : .init(kAudioUnitType_MusicDevice, kAudioUnitSubType_MIDISynth)
    }

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
        must(MusicDeviceMIDIEvent(audioUnit, UInt32(midiStatus), UInt32(data1), UInt32(data2), 0))
    }
    /// A System Exclusive message, F0 ... F7.
    open func sendMIDISysExEvent(_ midiData: Data) {
        must(
            Array(midiData).withUnsafeBufferPointer { bytes in
                bytes.baseAddress.map { MusicDeviceSysEx(audioUnit, $0, UInt32(clamping: bytes.count)) } ?? noErr
            })
    }

    /// Music for the next slice.
    func send(_ event: MusicEvent) { must(UnitAccess.send(event, to: audioUnit)) }

    /// Plays a SoundFont that is named.
    func load(_ bank: URL) throws {
        try see(bank)
        let file = bank as CFURL
        try withExtendedLifetime(file) {
            try check(
                auAudioUnit.write(kMusicDeviceProperty_SoundBankURL, Unmanaged.passUnretained(file).toOpaque()), bank.path)
        }
    }

    /// Makes a SoundFont's unit once to see whether it can be: a refusal is this call's error.
    fileprivate func see(_ bank: URL) throws {
        if seen == bank.path { return }
        guard FileManager.default.isReadableFile(atPath: bank.path) else { throw osError(kAudio_FileNotFoundError, bank.path) }
        do throws(UnitError) {
            _ = try UnitInstance.make(
                Sampler.self, UnitSetup(sampleRate: 48_000, properties: ["soundfonts": [.text(bank.path)], "buses": "main"]))
        } catch {
            throw NSError(domain: avfaudioDomain, code: -10_871, userInfo: [NSLocalizedDescriptionKey: "\(error)"])
        }
        seen = bank.path
    }

    private func must(_ status: OSStatus) { Refusal.write(status, "\(type(of: self))") }
}

/// Plays one instrument on all channels: of a SoundFont (SF2, SF3, DLS, SFZ), an audio file or an `.aupreset`.
open class AVAudioUnitSampler: AVAudioUnitMIDIInstrument {
    override var unitDescription: AudioComponentDescription { .init(kAudioUnitType_MusicDevice, kAudioUnitSubType_Sampler) }

    /// -1 to 1: left to right.
    open var stereoPan: Float = 0 {
        didSet { sendController(10, withValue: UInt8(max(0, min(127, 64 + stereoPan * 63))), onChannel: 0) }
    }
    /// Decibels, -90...12.
    open var overallGain: Float = 0 {
        didSet { adjust(Sampler.Parameter.gain, 0.2 * Decibels.amplitude(max(-90, min(12, overallGain)))) }
    }
    open var masterGain: Float {
        get { overallGain }
        set { overallGain = newValue }
    }
    /// Cents, -2400...2400.
    open var globalTuning: Float = 0 { didSet { send(.masterTuning(cents: max(-2_400, min(2_400, globalTuning)), port: 0)) } }

    /// Loads an instrument of a bank. 0x79 is Apple's number of melodic banks, 0x78 of percussion; others are as in the file.
    open func loadSoundBankInstrument(at bankURL: URL, program: UInt8, bankMSB: UInt8, bankLSB: UInt8) throws {
        try load(bankURL, kInstrumentType_SF2Preset, (program, bankMSB, bankLSB))
    }

    /// Loads the first instrument of a SoundFont, an audio file, or an `.aupreset`.
    open func loadInstrument(at instrumentURL: URL) throws {
        let type =
            switch instrumentURL.pathExtension.lowercased() {
            case "wav", "aif", "aiff", "aifc", "caf", "flac", "mp3", "ogg": kInstrumentType_Audiofile
            case "aupreset": kInstrumentType_AUPreset
            case "exs": kInstrumentType_EXS24
            default: kInstrumentType_SF2Preset
            }
        try load(instrumentURL, type, (0, 0x79, 0))
    }

    /// Loads one audio file for all keys; `kAudio_UnimplementedError` for several.
    open func loadAudioFiles(at audioFiles: [URL]) throws {
        guard audioFiles.count == 1 else { throw osError(kAudio_UnimplementedError, "loadAudioFiles") }
        try load(audioFiles[0], kInstrumentType_Audiofile, (0, 0, 0))
    }
    open override func loadPreset(at presetURL: URL) throws { try load(presetURL, kInstrumentType_AUPreset, (0, 0, 0)) }

    private func load(_ url: URL, _ type: UInt8, _ preset: (program: UInt8, msb: UInt8, lsb: UInt8)) throws {
        try Control.run {
            if type == kInstrumentType_SF2Preset { try see(url) }
            let file = url as CFURL
            let data = AUSamplerInstrumentData(
                fileURL: Unmanaged.passUnretained(file), instrumentType: type, bankMSB: preset.msb, bankLSB: preset.lsb,
                presetID: preset.program)
            try withExtendedLifetime(file) { try check(auAudioUnit.write(kAUSamplerProperty_LoadInstrument, data), url.path) }
        }
    }
}
