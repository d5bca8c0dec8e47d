// [render]
import DSP
import MIDI
import RealtimeCore
import SoundFonts

/// Chooses the regions of SFZ instruments that play: by switches, turns, chance, controllers and what was played before.
///
/// Every share has one and receives every event, so all choose alike. Turns and chance come from counters, never from time, so
/// blocks and threads change nothing. Source: sfzformat.com, "Region logic".
struct RegionChooser: ~Copyable {
    private var owned = OwnedMemory()
    let channels: UnsafeMutablePointer<RegionChannel>
    /// Turns so far: for each channel those of each region that takes turns.
    private let turns: UnsafeMutablePointer<UInt32>
    private let book: RegionBook
    /// Where chance and turns begin.
    let seed: UInt64
    private let chance: CounterNoise
    /// Beats per minute.
    var tempo: Float = 120

    /// Control side.
    init(_ book: RegionBook, seed: UInt64) {
        self.book = book
        channels = owned.make(16, of: RegionChannel())
        turns = owned.make(max(16 * book.counterCount, 1), of: 0)
        self.seed = seed
        chance = CounterNoise(seed: seed)
    }

    var isNeeded: Bool { @_noLocks get { book.hasRegions } }

    /// As at the start.
    @_noLocks mutating func reset() {
        powerUp()
        tempo = 120
    }

    /// Nothing was struck, and no controller moved.
    @_noLocks func powerUp() {
        if !isNeeded { return }
        for channel in 0..<16 {
            channels[channel] = RegionChannel()
            forgetStrikes(channel)
        }
    }

    /// Nothing was struck on a channel yet.
    @_noLocks func forgetStrikes(_ channel: Int) {
        channels[channel].forgetStrikes()
        for counter in 0..<book.counterCount { turns[channel &* book.counterCount &+ counter] = 0 }
    }

    /// A number of chance, -1...1, of an event; each `draw` is another.
    @_noLocks func chance(_ event: RegionEvent, draw: Int) -> Double {
        let number = event.number &* 16 &+ UInt64(event.manager)
        return chance.pair(at: Int64(truncatingIfNeeded: number &* 4_096 &+ UInt64(truncatingIfNeeded: draw))).left
    }

    /// Numbers an event, and draws its chance.
    @_noLocks func begin(_ event: inout RegionEvent) {
        let manager = channels + Int(event.manager)
        switch event.kind {
        case .keyDown: event.number = manager.pointee.strikes &+ 1
        case .keyUp: event.number = 1 &<< 40 | channels[Int(event.channel)].strikeNumbers[Int(event.key)]
        case .controller:
            manager.pointee.starts &+= 1
            event.number = 1 &<< 41 | manager.pointee.starts
        }
        event.chance = Float((chance(event, draw: 0) + 1) / 2)
    }

    /// Restores strikes of a key before the place from which the music goes on.
    @_noLocks func restore(
        _ channel: Int, _ key: UInt8, strikes count: UInt64, isLegato: Bool, _ sound: Sound, _ recipes: UnsafePointer<Recipe>
    ) {
        let index = book.indices + Int(sound.index), run = index.pointee.struck(by: key)
        channels[channel].strike(key, 0, count: count, isSwitch: index.pointee.switches.contains(key))
        var last: Int32 = -1
        for place in Int(run.first)..<Int(run.first &+ run.count) {
            let plan = book.plans + Int(recipes[Int(book.order[place])].plan), region = plan.pointee.rule.region
            if region == last || plan.pointee.rule.counter < 0 { continue }
            last = region
            if !isStruck(plan, isLegato: isLegato) { continue }
            turns[channel &* book.counterCount &+ Int(plan.pointee.rule.counter)] &+= UInt32(truncatingIfNeeded: count)
        }
    }

    /// The velocity that a region takes of a note.
    @_noLocks func velocity(_ plan: UnsafePointer<RegionPlan>, _ event: RegionEvent) -> UInt8 {
        let manager = channels + Int(event.manager)
        guard plan.pointee.rule.takesFormerVelocity, manager.pointee.formerKey >= 0 else { return event.velocity }
        return manager.pointee.formerVelocity
    }

    /// Returns true if the event, on a key of the region, starts it; counts its turn.
    @_noLocks func answers(_ plan: UnsafePointer<RegionPlan>, _ event: RegionEvent, _ source: RegionSource) -> Bool {
        if !isOfKind(plan, event) || event.isOfController && !isStarted(plan, event) { return false }
        if plan.pointee.rule.counter >= 0 && !event.isRelease {
            let turn = turns + (Int(event.manager) &* book.counterCount &+ Int(plan.pointee.rule.counter))
            let now = turn.pointee
            turn.pointee = now &+ 1
            let place = (now &+ UInt32(truncatingIfNeeded: seed)) % UInt32(plan.pointee.rule.turns)
            if place != UInt32(plan.pointee.rule.position &- 1) { return false }
        }
        if !event.isOfController {
            let velocity = velocity(plan, event)
            if velocity < plan.pointee.rule.lowestVelocity || velocity > plan.pointee.rule.highestVelocity { return false }
        }
        return isSwitchedOn(plan, event) && isInRange(plan, event, source) && holdsRanges(plan, event, source)
    }

    @_noLocks private func isOfKind(_ plan: UnsafePointer<RegionPlan>, _ event: RegionEvent) -> Bool {
        switch plan.pointee.rule.trigger {
        case .first, .legato: return !event.isStrike || isStruck(plan, isLegato: event.down.count > 1)
        // A key's own release comes with the key, the other when no pedal holds it any more.
        case .releaseKey: return !event.isOfPedal
        case .release:
            return event.isOfPedal ? plan.pointee.rule.sustainController >= 0 : !event.isRelease || !isHeld(plan, event)
        case .attack, .controller: return true
        }
    }

    /// True if a strike starts the region's kind: the first key, or one while others are down.
    @_noLocks private func isStruck(_ plan: UnsafePointer<RegionPlan>, isLegato: Bool) -> Bool {
        switch plan.pointee.rule.trigger {
        case .first: return !isLegato
        case .legato: return isLegato
        default: return true
        }
    }

    @_noLocks private func isHeld(_ plan: UnsafePointer<RegionPlan>, _ event: RegionEvent) -> Bool {
        channels[Int(event.channel)].waiting.contains(event.key) && plan.pointee.rule.sustainController >= 0
    }

    @_noLocks private func isSwitchedOn(_ plan: UnsafePointer<RegionPlan>, _ event: RegionEvent) -> Bool {
        let manager = channels + Int(event.manager)
        if plan.pointee.rule.lowestSwitch >= 0 {
            let own = book.instruments[Int(plan.pointee.instrument)].defaultSwitch
            let last = manager.pointee.lastSwitch >= 0 ? manager.pointee.lastSwitch : own
            if last < plan.pointee.rule.lowestSwitch || last > plan.pointee.rule.highestSwitch { return false }
        }
        let down = plan.pointee.rule.downKey, up = plan.pointee.rule.upKey
        if down >= 0 && !event.down.contains(UInt8(truncatingIfNeeded: down)) { return false }
        if up >= 0 && event.down.contains(UInt8(truncatingIfNeeded: up)) { return false }
        if plan.pointee.rule.previousKey >= 0 {
            let previous = event.isStrike ? manager.pointee.formerKey : manager.pointee.lastKey
            if previous != plan.pointee.rule.previousKey { return false }
        }
        return true
    }

    @_noLocks private func isInRange(
        _ plan: UnsafePointer<RegionPlan>, _ event: RegionEvent, _ source: RegionSource
    ) -> Bool {
        let rule = plan.pointee.rule
        if event.chance < rule.lowestChance || (event.chance >= rule.highestChance && rule.highestChance < 1) { return false }
        if event.channel < rule.lowestChannel || event.channel > rule.highestChannel { return false }
        if source.pressure < rule.lowestPressure || source.pressure > rule.highestPressure { return false }
        if rule.lowestKeyPressure > 0 || rule.highestKeyPressure < 127 {
            let own = source.part.pointee.pressure(of: event.key)
            if own < rule.lowestKeyPressure || own > rule.highestKeyPressure { return false }
        }
        let bend = Int16(truncatingIfNeeded: source.part.pointee.bend)
        if bend < rule.lowestBend || bend > rule.highestBend { return false }
        return tempo >= rule.lowestTempo && tempo <= rule.highestTempo
    }

    @_noLocks private func holdsRanges(
        _ plan: UnsafePointer<RegionPlan>, _ event: RegionEvent, _ source: RegionSource
    ) -> Bool {
        let ranges = book.ranges + Int(plan.pointee.rule.firstRange)
        for index in 0..<Int(plan.pointee.rule.rangeCount) {
            if !ranges[index].holds(value(ranges[index].controller, event, source)) { return false }
        }
        return true
    }

    /// A controller starts a region where it comes into a range, and where it moves within.
    @_noLocks private func isStarted(_ plan: UnsafePointer<RegionPlan>, _ event: RegionEvent) -> Bool {
        let ranges = book.ranges + Int(plan.pointee.rule.firstRange &+ plan.pointee.rule.rangeCount)
        for index in 0..<Int(plan.pointee.rule.triggerCount) where ranges[index].controller == event.controller {
            if ranges[index].holds(event.value) && event.value != event.before { return true }
        }
        return false
    }

    /// The value of a controller when an event comes, extended ones included: 0...1, or as the source has it.
    @_noLocks func value(_ controller: UInt16, _ event: RegionEvent, _ source: RegionSource) -> Float {
        let manager = source.channel
        switch controller {
        case 131: return Float(Int32(event.velocity)) * (1.0 / 127)
        case 132: return Float(Int32(manager.pointee.releaseVelocity)) * (1.0 / 127)
        case 133: return Float(Int32(event.key)) * (1.0 / 127)
        case 134: return event.down.count > 1 ? 1 : 0
        case 135: return Float((chance(event, draw: 1) + 1) / 2)
        case 136: return Float(chance(event, draw: 2))
        case 137: return Float(Int32(truncatingIfNeeded: ((manager.pointee.strikes &+ seed) & 1) ^ 1))
        case 140, 141:
            let delta = manager.pointee.formerKey < 0 ? 0 : Int32(event.key) &- Int32(manager.pointee.formerKey)
            return Float(controller == 141 ? abs(delta) : delta)
        default: return source.value(controller, key: event.key)
        }
    }
}
