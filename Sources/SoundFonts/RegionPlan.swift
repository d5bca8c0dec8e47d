// [render]

/// The plan of a voice of an SFZ region: numbers that stay, and the place of its modulations in the book.
package struct RegionPlan: BitwiseCopyable, Sendable {
    package var rule = RegionRule()
    package var level = RegionLevel()
    package var pitch = RegionPitch()
    package var filters = InlineArray<2, RegionFilter>(repeating: RegionFilter())
    package var bands = InlineArray<3, RegionBand>(repeating: RegionBand())
    package var envelope = RegionEnvelope()
    package var start = RegionStart()
    /// The modulations by controllers, in the book; and the generators of modulations, each with its own.
    package var firstConnection: Int32 = 0, connectionCount: Int32 = 0
    package var firstOscillator: Int32 = 0, oscillatorCount: Int32 = 0
    package var firstEnvelope: Int32 = 0, envelopeCount: Int32 = 0
    /// The instrument of the region, in the book.
    package var instrument: Int32 = 0
    /// The side of the sample: -1 left, 1 right, 0 for one with one channel.
    package var side: Int8 = 0
    /// The flex envelope that is the level's, as its index among the plan's envelopes; -1: `envelope` is.
    package var levelEnvelope: Int16 = -1

    package init() {}
}

/// Level and place of a region.
package struct RegionLevel: BitwiseCopyable, Sendable {
    /// Decibels; a factor; shares -1...1.
    package var volume: Float = 0, amplitude: Float = 1, pan: Float = 0, width: Float = 1, position: Float = 0
    /// The share of velocity in the level, -1...1; the curve of velocity in the book, or -1 for the square.
    package var velocityTrack: Float = 1, velocityCurve: Int32 = -1
    /// Decibels for each key above the centre.
    package var keyTrack: Float = 0, keyCenter: Float = 60
    /// The most that chance adds. Unit: decibels.
    package var random: Float = 0
    /// Fades by key and velocity, 0...127: in from the first to the second, out from the third to the fourth.
    package var keyFade = RegionFade(), velocityFade = RegionFade()
    /// The share that arrives beside the effects.
    package var direct: Float = 1
    /// Fades by controllers, in the book.
    package var firstFade: Int32 = 0, fadeCount: Int32 = 0

    package init() {}
}

/// A fade: in over one range, out over another. Unit: that of what it follows.
package struct RegionFade: BitwiseCopyable, Sendable, Hashable {
    package var inLow: Float = 0, inHigh: Float = 0, outLow: Float = .infinity, outHigh: Float = .infinity
    /// True if power stays the same on the way, false if amplitude does.
    package var keepsPower = true
    /// The controller that it follows, if one it is.
    package var controller: UInt16 = 0

    package init() {}
}

/// Pitch of a region. Unit: cents.
package struct RegionPitch: BitwiseCopyable, Sendable {
    package var tune: Float = 0, velocityTrack: Float = 0, random: Float = 0
    /// The wheel's ends, and its steps; `hasBend` false: the channel's own range.
    package var bendUp: Float = 200, bendDown: Float = -200, bendStepUp: Float = 1, bendStepDown: Float = 1
    package var hasBend = false
    /// Milliseconds in which it follows the wheel, nearly.
    package var bendSmooth: Float = 0
    /// The key at which a controller plays it, 0...127.
    package var keyCenter: UInt8 = 60

    package init() {}
}

/// A filter of a region.
package struct RegionFilter: BitwiseCopyable, Sendable {
    package enum Kind: UInt8, BitwiseCopyable, Sendable, CaseIterable {
        case none, low1, high1, band1, reject1, all1, low2, high2, band2, reject2, all2, low4, high4, band4, low6, high6, band6
        case low2sv, high2sv, band2sv, reject2sv, lowShelf, highShelf, peak, pink
    }

    package var kind = Kind.none
    /// Hertz; decibels; decibels of a shelf or a peak.
    package var cutoff: Float = 0, resonance: Float = 0, gain: Float = 0
    /// Cents for each key above the centre, at full velocity, and by chance.
    package var keyTrack: Float = 0, keyCenter: Float = 60, velocityTrack: Float = 0, random: Float = 0

    package init() {}

    /// True if there is one.
    @inlinable package var isOn: Bool { @_noLocks get { if case .none = kind { false } else { true } } }
}

/// A band of a region's equaliser.
package struct RegionBand: BitwiseCopyable, Sendable {
    package enum Kind: UInt8, BitwiseCopyable, Sendable { case none, peak, lowShelf, highShelf }

    package var kind = Kind.none
    /// Hertz, octaves, decibels.
    package var frequency: Float = 0, bandwidth: Float = 1, gain: Float = 0
    /// What full velocity adds.
    package var velocityToFrequency: Float = 0, velocityToGain: Float = 0

    package init() {}

    /// True if there is one.
    @inlinable package var isOn: Bool { @_noLocks get { if case .none = kind { false } else { true } } }
}

/// An envelope of delay, attack, hold, decay, sustain and release. Units: seconds and shares.
package struct RegionEnvelope: BitwiseCopyable, Sendable {
    /// Delay, attack, hold, decay, sustain, release, start.
    package var values = InlineArray<7, Float>(repeating: 0)
    /// What full velocity adds to each.
    package var byVelocity = InlineArray<7, Float>(repeating: 0)
    /// The registers from which controllers add to them, 0: none do.
    package var register: UInt8 = 0
    /// True if controllers move it while it runs.
    package var isDynamic = false

    package init() {
        values[4] = 1
        values[5] = 0.001
    }
}

/// How a region's sample begins and goes on.
package struct RegionStart: BitwiseCopyable, Sendable {
    /// Seconds; the most that chance adds.
    package var delay: Float = 0, delayRandom: Float = 0
    /// Frames; the most that chance adds; where the sample ends.
    package var offset: Float = 0, offsetRandom: Float = 0
    /// Rounds of the loop after which it goes on; 0: no bound.
    package var loopCount: UInt32 = 0
    /// True if the key that goes up ends nothing; true for white noise instead of a sample.
    package var isOneShot = false, isNoise = false
    /// True if the loop has the phase of its generator, 0...1 of a turn, or chance's below 0.
    package var phase: Float = 0, isGenerator = false

    package init() {}
}
