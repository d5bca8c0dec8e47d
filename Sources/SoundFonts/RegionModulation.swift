// [render]

/// The numbers of a voice that modulations move: places in its registers, which begin at 0 in each control step.
package enum RegionTarget {
    /// Decibels.
    @inlinable package static var volume: UInt8 { @_noLocks get { 0 } }
    /// A factor, which is multiplied.
    @inlinable package static var amplitude: UInt8 { @_noLocks get { 1 } }
    /// Shares, -1...1.
    @inlinable package static var pan: UInt8 { @_noLocks get { 2 } }
    @inlinable package static var width: UInt8 { @_noLocks get { 3 } }
    @inlinable package static var position: UInt8 { @_noLocks get { 4 } }
    /// Cents.
    @inlinable package static var pitch: UInt8 { @_noLocks get { 5 } }
    /// Cents, decibels, decibels of the first filter; of the second they are three on.
    @inlinable package static var cutoff: UInt8 { @_noLocks get { 6 } }
    @inlinable package static var resonance: UInt8 { @_noLocks get { 7 } }
    @inlinable package static var gain: UInt8 { @_noLocks get { 8 } }
    /// Hertz, octaves, decibels of the first band; of the others they are three and six on.
    @inlinable package static var bandFrequency: UInt8 { @_noLocks get { 12 } }
    @inlinable package static var bandWidth: UInt8 { @_noLocks get { 13 } }
    @inlinable package static var bandGain: UInt8 { @_noLocks get { 14 } }
    /// What counts when a note begins: seconds, frames, a share, cents.
    @inlinable package static var delay: UInt8 { @_noLocks get { 21 } }
    @inlinable package static var offset: UInt8 { @_noLocks get { 22 } }
    @inlinable package static var velocityTrack: UInt8 { @_noLocks get { 23 } }
    @inlinable package static var pitchVelocityTrack: UInt8 { @_noLocks get { 24 } }
    /// The seven numbers of the level's envelope.
    @inlinable package static var envelope: UInt8 { @_noLocks get { 28 } }
    /// From here on a plan gives them out: depths and rates of its generators.
    @inlinable package static var first: UInt8 { @_noLocks get { 36 } }
    /// The number of registers.
    @inlinable package static var count: Int { @_noLocks get { 128 } }
}

/// One modulation: a source through its curve, times a depth, onto a target.
package struct RegionConnection: BitwiseCopyable, Sendable, Hashable {
    /// A controller, 0...127 MIDI's, from 128 on extended ones. Of a generator's own connections it has no meaning.
    package var controller: UInt16 = 0
    package var target: UInt8 = 0
    /// The register that is added to the depth, 0: none.
    package var depthRegister: UInt8 = 0
    /// The curve in the book, -1 for the straight one from 0 to 1.
    package var curve: Int32 = -1
    package var depth: Float = 0
    /// What full velocity adds to the depth.
    package var byVelocity: Float = 0
    /// Milliseconds in which it follows, nearly; the step of the curve's value, 0: none.
    package var smooth: Float = 0, step: Float = 0

    package init() {}

    /// The most in one voice.
    @inlinable package static var most: Int { @_noLocks get { 64 } }
}

/// A low-frequency oscillator, with its connections.
package struct RegionOscillator: BitwiseCopyable, Sendable {
    package enum Wave: UInt8, BitwiseCopyable, Sendable {
        case triangle, sine, pulse75, square, pulse25, pulse12, ramp, saw, random
    }

    package struct Part: BitwiseCopyable, Sendable {
        package var wave = Wave.triangle
        package var offset: Float = 0, ratio: Float = 1, scale: Float = 1

        package init() {}
    }

    @inlinable package static var most: Int { @_noLocks get { 8 } }

    package var parts = InlineArray<4, Part>(repeating: Part())
    package var partCount: UInt8 = 1
    /// Hertz; beats of the song, which go before, 0: none.
    package var frequency: Float = 0, beats: Float = 0
    /// 0...1 of a turn; seconds.
    package var phase: Float = 0, delay: Float = 0, fade: Float = 0
    /// Turns after which it stops, 0: never.
    package var count: UInt32 = 0
    /// Registers of frequency, phase, delay, fade; 0: none.
    package var frequencyRegister: UInt8 = 0, phaseRegister: UInt8 = 0, delayRegister: UInt8 = 0, fadeRegister: UInt8 = 0
    /// Levels of a sequence that takes the first wave's place, in the book.
    package var firstStep: Int32 = 0, stepCount: Int32 = 0
    package var firstConnection: Int32 = 0, connectionCount: Int32 = 0

    package init() {}
}

/// An envelope that moves something else than the level, or a flex envelope, with its connections.
package struct RegionContour: BitwiseCopyable, Sendable {
    @inlinable package static var most: Int { @_noLocks get { 6 } }

    package var envelope = RegionEnvelope()
    /// Points of a flex envelope in the book; none: `envelope` counts.
    package var firstPoint: Int32 = 0, pointCount: Int32 = 0
    /// The point at which it waits for the key.
    package var sustain: Int32 = 0
    package var firstConnection: Int32 = 0, connectionCount: Int32 = 0

    package init() {}
}

/// A point of a flex envelope: seconds from the one before, level, and the shape of the way, 0 straight.
package struct RegionPoint: BitwiseCopyable, Sendable, Hashable {
    package var time: Float = 0, level: Float = 0, shape: Float = 0
    /// Registers that add to time and level; 0: none.
    package var timeRegister: UInt8 = 0, levelRegister: UInt8 = 0

    package init() {}
}

/// What the regions of one file share.
package struct RegionInstrument: BitwiseCopyable, Sendable {
    /// Values of controllers until one comes, 0...1, `controllers` of them in the book; below 0: the channel's.
    package var firstValue: Int32 = 0
    /// The key switch that counts as struck at first, -1 for none.
    package var defaultSwitch: Int16 = -1
    /// True if all voices of a channel must be in one share: some count or look for others.
    package var staysTogether = false

    @inlinable package static var controllers: Int { @_noLocks get { 512 } }

    package init() {}
}
