/// A connection block of DLS: what moves what, how far, and by which curves.
///
/// Source: DLS Level 2.2, sections 1.6 to 1.8 and 2.9 to 2.10.
struct DLSConnection: Sendable {
    enum Source {
        static let none = 0, oscillator = 1, velocity = 2, key = 3, modulationEnvelope = 5, bend = 6
        static let keyPressure = 7, pressure = 8, vibrato = 9, bendRange = 0x100
    }
    enum Destination {
        static let gain = 1, pitch = 3, pan = 4, chorus = 0x80, reverb = 0x81
        static let volumeSustain = 0x20A, modulationSustain = 0x30E, cutoff = 0x500, resonance = 0x501
    }

    let source: Int, control: Int, destination: Int
    private let transform: Int
    /// The amount, in units of the generator that the connection moves.
    let amount: Double
    /// True if its bits are those of `art1`, which has one curve for the whole connection.
    private let isFirstLevel: Bool

    init(_ table: RecordTable, _ record: Int, isFirstLevel: Bool) {
        source = table.word(record, 0)
        control = table.word(record, 2)
        destination = table.word(record, 4)
        transform = table.word(record, 6)
        amount = Self.scale(table.long(record, 8))
        self.isFirstLevel = isFirstLevel
    }

    /// A 32-bit number with sixteen fractional bits.
    static func scale(_ bits: Int) -> Double { Double(Int32(truncatingIfNeeded: bits)) / 65_536 }

    func isSameLine(as other: DLSConnection) -> Bool {
        source == other.source && control == other.control && destination == other.destination
    }

    /// Nil for what the model has not: rear channels, the shutdown of a stolen voice. The factor is to the generator's unit.
    var target: (generator: Generator, factor: Double)? {
        switch (source, destination) {
        case (Source.oscillator, Destination.pitch): (.modulationLFOToPitch, 1)
        case (Source.oscillator, Destination.gain): (.modulationLFOToVolume, 1)
        case (Source.oscillator, Destination.cutoff): (.modulationLFOToCutoff, 1)
        case (Source.vibrato, Destination.pitch): (.vibratoLFOToPitch, 1)
        case (Source.modulationEnvelope, Destination.pitch): (.modulationEnvelopeToPitch, 1)
        case (Source.modulationEnvelope, Destination.cutoff): (.modulationEnvelopeToCutoff, 1)
        case (Source.oscillator, _), (Source.vibrato, _), (Source.modulationEnvelope, _), (4, _): nil
        case (_, Destination.gain): (.attenuation, -1)
        case (_, Destination.pitch): (.fineTune, 1)
        case (_, Destination.pan): (.pan, 1)
        case (_, Destination.chorus): (.chorusSend, 1)
        case (_, Destination.reverb): (.reverbSend, 1)
        // What is left of the full envelope, in tenths of a percent; the SoundFont model counts what is taken from it, and
        // both mean 96 dB by a whole one.
        case (_, Destination.volumeSustain): (.volumeSustain, -1)
        case (_, Destination.modulationSustain): (.modulationSustain, -1)
        case (_, Destination.cutoff): (.filterCutoff, 1)
        case (_, Destination.resonance): (.filterResonance, 1)
        case (_, let number): Self.times[number].map { ($0, 1) }
        }
    }

    /// Destinations in timecents and in cents, which are the SoundFont model's own.
    private static let times: [Int: Generator] = [
        0x104: .modulationLFORate, 0x105: .modulationLFODelay, 0x114: .vibratoLFORate, 0x115: .vibratoLFODelay,
        0x206: .volumeAttack, 0x207: .volumeDecay, 0x209: .volumeRelease, 0x20B: .volumeDelay, 0x20C: .volumeHold,
        0x30A: .modulationAttack, 0x30B: .modulationDecay, 0x30D: .modulationRelease, 0x30F: .modulationDelay,
        0x310: .modulationHold,
    ]

    /// True if source and control are the oscillators and envelopes, or nothing: then it is a number and no line.
    var isConstant: Bool { control == Source.none && (source == Source.none || isInternal) }
    private var isInternal: Bool { [Source.oscillator, Source.vibrato, Source.modulationEnvelope].contains(source) }

    var modulator: Modulator? {
        guard let (generator, factor) = target,
            let first = Self.number(source), let second = Self.number(control)
        else { return nil }
        let signed = Float(amount * factor)
        let bySource = isInternal || source == Source.none ? nil : modulatorSource(first, bits: sourceBits)
        let byControl = control == Source.none ? nil : modulatorSource(second, bits: transform >> 4)
        guard let main = bySource ?? byControl, main.isAllowed, byControl?.isAllowed ?? true else { return nil }
        return Modulator(generator, main, by: bySource == nil ? .constant : byControl ?? .constant, amount: signed)
    }

    /// Curve, then from both sides, then from high to low. In Level 1 only the output has a curve, and its one curve means
    /// that of velocity and volume, which fall.
    private var sourceBits: Int {
        if isFirstLevel { return transform & 15 == 1 ? 0b10_0001 : 0 }
        return transform >> 10 & 63
    }

    private func modulatorSource(_ number: (UInt8, isController: Bool), bits: Int) -> ModulatorSource {
        // A wheel that has a middle has it in any file.
        let hasMiddle = number == (14, false) || number == (10, true)
        return ModulatorSource(
            number.0, isController: number.isController, isNegative: bits & 32 != 0, isBipolar: bits & 16 != 0 || hasMiddle,
            curve: ModulatorSource.Curve(rawValue: UInt8(bits & 15)) ?? .linear)
    }

    /// The number by which the SoundFont model knows a source.
    private static func number(_ source: Int) -> (UInt8, isController: Bool)? {
        switch source {
        case Source.none, Source.oscillator, Source.vibrato, Source.modulationEnvelope: (0, false)
        case Source.velocity: (2, false)
        case Source.key: (3, false)
        case Source.bend: (14, false)
        case Source.keyPressure: (10, false)
        case Source.pressure: (13, false)
        case Source.bendRange: (16, false)
        case 0x80...0xFF: (UInt8(source & 127), true)
        default: nil
        }
    }
}
