import MIDI
import Sequencer

/// The effects beside reverb and chorus that music uses, by its messages and controllers: the graph of other music has none
/// of them.
package struct SongEffects: Hashable, Sendable {
    /// A delay that channels send to by controller 94, after a reset to GS or a message to the delay.
    var hasDelay = false
    /// The delay starts silent: only messages open it.
    var isDelayClosed = true
    /// A delay in the reverb's place.
    var hasEcho = false
    var filtersReverb = false, filtersChorus = false, filtersDelay = false
    var hasEqualizer = false
    var insertions = SongInsertions()

    package init() {}

    init(_ timeline: Timeline) { self.init(timeline.events) }

    /// The effects that events use, in the order of their times.
    package init(_ events: [TimedMusicEvent]) {
        var isSent = false, isGS = false, isSet = false
        for timed in events {
            switch timed.event {
            case .reset(.gs, _), .standard(.gs, _): isGS = true
            case .message(let message) where message.status & 0xF0 == 0xB0 && message.data1 == 94:
                isSent = isSent || message.data2 > 0
            case .effect(let value, let parameter, _): take(parameter, value, &isSent, &isSet)
            default: break
            }
        }
        hasDelay = isSent && (isGS || isSet)
        isDelayClosed = !isGS
        filtersDelay = filtersDelay && hasDelay
        insertions = SongInsertions(events)
    }

    private mutating func take(_ parameter: EffectParameter, _ value: Float, _ isSent: inout Bool, _ isSet: inout Bool) {
        switch parameter {
        case .reverbHighCut: filtersReverb = filtersReverb || value < 20_000
        case .reverbLowCut: filtersReverb = filtersReverb || value > 10
        case .chorusHighCut: filtersChorus = filtersChorus || value < 20_000
        case .chorusLowCut: filtersChorus = filtersChorus || value > 10
        case .delayHighCut: filtersDelay = filtersDelay || value < 20_000
        case .delayLowCut: filtersDelay = filtersDelay || value > 10
        case .chorusToDelay: isSent = isSent || value > 0
        case .lowGain, .lowMiddleGain, .middleGain, .highMiddleGain, .highGain: hasEqualizer = hasEqualizer || value != 1
        case .echoLevel: hasEcho = hasEcho || value > 0
        case _ where EffectParameter.delayLeftTime.rawValue...EffectParameter.delayToReverb.rawValue ~= parameter.rawValue:
            isSet = true
        default: break
        }
    }

    package mutating func formUnion(_ other: SongEffects) {
        // Only a delay that there is can be open or closed.
        if other.hasDelay { isDelayClosed = other.isDelayClosed && (isDelayClosed || !hasDelay) }
        hasDelay = hasDelay || other.hasDelay
        hasEcho = hasEcho || other.hasEcho
        filtersReverb = filtersReverb || other.filtersReverb
        filtersChorus = filtersChorus || other.filtersChorus
        filtersDelay = filtersDelay || other.filtersDelay
        hasEqualizer = hasEqualizer || other.hasEqualizer
        insertions.formUnion(other.insertions)
    }
}
