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
    /// Turns so far, of each region on each channel.
    private let turns: UnsafeMutablePointer<UInt32>
    private let regionCount: Int
    private let book: RegionBook
    private let chance: CounterNoise
    /// Beats per minute.
    var tempo: Float = 120

    /// Control side.
    init(_ book: RegionBook, seed: UInt64) {
        self.book = book
        regionCount = book.regionCount
        channels = owned.make(16, of: RegionChannel())
        turns = owned.make(max(16 * regionCount, 1), of: 0)
        chance = CounterNoise(seed: seed)
    }

    var isNeeded: Bool { @_noLocks get { regionCount > 0 } }

    /// As at the start.
    @_noLocks mutating func reset() {
        for channel in 0..<16 { channels[channel] = RegionChannel() }
        for index in 0..<16 &* regionCount { turns[index] = 0 }
        tempo = 120
    }

    /// Keys are up and controllers as at first; turns go on.
    @_noLocks func rest() {
        for channel in 0..<16 {
            let (strikes, starts) = (channels[channel].strikes, channels[channel].starts)
            channels[channel] = RegionChannel()
            (channels[channel].strikes, channels[channel].starts) = (strikes, starts)
        }
    }

    /// A number of chance, -1...1, of an event; each `draw` is another.
    @_noLocks func chance(_ event: RegionEvent, draw: Int) -> Double {
        let number = event.number &* 16 &+ UInt64(event.channel)
        return chance.pair(at: Int64(truncatingIfNeeded: number &* 4_096 &+ UInt64(truncatingIfNeeded: draw))).left
    }

    /// Begins an event: counts it, and draws its chance.
    @_noLocks func begin(_ event: inout RegionEvent) {
        let channel = channels + Int(event.channel)
        switch event.kind {
        case .keyDown: event.number = channel.pointee.strikes &+ 1
        case .keyUp: event.number = 1 &<< 40 | channel.pointee.strikeNumbers[Int(event.key)]
        case .controller:
            channel.pointee.starts &+= 1
            event.number = 1 &<< 41 | channel.pointee.starts
        }
        event.chance = Float((chance(event, draw: 0) + 1) / 2)
    }

    /// A key goes down: switches follow.
    @_noLocks func strike(_ event: RegionEvent, frame: Int64, note: UInt64, isSwitch: Bool) {
        let channel = channels + Int(event.channel), key = Int(event.key)
        if isSwitch { channel.pointee.lastSwitch = Int16(event.key) }
        channel.pointee.strikes = event.number
        channel.pointee.strikeNumbers[key] = event.number
        channel.pointee.down.set(event.key, true)
        channel.pointee.waiting.set(event.key, false)
        channel.pointee.velocities[key] = event.velocity
        channel.pointee.frames[key] = frame
        channel.pointee.numbers[key] = note
        channel.pointee.formerKey = channel.pointee.lastKey
        channel.pointee.lastKey = Int16(event.key)
    }

    /// A channel mode message: all but the reset of controllers mean that keys are up.
    @_noLocks func command(_ channel: Int, _ controller: UInt8) {
        if controller == 121 { return }
        (channels[channel].down, channels[channel].waiting) = (KeySet(), KeySet())
    }

    /// Goes on from another place of the music: nothing was struck on the channel yet.
    @_noLocks func forget(_ channel: Int) {
        (channels[channel].strikes, channels[channel].upperStrikes) = (0, 0)
        (channels[channel].lastKey, channels[channel].formerKey, channels[channel].lastSwitch) = (-1, -1, -1)
        for region in 0..<regionCount { turns[channel &* regionCount &+ region] = 0 }
    }

    /// A key was struck so often before the place from which the music goes on.
    @_noLocks func pass(_ channel: Int, _ key: UInt8, _ count: UInt64, _ sound: Sound, _ recipes: UnsafePointer<Recipe>) {
        let state = channels + channel
        state.pointee.strikes &+= count
        (state.pointee.formerKey, state.pointee.lastKey) = (state.pointee.lastKey, Int16(key))
        if isSwitch(key, sound, recipes) { state.pointee.lastSwitch = Int16(key) }
        var last: Int32 = -1
        for index in Int(sound.first)..<Int(sound.first &+ sound.count) {
            let plan = book.plans + Int(recipes[index].plan), region = plan.pointee.rule.region
            if region == last || plan.pointee.rule.turns <= 1 || !plan.pointee.rule.isStruck { continue }
            last = region
            if key < plan.pointee.rule.lowestKey || key > plan.pointee.rule.highestKey { continue }
            turns[channel &* regionCount &+ Int(region)] &+= UInt32(truncatingIfNeeded: count)
        }
    }

    /// True if a key chooses among the sound's regions.
    @_noLocks func isSwitch(_ key: UInt8, _ sound: Sound, _ recipes: UnsafePointer<Recipe>) -> Bool {
        for index in Int(sound.first)..<Int(sound.first &+ sound.count) {
            let plan = book.plans + Int(recipes[index].plan)
            if Int16(key) >= plan.pointee.rule.lowestSwitch && Int16(key) <= plan.pointee.rule.highestSwitch { return true }
        }
        return false
    }

    /// The velocity that a region takes of a note.
    @_noLocks func velocity(_ plan: UnsafePointer<RegionPlan>, _ event: RegionEvent) -> UInt8 {
        let channel = channels + Int(event.channel)
        guard plan.pointee.rule.takesFormerVelocity, channel.pointee.formerKey >= 0 else { return event.velocity }
        return channel.pointee.velocities[Int(channel.pointee.formerKey)]
    }

    /// Returns true if the event starts the region; counts its turn.
    @_noLocks func answers(_ plan: UnsafePointer<RegionPlan>, _ event: RegionEvent, _ part: UnsafePointer<Part>) -> Bool {
        if !isOfKind(plan, event) { return false }
        let isStruck = !event.isOfController
        if isStruck && (event.key < plan.pointee.rule.lowestKey || event.key > plan.pointee.rule.highestKey) { return false }
        if plan.pointee.rule.turns > 1 && !event.isRelease {
            let turn = turns + (Int(event.channel) &* regionCount &+ Int(plan.pointee.rule.region))
            let now = turn.pointee
            turn.pointee = now &+ 1
            if now % UInt32(plan.pointee.rule.turns) != UInt32(plan.pointee.rule.position &- 1) { return false }
        }
        if isStruck {
            let velocity = velocity(plan, event)
            if velocity < plan.pointee.rule.lowestVelocity || velocity > plan.pointee.rule.highestVelocity { return false }
        }
        return isSwitchedOn(plan, event)
            && isInRange(plan, event, part) && holdsRanges(plan, event, part)
    }

    @_noLocks private func isOfKind(_ plan: UnsafePointer<RegionPlan>, _ event: RegionEvent) -> Bool {
        switch event.kind {
        case .keyDown:
            switch plan.pointee.rule.trigger {
            case .attack: return true
            case .first: return channels[Int(event.channel)].down.count <= 1
            case .legato: return channels[Int(event.channel)].down.count > 1
            case .release, .releaseKey, .controller: return false
            }
        case .keyUp:
            switch plan.pointee.rule.trigger {
            // A key's own release comes with the key, the other when no pedal holds it any more.
            case .releaseKey: return !event.isOfPedal
            case .release: return event.isOfPedal ? plan.pointee.rule.sustainController >= 0 : !isHeld(plan, event)
            case .attack, .first, .legato, .controller: return false
            }
        case .controller: return plan.pointee.rule.triggerCount > 0
        }
    }

    @_noLocks private func isHeld(_ plan: UnsafePointer<RegionPlan>, _ event: RegionEvent) -> Bool {
        channels[Int(event.channel)].waiting.contains(event.key) && plan.pointee.rule.sustainController >= 0
    }

    @_noLocks private func isSwitchedOn(
        _ plan: UnsafePointer<RegionPlan>, _ event: RegionEvent
    ) -> Bool {
        let channel = channels + Int(event.channel)
        if plan.pointee.rule.lowestSwitch >= 0 {
            let own = book.instruments[Int(plan.pointee.instrument)].defaultSwitch
            let last = channel.pointee.lastSwitch >= 0 ? channel.pointee.lastSwitch : own
            if last < plan.pointee.rule.lowestSwitch || last > plan.pointee.rule.highestSwitch { return false }
        }
        let down = plan.pointee.rule.downKey, up = plan.pointee.rule.upKey
        if down >= 0 && !channel.pointee.down.contains(UInt8(truncatingIfNeeded: down)) { return false }
        if up >= 0 && channel.pointee.down.contains(UInt8(truncatingIfNeeded: up)) { return false }
        if plan.pointee.rule.previousKey >= 0 {
            let previous =
                event.isStrike ? channel.pointee.formerKey : channel.pointee.lastKey
            if previous != plan.pointee.rule.previousKey { return false }
        }
        return true
    }

    @_noLocks private func isInRange(
        _ plan: UnsafePointer<RegionPlan>, _ event: RegionEvent, _ part: UnsafePointer<Part>
    ) -> Bool {
        let rule = plan.pointee.rule
        if event.chance < rule.lowestChance || (event.chance >= rule.highestChance && rule.highestChance < 1) { return false }
        if event.channel < rule.lowestChannel || event.channel > rule.highestChannel { return false }
        let pressure = part.pointee.pressure
        if pressure < rule.lowestPressure || pressure > rule.highestPressure { return false }
        if rule.lowestKeyPressure > 0 || rule.highestKeyPressure < 127 {
            let own = part.pointee.pressure(of: event.key)
            if own < rule.lowestKeyPressure || own > rule.highestKeyPressure { return false }
        }
        let bend = Int16(truncatingIfNeeded: part.pointee.bend)
        if bend < rule.lowestBend || bend > rule.highestBend { return false }
        return tempo >= rule.lowestTempo && tempo <= rule.highestTempo
    }

    @_noLocks private func holdsRanges(
        _ plan: UnsafePointer<RegionPlan>, _ event: RegionEvent, _ part: UnsafePointer<Part>
    ) -> Bool {
        var range = book.ranges + Int(plan.pointee.rule.firstRange)
        for _ in 0..<plan.pointee.rule.rangeCount {
            if !range.pointee.holds(value(range.pointee.controller, plan, event, part)) { return false }
            range += 1
        }
        if !event.isOfController { return true }
        for _ in 0..<plan.pointee.rule.triggerCount {
            let isIts = range.pointee.controller == event.controller
            // A controller starts it where it comes in, and where it moves within.
            if isIts && range.pointee.holds(event.value) && event.value != event.before { return true }
            range += 1
        }
        return false
    }

    /// The value of a controller when an event comes, extended ones included: 0...1, or as the source has it.
    @_noLocks func value(
        _ controller: UInt16, _ plan: UnsafePointer<RegionPlan>, _ event: RegionEvent, _ part: UnsafePointer<Part>
    ) -> Float {
        let channel = channels + Int(event.channel)
        let lowest = book.instruments[Int(plan.pointee.instrument)].firstValue
        switch controller {
        case 128: return Float(Int32(truncatingIfNeeded: part.pointee.bend)) * (1.0 / 8_192)
        case 129: return Float(Int32(part.pointee.pressure)) * (1.0 / 127)
        case 130: return Float(Int32(part.pointee.pressure(of: event.key))) * (1.0 / 127)
        case 131: return Float(Int32(event.velocity)) * (1.0 / 127)
        case 132: return Float(Int32(channel.pointee.releaseVelocity)) * (1.0 / 127)
        case 133: return Float(Int32(event.key)) * (1.0 / 127)
        case 134: return channel.pointee.down.count > 1 ? 1 : 0
        case 135: return Float((chance(event, draw: 1) + 1) / 2)
        case 136: return Float(chance(event, draw: 2))
        case 137: return Float(Int32(truncatingIfNeeded: (channel.pointee.strikes & 1) ^ 1))
        case 140, 141:
            let delta = channel.pointee.formerKey < 0 ? 0 : Int32(event.key) &- Int32(channel.pointee.formerKey)
            return Float(controller == 141 ? abs(delta) : delta)
        default: return channel.pointee.value(controller, part, book.values + Int(lowest))
        }
    }
}
