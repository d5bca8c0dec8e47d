// [render]
import MIDI
import SoundFonts

/// Plays SFZ instruments with a sampler's voices: what an event starts, what that silences, and what a pedal holds back.
enum RegionPlayer {
    /// A key goes down. False if nothing answers it and it is no switch.
    @_noLocks static func keyDown(_ sampler: inout Sampler, _ sound: Sound, _ note: Voice.Note, glidingFrom source: UInt8?)
        -> Bool
    {
        let channel = Int(note.channel)
        attend(sampler, channel, sound)
        var event = RegionEvent(.keyDown, channel: channel)
        (event.key, event.velocity) = (note.key, note.velocity)
        sampler.regions.begin(&event)
        let isSwitch = sampler.regions.isSwitch(note.key, sound, sampler.book.recipes)
        sampler.regions.strike(event, frame: sampler.frame, note: note.number, isSwitch: isSwitch)
        return play(&sampler, sound, event, note, glidingFrom: source) || isSwitch
    }

    /// A key went up: regions that wait for that.
    @_noLocks static func keyUp(_ sampler: inout Sampler, _ channel: Int, _ key: UInt8, velocity: UInt8) {
        let sound = sampler.sound(channel)
        if !isRegions(sampler, sound) { return }
        let state = sampler.regions.channels + channel
        if !state.pointee.down.contains(key) { return }
        state.pointee.down.set(key, false)
        state.pointee.releaseVelocity = velocity
        state.pointee.waiting.set(key, isHeld(sampler, channel, key))
        release(&sampler, sound, channel, key, isOfPedal: false)
    }

    /// The strikes of a key before the place from which the music goes on.
    @_noLocks static func pass(
        _ sampler: borrowing Sampler, _ channel: Int, _ parameter: PartParameter, _ value: UInt8, _ key: UInt8
    ) {
        let sound = sampler.sound(channel)
        if !isRegions(sampler, sound) { return }
        let state = sampler.regions.channels + channel
        state.pointee.sound = sound.first
        if parameter == .manyStrikes {
            state.pointee.upperStrikes = UInt64(value & 127) &<< 7
        } else if value == PartParameter.asPowerOn {
            sampler.regions.forget(channel)
        } else {
            sampler.regions.pass(channel, key, state.pointee.upperStrikes | UInt64(value & 127), sound, sampler.book.recipes)
            state.pointee.upperStrikes = 0
        }
    }

    /// A pedal went up: releases that it held back.
    @_noLocks static func pedalUp(_ sampler: inout Sampler, _ channel: Int) {
        if !sampler.regions.isNeeded || sampler.regions.channels[channel].waiting.isEmpty { return }
        let sound = sampler.sound(channel), state = sampler.regions.channels + channel
        for key in UInt8(0)..<128 where state.pointee.waiting.contains(key) && !isHeld(sampler, channel, key) {
            state.pointee.waiting.set(key, false)
            if isRegions(sampler, sound) { release(&sampler, sound, channel, key, isOfPedal: true) }
        }
    }

    /// True while a pedal of the part holds a key that is up.
    @_noLocks private static func isHeld(_ sampler: borrowing Sampler, _ channel: Int, _ key: UInt8) -> Bool {
        let part = sampler.parts + Int(sampler.zones.manager(of: UInt8(truncatingIfNeeded: channel)))
        if part.pointee.isSustained { return true }
        return part.pointee.isSostenuto && sampler.regions.channels[channel].caught.contains(key)
    }

    /// Another key has taken its voices over.
    @_noLocks static func forgetKey(_ sampler: borrowing Sampler, _ channel: Int, _ key: UInt8) {
        if sampler.regions.isNeeded { sampler.regions.channels[channel].down.set(key, false) }
    }

    @_noLocks private static func release(
        _ sampler: inout Sampler, _ sound: Sound, _ channel: Int, _ key: UInt8, isOfPedal: Bool
    ) {
        let state = sampler.regions.channels + channel
        var event = RegionEvent(.keyUp, channel: channel)
        (event.key, event.velocity, event.isOfPedal) = (key, state.pointee.velocities[Int(key)], isOfPedal)
        event.seconds = Float(Double(sampler.frame &- state.pointee.frames[Int(key)]) / sampler.setting.rate)
        sampler.regions.begin(&event)
        let note = Voice.Note(
            channel: event.channel, bus: sampler.zones.manager(of: event.channel), key: key, velocity: max(event.velocity, 1),
            number: state.pointee.numbers[Int(key)])
        _ = play(&sampler, sound, event, note, glidingFrom: nil)
    }

    /// The value of a controller, before it changes.
    @_noLocks static func value(_ sampler: borrowing Sampler, _ channel: Int, _ controller: UInt8) -> Float {
        let sound = sampler.sound(channel)
        if !isRegions(sampler, sound) { return 0 }
        return sampler.regions.value(
            UInt16(controller), plan(sampler, Int(sound.first)), RegionEvent(.controller, channel: channel),
            sampler.parts + channel)
    }

    /// A controller has another value: regions that it starts, voices that it holds no more.
    @_noLocks static func control(_ sampler: inout Sampler, _ channel: Int, _ controller: UInt8, from before: Float) {
        if !sampler.regions.isNeeded { return }
        if controller >= 120 { return sampler.regions.command(channel, controller) }
        let state = sampler.regions.channels + channel
        state.pointee.moved.set(controller, true)
        if controller == Controller.sostenuto.rawValue {
            if !sampler.parts[channel].isSostenuto {
                state.pointee.caught = KeySet()
            } else if before < 0.5 {
                state.pointee.caught = state.pointee.down
            }
        }
        let sound = sampler.sound(channel)
        if !isRegions(sampler, sound) { return }
        letGo(&sampler, channel, controller)
        start(&sampler, sound, channel, UInt16(controller), from: before)
    }

    /// Starts the regions of a controller, an extended one among them.
    @_noLocks static func start(
        _ sampler: inout Sampler, _ sound: Sound, _ channel: Int, _ controller: UInt16, from before: Float, key: UInt8 = 60
    ) {
        let plan = plan(sampler, Int(sound.first))
        if !sampler.book.regions.instruments[Int(plan.pointee.instrument)].hasTriggers { return }
        var event = RegionEvent(.controller, channel: channel)
        (event.controller, event.before, event.key) = (controller, before, key)
        event.value = sampler.regions.value(controller, plan, event, sampler.parts + channel)
        sampler.regions.begin(&event)
        let note = Voice.Note(
            channel: event.channel, bus: sampler.zones.manager(of: event.channel), key: key, velocity: 127,
            number: sampler.noteNumber)
        _ = play(&sampler, sound, event, note, glidingFrom: nil)
    }

    /// Voices whose pedal is another controller than the damper.
    @_noLocks private static func letGo(_ sampler: inout Sampler, _ channel: Int, _ controller: UInt8) {
        if controller == 64 || controller == 66 { return }
        for place in 0..<sampler.pool.count {
            let voice = sampler.pool.voice(place)
            guard Int(voice.pointee.channel) == channel, let region = voice.pointee.region, case .sustain = voice.pointee.hold,
                region.pointee.plan.pointee.rule.sustainController == Int16(controller), !region.pointee.isSustained
            else { continue }
            sampler.release(voice)
        }
    }

    @_noLocks private static func plan(_ sampler: borrowing Sampler, _ index: Int) -> UnsafePointer<RegionPlan> {
        sampler.book.regions.plans + Int(sampler.book.recipes[index].plan)
    }

    /// True if a sound is made of SFZ regions.
    @_noLocks static func isRegions(_ sampler: borrowing Sampler, _ sound: Sound) -> Bool {
        sampler.regions.isNeeded && sound.count > 0 && sampler.book.recipes[Int(sound.first)].plan >= 0
    }

    /// Another instrument on the channel has its own switch.
    @_noLocks private static func attend(_ sampler: borrowing Sampler, _ channel: Int, _ sound: Sound) {
        let state = sampler.regions.channels + channel
        if state.pointee.sound == sound.first { return }
        state.pointee.sound = sound.first
        state.pointee.lastSwitch = -1
    }

    /// Starts every region that the event answers. False if none does.
    @_noLocks private static func play(
        _ sampler: inout Sampler, _ sound: Sound, _ event: RegionEvent, _ note: Voice.Note, glidingFrom source: UInt8?
    ) -> Bool {
        var region: Int32 = -1, plays = false, isAnswered = false
        let isController = event.isOfController
        for index in Int(sound.first)..<Int(sound.first &+ sound.count) {
            let plan = plan(sampler, index)
            if plan.pointee.rule.region != region {
                region = plan.pointee.rule.region
                plays = sampler.regions.answers(plan, event, sampler.parts + Int(event.channel)) && isHeard(sampler, plan, event)
                if plays {
                    RegionLimits.silence(&sampler, by: plan, event)
                    RegionLimits.makeRoom(&sampler, for: plan, event)
                    isAnswered = true
                }
            }
            if !plays { continue }
            let recipe = sampler.book.recipes[index]
            var note = note
            if isController {
                note.key = UInt8(min(max(sampler.book.generators[index &* Generator.count &+ Generator.rootKey.index], 0), 127))
            } else if note.key < recipe.lowestKey || note.key > recipe.highestKey {
                continue
            }
            sampler.start(recipe, index, note, glidingFrom: source, event)
        }
        return isAnswered
    }

    /// A voice of the model becomes one of a region.
    @_noLocks static func begin(
        _ voice: UnsafeMutablePointer<Voice>, _ recipe: Recipe, _ event: RegionEvent, _ sampler: borrowing Sampler
    ) {
        guard let all = sampler.pool.regions else { return }
        let region = all + (voice - sampler.pool.voices), plan = sampler.book.regions.plans + Int(recipe.plan)
        region.initialize(
            to: RegionVoice(plan, sampler.book.regions, event, sampler.parts + Int(event.channel), sampler.regions))
        voice.pointee.region = region
        voice.pointee.filter.way = .past
        voice.pointee.isReleased = !event.isStrike
        region.pointee.start(voice, rate: sampler.setting.rate)
    }

    /// True if a pedal holds the voice when its key goes up; another controller than the damper may be its pedal.
    @_noLocks static func isHeld(_ region: UnsafePointer<RegionVoice>, _ voice: UnsafePointer<Voice>) -> Bool {
        if voice.pointee.isCaught && region.pointee.plan.pointee.rule.followsSostenuto { return true }
        return region.pointee.isSustained
    }

    /// A release sounds if its note does, or if it says otherwise.
    @_noLocks private static func isHeard(
        _ sampler: borrowing Sampler, _ plan: UnsafePointer<RegionPlan>, _ event: RegionEvent
    ) -> Bool {
        if !event.isRelease || plan.pointee.rule.soundsAlone { return true }
        if case .release = plan.pointee.rule.trigger {} else { return true }
        for place in 0..<sampler.pool.count {
            let voice = sampler.pool.voice(place)
            guard let region = voice.pointee.region, voice.pointee.isSounding, voice.pointee.channel == event.channel,
                region.pointee.event.isStrike, voice.pointee.key == event.key
            else { continue }
            return true
        }
        return false
    }
}
