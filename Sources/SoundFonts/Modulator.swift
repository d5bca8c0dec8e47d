// [render]

/// A connection from a controller to a generator: how far a key, a wheel or a pedal moves a voice's property.
///
/// Two sources, each through a curve to 0...1 or -1...1, are multiplied with the amount. Source: SoundFont Technical
/// Specification 2.04, sections 7.4, 8.2 to 8.4.
package struct Modulator: BitwiseCopyable, Sendable, Hashable {
    /// The generator that it moves.
    package var destination: Generator
    package var source: ModulatorSource
    /// Scales the first; `constant` is 1.
    package var amountSource: ModulatorSource
    /// True if the product's sign is dropped (transform 2).
    package var isAbsolute: Bool
    /// The move at full scale, in the generator's unit.
    package var amount: Float

    @_noLocks package init(
        _ destination: Generator, _ source: ModulatorSource, by amountSource: ModulatorSource = .constant,
        isAbsolute: Bool = false, amount: Float
    ) {
        (self.destination, self.source, self.amountSource) = (destination, source, amountSource)
        (self.isAbsolute, self.amount) = (isAbsolute, amount)
    }

    /// Returns true if both draw the same line, with any amounts: then one replaces the other.
    func isSameLine(as other: Modulator) -> Bool {
        destination == other.destination && source == other.source && amountSource == other.amountSource
            && isAbsolute == other.isAbsolute
    }

    /// Nil for one that acts on another modulator or on nothing, and for sources that the standard forbids.
    init?(_ table: RecordTable, _ record: Int) {
        let source = ModulatorSource(bits: table.word(record, 0)), by = ModulatorSource(bits: table.word(record, 6))
        let transform = table.word(record, 8)
        guard let destination = UInt8(exactly: table.word(record, 2)).flatMap(Generator.init(rawValue:)),
            destination.isInstrumentValue, source.isAllowed, by.isAllowed
        else { return nil }
        self.init(destination, source, by: by, isAbsolute: transform == 2, amount: Float(table.short(record, 4)))
        if source == .constant || (transform != 0 && transform != 2) { amount = 0 }
    }
}

/// Where a modulator takes its number from, and by which curve.
package struct ModulatorSource: BitwiseCopyable, Sendable, Hashable {
    /// Kinds of curves from 0...1 to 0...1.
    package enum Curve: UInt8, BitwiseCopyable, Sendable, CaseIterable { case linear, concave, convex, step }

    /// The number of a MIDI controller, or of a source of the standard's: 0 none, 2 velocity, 3 key, 10 pressure of the
    /// key, 13 pressure of the channel, 14 bend, 16 bend range.
    package var number: UInt8
    package var isController: Bool
    /// True if the curve falls where the number rises.
    package var isNegative: Bool
    /// -1...1 instead of 0...1.
    package var isBipolar: Bool
    package var curve: Curve

    @_noLocks package init(
        _ number: UInt8, isController: Bool = false, isNegative: Bool = false, isBipolar: Bool = false,
        curve: Curve = .linear
    ) {
        (self.number, self.isController, self.isNegative) = (number, isController, isNegative)
        (self.isBipolar, self.curve) = (isBipolar, curve)
    }

    /// Always 1.
    @inlinable package static var constant: ModulatorSource { @_noLocks get { ModulatorSource(0) } }
    /// The force with which the key was struck.
    @inlinable package static var velocity: ModulatorSource { @_noLocks get { ModulatorSource(2) } }
    /// The bend wheel, from one end to the other.
    @inlinable package static var bend: ModulatorSource { @_noLocks get { ModulatorSource(14, isBipolar: true) } }
    /// The range of the bend wheel.
    @inlinable package static var bendRange: ModulatorSource { @_noLocks get { ModulatorSource(16) } }

    /// A MIDI controller.
    @_noLocks package static func controller(
        _ number: UInt8, isNegative: Bool = false, isBipolar: Bool = false, curve: Curve = .linear
    ) -> ModulatorSource {
        ModulatorSource(number, isController: true, isNegative: isNegative, isBipolar: isBipolar, curve: curve)
    }

    /// The sixteen bits of a file: number, controller flag, direction, polarity, curve. Kinds of curves from 4 on are
    /// unknown: such a source is marked by a number that is not allowed.
    init(bits: Int) {
        let kind = bits >> 10
        self.init(
            kind < 4 ? UInt8(bits & 127) : 1, isController: bits & 0x80 != 0 && kind < 4, isNegative: bits & 0x100 != 0,
            isBipolar: bits & 0x200 != 0, curve: Curve(rawValue: UInt8(kind & 3)) ?? .linear)
        // No source has neither direction nor sides.
        if number == 0 && !isController && kind < 4 { self = .constant }
    }

    /// True if the standard knows the source; controllers that carry banks, data entry and modes are not for modulators.
    var isAllowed: Bool {
        isController
            ? ![0, 6, 32, 38].contains(number) && !(98...101).contains(number) && number < 120
            : [0, 2, 3, 10, 13, 14, 16].contains(number)
    }
}

extension Modulator {
    /// The lines that every voice has, unless a zone draws them anew: the ten of the standard (without velocity to cutoff,
    /// which no synthesizer follows any more, libfluidsynth among them), balance, and what GM2 and GS call sound
    /// controllers, which change nothing at 64.
    package static let defaults: [Modulator] = [
        Modulator(.attenuation, ModulatorSource(2, isNegative: true, curve: .concave), amount: 960),
        Modulator(.vibratoLFOToPitch, ModulatorSource(13), amount: 50),
        Modulator(.vibratoLFOToPitch, .controller(1), amount: 50),
        Modulator(.attenuation, .controller(7, isNegative: true, curve: .concave), amount: 960),
        Modulator(.pan, .controller(10, isBipolar: true), amount: 500),
        Modulator(.attenuation, .controller(11, isNegative: true, curve: .concave), amount: 960),
        Modulator(.reverbSend, .controller(91), amount: 200),
        Modulator(.chorusSend, .controller(93), amount: 200),
        Modulator(.fineTune, .bend, by: .bendRange, amount: 12_700),
        Modulator(.balance, .controller(8, isBipolar: true, curve: .concave), amount: 960),
        Modulator(.filterResonance, .controller(71, isBipolar: true), amount: 200),
        Modulator(.volumeRelease, .controller(72, isBipolar: true), amount: 3_600),
        Modulator(.volumeAttack, .controller(73, isBipolar: true), amount: 6_000),
        Modulator(.filterCutoff, .controller(74, isBipolar: true), amount: 6_000),
        Modulator(.volumeDecay, .controller(75, isBipolar: true), amount: 3_600),
        Modulator(.vibratoLFORate, .controller(76, isBipolar: true), amount: 1_200),
        Modulator(.vibratoLFOToPitch, .controller(77, isBipolar: true), amount: 50),
        Modulator(.vibratoLFODelay, .controller(78, isBipolar: true), amount: 3_600),
    ]

    /// True for the standard's line from controller 91 to the reverb or from 93 to the chorus, at 200.
    var isDefaultSend: Bool {
        (destination == .reverbSend || destination == .chorusSend) && Self.defaults.contains(where: isSameLine)
    }

    /// Velocity to cutoff as the standard's first edition had it: wherever a file draws this line, it does nothing.
    static let velocityToCutoff = Modulator(
        .filterCutoff, ModulatorSource(2, isNegative: true), by: ModulatorSource(2, curve: .step), amount: -2_400)
}
