import AudioFiles
import EngineCore
import MIDI
import Patches
import RemoteIO
import Reports
import SongRendering
import SoundFonts

/// The trims that bring the patches of a set list to one loudness: each plays a chord of three keys in the middle of each zone, at
/// velocity 100, for two seconds, before the session begins. Trims are kept from one session to the next (`LoudnessCache`).
/// Control side.
struct PatchLevel {
    /// The loudness of the chord, in LUFS, and the most that a trim turns up or down, in decibels.
    static let reference = -20.0, most = 12.0
    private static let seconds = 2.0

    let cache: LoudnessCache?

    /// The trim of a patch in decibels; nil for one that is silent.
    ///
    /// - Parameter options: those of the session; their instrument plays where the patch names no SoundFont.
    /// - Throws: the fault of a patch that cannot be played.
    func trim(of listed: ListedPatch, in options: LiveOptions) throws(Fault) -> Double? {
        try cache.gain(for: lines(of: listed, in: options), most: Self.most) { () throws(Fault) in
            try loudness(of: listed, in: options).flatMap { $0 > -70 ? Self.reference - $0 : nil }
        }
    }

    /// All that decides the level, as lines; nil where a file cannot be read.
    private func lines(of listed: ListedPatch, in options: LiveOptions) -> [String]? {
        guard let path = listed.path else { return nil }
        let names = listed.patch.soundFonts.isEmpty ? options.sound.instrument.soundFonts : listed.patch.soundFonts
        let fonts: [String], hash: String
        do { (fonts, hash) = (try LoudnessCache.lines(forFonts: names), try ContentHash.ofFile(path)) } catch { return nil }
        let files = listed.patch.units.compactMap { unit in
            guard case .text(let file)? = unit.properties["file"] else { return nil as String? }
            return "file \(file) \(FileIdentity(path: file)?.stamp ?? "-")"
        }
        let lines = [
            "carillon-patch 1 \(SoundVersion.number) \(options.sampleRate)", "patch \(hash)", "start \(listed.start ?? "-")",
        ]
        return lines + fonts + files
    }

    /// The loudness of two seconds of its chords, in LUFS; nil for what cannot be measured.
    private func loudness(of listed: ListedPatch, in options: LiveOptions) throws(Fault) -> Double? {
        var alone = LiveOptions()
        (alone.instrument, alone.patch, alone.sampleRate) = (options.instrument, listed.patch, options.sampleRate)
        let port = SimulatedPort(channels: 2), session = try Session(alone, on: port)
        try session.start()
        if let scene = listed.start { try session.perform(.scene(.named(scene))) }
        port.advance(seconds: 0.05)
        try session.maintain()
        let inputs = try StagePart.inputs(alone)
        for message in Self.chord(of: listed.patch, inputs) { try session.receive(.message(message)) }
        for _ in 0..<Int(Self.seconds * 20) {
            port.advance(seconds: 0.05)
            try session.maintain()
        }
        let heard = port.played
        try session.finish()
        guard let meter = LoudnessMeter(channels: 2, sampleRate: options.sampleRate) else { return nil }
        heard[0].withUnsafeBufferPointer { left in
            heard[1].withUnsafeBufferPointer { right in
                guard let first = left.baseAddress, let second = right.baseAddress else { return }
                meter.add([first, second], frames: min(left.count, right.count))
            }
        }
        return meter.integratedLoudness
    }

    /// A major chord in the middle of each zone, as far as it has room there; each key of a channel once.
    private static func chord(of patch: Patch, _ inputs: KeyboardInputs) -> [MIDIMessage] {
        var pressed: Set<Int> = [], chord: [MIDIMessage] = []
        for zone in patch.zones.isEmpty ? [Zone("")] : patch.zones where zone.output == nil || zone.unit != nil {
            let keys = zone.keys.keys, middle = zone.keys == .all ? 60 : (Int(keys.lowerBound) + Int(keys.upperBound)) / 2
            let part = Int(inputs.input(of: zone.keyboard) ?? 0) * 16 + (zone.channels.sorted.first ?? 0)
            for key in [middle, middle + 4, middle + 7] where keys.contains(UInt8(clamping: key)) && key < 128 {
                guard pressed.insert(part * 128 + key).inserted else { continue }
                // By its bytes: here the optimiser of Swift 6.3.1 drops the status of a message that is made for a part.
                let status = 0x90 | UInt8(part % 16), port = UInt8(part / 16)
                chord.append(MIDIMessage(status: status, data1: UInt8(key), data2: 100, port: port))
            }
        }
        return chord
    }
}

extension LiveOptions {
    /// Brings the patches of a set list to one loudness, as far as their entries ask for it. Call it before the session is made;
    /// it takes a moment for each patch that is not in the cache.
    package mutating func trimPatches() { trimPatches(PatchLevel(cache: .standard)) }

    mutating func trimPatches(_ level: PatchLevel) {
        for place in list.patches.indices where list.patches[place].isTrimmed {
            let listed = list.patches[place]
            if !listed.hasPatch || listed.fault != nil { continue }
            var said: String?
            do throws(Fault) {
                if let trim = try level.trim(of: listed, in: self) {
                    list.patches[place].trim = Float(trim)
                    said = trim == 0 ? nil : "trim of \(trim > 0 ? "+" : "")\(trim) dB"
                } else {
                    said = "no trim: its chord is silent"
                }
            } catch { said = "no trim: \(error)" }
            if let said { list.trims.append(Remark(.level, listed.name, said)) }
        }
    }
}
