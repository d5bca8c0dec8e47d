import Patches
import UnitAPI
import Units

/// The effects that the channels of a song send to, and the equalizer of its sum: those that its messages need, and no others.
extension SongPatch {
    /// Reverb and chorus, fed by every strip, and what else the songs use. Returns the units that lead to the mixer.
    mutating func addEffects(_ strips: [String]) throws(ParameterError) -> [String] {
        // At the same controllers as loud as libfluidsynth's: Decision "Effects as loud as meant".
        try addReturn(Reverb.self, Reverb.Parameter.level, -14)
        try addReturn(Chorus.self, Chorus.Parameter.level, 3)
        var returns = [Reverb.descriptor.name, Chorus.descriptor.name]
        let toReverb = try addFilter(effects.filtersReverb, before: Reverb.descriptor.name, "reverb")
        let toChorus = try addFilter(effects.filtersChorus, before: Chorus.descriptor.name, "chorus")
        for strip in strips {
            connect(strip, output: 1, to: toReverb)
            connect(strip, output: 2, to: toChorus)
        }
        connect(Chorus.descriptor.name, output: 1, to: toReverb)
        if effects.hasDelay {
            try addDelay("delay", effects.isDelayClosed ? ["level": 0] : [:])
            let toDelay = try addFilter(effects.filtersDelay, before: "delay", "delay")
            for strip in strips { connect(strip, output: 3, to: toDelay) }
            connect(Chorus.descriptor.name, output: 2, to: toDelay)
            connect("delay", output: 1, to: toReverb)
            returns.append("delay")
        }
        if effects.hasEcho {
            try addDelay("reverb-delay", ["level": 0], place: "reverb")
            let filter = effects.filtersReverb ? toReverb : nil
            if let filter {
                connect(filter, to: "reverb-delay")
            } else {
                for strip in strips { connect(strip, output: 1, to: "reverb-delay") }
                connect(Chorus.descriptor.name, output: 1, to: "reverb-delay")
            }
            returns.append("reverb-delay")
        }
        return returns
    }

    private mutating func addDelay(
        _ name: String, _ values: [String: Float], place: String? = nil
    ) throws(ParameterError) {
        var delay = try unit(MultiDelay.self, name: name, role: .send)
        delay.values.merge(values.mapValues { [$0] }) { set, _ in set }
        if let place { delay.properties[EffectLink.placeProperty] = .text(place) }
        patch.units.append(delay)
    }

    /// The unit that an effect's sends lead to: the effect, or the filter before it.
    private mutating func addFilter(_ isWanted: Bool, before effect: String, _ place: String) throws(ParameterError) -> String {
        if !isWanted { return effect }
        var filter = try unit(SendFilter.self, name: place + "-filter", role: .send)
        filter.properties[EffectLink.placeProperty] = .text(place)
        patch.units.append(filter)
        connect(filter.name, to: effect)
        return filter.name
    }

    /// The equalizer of the sum, if songs use it. Returns the last unit of the chain then.
    mutating func addEqualizer(after unit: String) throws(ParameterError) -> String {
        if !effects.hasEqualizer { return unit }
        try add(SongEqualizer.self, role: .master)
        connect(unit, to: SongEqualizer.descriptor.name)
        return SongEqualizer.descriptor.name
    }
}
