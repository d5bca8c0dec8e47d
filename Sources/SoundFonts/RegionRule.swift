// [render]

/// When a region of an SFZ file plays, what it silences, and what silences it.
package struct RegionRule: BitwiseCopyable, Sendable {
    /// What starts a region.
    package enum Trigger: UInt8, BitwiseCopyable, Sendable {
        /// A key that goes down; while no other is down; while another is.
        case attack, first, legato
        /// A key that has gone up, pedals included; or the key alone.
        case release, releaseKey
        /// A controller that comes into a range.
        case controller
    }

    /// How a region ends that another silences.
    package enum Ending: UInt8, BitwiseCopyable, Sendable { case fast, normal, time }

    /// The number of the region in its file: both sides of a stereo sample have one.
    package var region: Int32 = 0
    package var trigger = Trigger.attack
    /// Keys and velocities that it answers, 0...127; no key at all if the lowest is above the highest.
    package var lowestKey: UInt8 = 0, highestKey: UInt8 = 127, lowestVelocity: UInt8 = 0, highestVelocity: UInt8 = 127
    /// The switches for which it plays, the key that must be down, the one that must be up, and the one that must have been struck
    /// before; -1 for none.
    package var lowestSwitch: Int16 = -1, highestSwitch: Int16 = -1, downKey: Int16 = -1, upKey: Int16 = -1,
        previousKey: Int16 = -1
    /// Keys that are switches too, though no region may name them; -1 for none.
    package var lowestSwitchKey: Int16 = -1, highestSwitchKey: Int16 = -1
    /// True if the velocity is that of the note before; its turn, 1 the first, of so many; the number of the counter of its
    /// turns, -1 if it takes none.
    package var takesFormerVelocity = false, position: UInt16 = 1, turns: UInt16 = 1, counter: Int32 = -1
    /// The share of chance, 0...1, for which it plays.
    package var lowestChance: Float = 0, highestChance: Float = 1
    /// Channels, 0...15.
    package var lowestChannel: UInt8 = 0, highestChannel: UInt8 = 15
    /// Pressures, 0...127: of the channel, of the key.
    package var lowestPressure: UInt8 = 0, highestPressure: UInt8 = 127, lowestKeyPressure: UInt8 = 0,
        highestKeyPressure: UInt8 = 127
    /// The wheel, -8192...8191.
    package var lowestBend: Int16 = -8_192, highestBend: Int16 = 8_191
    /// Beats in a minute.
    package var lowestTempo: Float = 0, highestTempo: Float = .infinity
    /// The ranges of controllers, in the book: those that must hold, followed by those that start it.
    package var firstRange: Int32 = 0, rangeCount: Int32 = 0, triggerCount: Int32 = 0
    /// Its group, the group that silences it (`none`: nothing does), and how.
    package var group: Int64 = 0, silencer = RegionRule.none
    package var ending = Ending.fast, endingTime: Float = 0.006
    /// The most voices of its group, or of the regions with the same limit; 0: no limit. The most for one key; 0: no limit.
    package var polyphony: UInt16 = 0, notePolyphony: UInt16 = 0
    /// The number of the limit: regions that have it from one header share it.
    package var limit: Int32 = -1
    /// True if only softer notes of a key make room for one more.
    package var masksSofter = true
    /// The fall of a release by the time that its key was down. Unit: decibels per second.
    package var releaseDecay: Float = 0
    /// True if a release sounds though nothing of its key does.
    package var soundsAlone = false
    /// The pedal that holds it, or -1, and the value from which it does, 0...1; true if sostenuto does.
    package var sustainController: Int16 = 64, sustainThreshold: Float = 0.5, followsSostenuto = true

    /// A group that no region has.
    @inlinable package static var none: Int64 { @_noLocks get { .min } }

    @_noLocks package init() {}

    /// True if a key that goes down can start it.
    @inlinable package var isStruck: Bool {
        @_noLocks get {
            switch trigger {
            case .attack, .first, .legato: true
            case .release, .releaseKey, .controller: false
            }
        }
    }
}

/// A range of a controller's values, 0...1.
package struct RegionRange: BitwiseCopyable, Sendable, Hashable {
    /// 0...127 MIDI's, from 128 on the extended ones.
    package var controller: UInt16
    package var low: Float, high: Float

    package init(_ controller: UInt16, _ low: Float, _ high: Float) {
        (self.controller, self.low, self.high) = (controller, low, high)
    }

    @_noLocks @inlinable package func holds(_ value: Float) -> Bool { value >= low && value <= high }
}
