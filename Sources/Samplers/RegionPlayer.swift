// [render]
import MIDI
import SoundFonts

/// Plays SFZ instruments with a sampler's voices: what an event starts, what that silences, and what a pedal holds back.
///
/// In an MPE zone the keys are the members', and all else is that of the channel that speaks for them.
enum RegionPlayer {
    /// A key goes down. False if nothing answers it and it is no switch.
    @_noLocks static func keyDown(_ sampler: inout Sampler, _ sound: Sound, _ note: Voice.Note, glidingFrom source: UInt8?)
        -> Bool
    {
        var event = event(.keyDown, sampler, Int(note.channel))
        (event.key, event.velocity) = (note.key, note.velocity)
        event.down.set(note.key, true)
        sampler.regions.begin(&event)
        let isSwitch = index(sampler, sound).pointee.switches.contains(note.key)
        sampler.regions.channels[Int(event.manager)].strike(note.key, note.velocity, isSwitch: isSwitch)
        sampler.regions.channels[Int(event.channel)].press(event, frame: sampler.frame, note: note.number)
        return play(&sampler, sound, index(sampler, sound).pointee.struck(by: note.key), event, note, glidingFrom: source)
            || isSwitch
    }

    /// A key went up: regions that wait for that.
    @_noLocks static func keyUp(_ sampler: inout Sampler, _ channel: Int, _ key: UInt8, velocity: UInt8) {
        if !sampler.regions.isNeeded || !sampler.regions.channels[channel].lift(key) { return }
        let manager = Int(sampler.zones.manager(of: UInt8(truncatingIfNeeded: channel)))
        sampler.regions.channels[manager].releaseVelocity = velocity
        sampler.regions.channels[channel].waiting.set(key, isHeld(sampler, channel, key))
        release(&sampler, channel, key, isOfPedal: false)
    }

    /// A pedal went up: releases that it held back.
    @_noLocks static func pedalUp(_ sampler: inout Sampler, _ channel: Int) {
        if !sampler.regions.isNeeded { return }
        for member in sampler.zones.reach(of: UInt8(truncatingIfNeeded: channel)) {
            let state = sampler.regions.channels + Int(member)
            if state.pointee.waiting.isEmpty { continue }
            for key in UInt8(0)..<128 where state.pointee.waiting.contains(key) && !isHeld(sampler, Int(member), key) {
                state.pointee.waiting.set(key, false)
                release(&sampler, Int(member), key, isOfPedal: true)
            }
        }
    }

    /// True while a pedal of the part holds a key that is up.
    @_noLocks private static func isHeld(_ sampler: borrowing Sampler, _ channel: Int, _ key: UInt8) -> Bool {
        let part = sampler.parts + Int(sampler.zones.manager(of: UInt8(truncatingIfNeeded: channel)))
        if part.pointee.isSustained { return true }
        return part.pointee.isSostenuto && sampler.regions.channels[channel].caught.contains(key)
    }

    /// Another key has taken the voices of one over: its release is none.
    @_noLocks static func passOn(_ sampler: borrowing Sampler, _ channel: Int, _ key: UInt8) {
        if sampler.regions.isNeeded { _ = sampler.regions.channels[channel].lift(key) }
    }

    /// All keys of some channels are up, and none waits for its release.
    @_noLocks static func liftAll(_ sampler: borrowing Sampler, _ mask: UInt16) {
        if !sampler.regions.isNeeded { return }
        for channel in 0..<16 where mask &>> UInt16(truncatingIfNeeded: channel) & 1 == 1 {
            sampler.regions.channels[channel].liftAll()
        }
    }

    /// The releases of a key belong to the sound that it struck.
    @_noLocks private static func release(_ sampler: inout Sampler, _ channel: Int, _ key: UInt8, isOfPedal: Bool) {
        var event = event(.keyUp, sampler, channel)
        let state = sampler.regions.channels + channel, sound = sampler.regions.channels[Int(event.manager)].sound
        if sound.index < 0 { return }
        (event.key, event.velocity, event.isOfPedal) = (key, state.pointee.velocities[Int(key)], isOfPedal)
        event.seconds = Float(Double(sampler.frame &- state.pointee.frames[Int(key)]) / sampler.setting.rate)
        sampler.regions.begin(&event)
        let note = Voice.Note(
            channel: event.channel, bus: event.manager, key: key, velocity: max(event.velocity, 1),
            number: state.pointee.numbers[Int(key)])
        _ = play(&sampler, sound, index(sampler, sound).pointee.released(by: key), event, note, glidingFrom: nil)
    }

    /// The sampler slept for so many frames before what it has just been sent: keys were down for longer.
    @_noLocks static func oversleep(_ sampler: borrowing Sampler, _ frames: Int64) {
        if !sampler.regions.isNeeded { return }
        let now = sampler.frame
        for channel in 0..<16 {
            var keys = sampler.regions.channels[channel].down
            keys.formUnion(sampler.regions.channels[channel].waiting)
            while let key = keys.first {
                keys.set(key, false)
                let frame = sampler.regions.channels[channel].frames[Int(key)]
                if frame == now { sampler.regions.channels[channel].frames[Int(key)] = frame &+ frames }
            }
        }
        let seconds = Float(Double(frames) / sampler.setting.rate)
        for place in 0..<sampler.pool.count {
            let voice = sampler.pool.voice(place)
            if voice.pointee.age == 0, let region = voice.pointee.region { region.pointee.wasHeld(for: seconds) }
        }
    }

    /// The value of a controller, before it changes.
    @_noLocks static func value(_ sampler: borrowing Sampler, _ channel: Int, _ controller: UInt8) -> Float {
        let sound = sampler.sound(channel)
        if sound.index < 0 { return 0 }
        return source(sampler, sound, event(.controller, sampler, channel)).value(UInt16(controller), key: 60)
    }

    /// A controller has another value: regions that it starts, voices that it holds no more.
    @_noLocks static func control(_ sampler: inout Sampler, _ channel: Int, _ controller: UInt8, from before: Float) {
        if !sampler.regions.isNeeded { return }
        if controller >= 120 {
            // A channel mode message; all but the reset of controllers mean that keys are up.
            if controller != 121 { liftAll(sampler, sampler.zones.hearers(of: channel)) }
            return
        }
        // Members of a zone are spoken for.
        if sampler.zones.isMember(UInt8(truncatingIfNeeded: channel)) { return }
        let state = sampler.regions.channels + channel
        state.pointee.moved.set(controller, true)
        if controller == Controller.sostenuto.rawValue { catchKeys(sampler, channel, wasDown: before >= 0.5) }
        let sound = sampler.sound(channel)
        if sound.index < 0 { return }
        letGo(&sampler, channel, controller)
        if !state.pointee.isRestored { start(&sampler, sound, channel, controller, from: before) }
    }

    @_noLocks private static func catchKeys(_ sampler: borrowing Sampler, _ channel: Int, wasDown: Bool) {
        let isDown = sampler.parts[channel].isSostenuto
        if isDown && wasDown { return }
        for member in sampler.zones.reach(of: UInt8(truncatingIfNeeded: channel)) {
            let state = sampler.regions.channels + Int(member)
            state.pointee.caught = isDown ? state.pointee.down : KeySet()
        }
    }

    /// Starts the regions of a controller.
    @_noLocks private static func start(
        _ sampler: inout Sampler, _ sound: Sound, _ channel: Int, _ controller: UInt8, from before: Float
    ) {
        let run = index(sampler, sound).pointee.controlled
        if run.count == 0 { return }
        var event = event(.controller, sampler, channel)
        (event.controller, event.before, event.key) = (UInt16(controller), before, 60)
        event.value = source(sampler, sound, event).value(UInt16(controller), key: 60)
        sampler.regions.begin(&event)
        let note = Voice.Note(
            channel: event.channel, bus: event.manager, key: 60, velocity: 127, number: sampler.noteNumber)
        _ = play(&sampler, sound, run, event, note, glidingFrom: nil)
    }

    /// Voices whose pedal is another controller than the damper.
    @_noLocks private static func letGo(_ sampler: inout Sampler, _ channel: Int, _ controller: UInt8) {
        if controller == 64 || controller == 66 { return }
        for place in 0..<sampler.pool.count {
            let voice = sampler.pool.voice(place)
            guard sampler.reaches(channel, voice), let region = voice.pointee.region, case .sustain = voice.pointee.hold,
                region.pointee.plan.pointee.rule.sustainController == Int16(controller), !region.pointee.isSustained
            else { continue }
            sampler.release(voice)
        }
    }

    /// Another sound on the channel begins anew.
    @_noLocks static func adopt(_ sampler: borrowing Sampler, _ channel: Int, _ sound: Sound) {
        if !sampler.regions.isNeeded { return }
        adopt(sampler, manager: Int(sampler.zones.manager(of: UInt8(truncatingIfNeeded: channel))), sound)
    }

    @_noLocks private static func adopt(_ sampler: borrowing Sampler, manager: Int, _ sound: Sound) {
        let state = sampler.regions.channels + manager
        if state.pointee.sound.first == sound.first && state.pointee.sound.count == sound.count { return }
        state.pointee.sound = sound
        sampler.regions.forgetStrikes(manager)
        liftAll(sampler, sampler.zones.hearers(of: manager))
    }

    /// The state of another place of the music: what was struck before it, and which controllers were not sent.
    @_noLocks static func restore(
        _ sampler: borrowing Sampler, _ channel: Int, _ parameter: PartParameter, _ value: UInt8, _ key: UInt8
    ) {
        if !sampler.regions.isNeeded { return }
        let state = sampler.regions.channels + channel
        switch parameter {
        case .restoring:
            state.pointee.isRestored = value != 0
            if value != 0 { sampler.regions.forgetStrikes(channel) }
        case .unmoved: state.pointee.moved.set(key, false)
        case .lastVelocity: state.pointee.setLastVelocity(value & 127)
        case .manyStrikes: state.pointee.upperStrikes = (state.pointee.upperStrikes | UInt64(value & 127)) &<< 7
        default:
            // Members have sent what they struck to their manager, whatever zones there are now.
            let sound = sampler.ownSound(channel), count = state.pointee.upperStrikes | UInt64(value & 127)
            state.pointee.upperStrikes = 0
            adopt(sampler, manager: channel, sound)
            if sound.index < 0 { return }
            sampler.regions.restore(
                channel, key, strikes: count, isLegato: parameter == .legatoStrikes, sound, sampler.book.recipes)
        }
    }

    @_noLocks private static func event(
        _ kind: RegionEvent.Kind, _ sampler: borrowing Sampler, _ channel: Int
    ) -> RegionEvent {
        var event = RegionEvent(
            kind, channel: channel, manager: sampler.zones.manager(of: UInt8(truncatingIfNeeded: channel)))
        for member in sampler.zones.reach(of: event.manager) {
            event.down.formUnion(sampler.regions.channels[Int(member)].down)
        }
        return event
    }

    @_noLocks private static func index(_ sampler: borrowing Sampler, _ sound: Sound) -> UnsafePointer<RegionIndex> {
        sampler.book.regions.indices + Int(sound.index)
    }

    /// All regions of a sound are of one instrument.
    @_noLocks private static func source(
        _ sampler: borrowing Sampler, _ sound: Sound, _ event: RegionEvent
    ) -> RegionSource {
        let book = sampler.book.regions, plan = book.plans + Int(sampler.book.recipes[Int(sound.first)].plan)
        let first = Int(book.instruments[Int(plan.pointee.instrument)].firstValue)
        return RegionSource(
            sampler.parts + Int(event.channel), manager: sampler.parts + Int(event.manager),
            sampler.regions.channels + Int(event.manager), initial: book.values + first)
    }

    /// Starts every region of the run that answers the event. False if none does.
    @_noLocks private static func play(
        _ sampler: inout Sampler, _ sound: Sound, _ run: RegionIndex.Run, _ event: RegionEvent, _ note: Voice.Note,
        glidingFrom glide: UInt8?
    ) -> Bool {
        let source = source(sampler, sound, event), book = sampler.book.regions
        var region: Int32 = -1, plays = false, isAnswered = false
        for place in Int(run.first)..<Int(run.first &+ run.count) {
            let index = Int(book.order[place]), recipe = sampler.book.recipes[index]
            let plan = book.plans + Int(recipe.plan)
            if plan.pointee.rule.region != region {
                region = plan.pointee.rule.region
                plays = sampler.regions.answers(plan, event, source) && isHeard(sampler, plan, event)
                if plays {
                    RegionLimits.silence(&sampler, by: plan, event)
                    RegionLimits.makeRoom(&sampler, for: plan, event)
                    isAnswered = true
                }
            }
            if !plays { continue }
            var note = note
            if event.isOfController {
                note.key = plan.pointee.pitch.keyCenter
                // Of a generator's waves the one nearest to that key.
                let lowest = plan.pointee.rule.lowestKey, highest = plan.pointee.rule.highestKey
                let nearest = lowest > highest ? note.key : min(max(note.key, lowest), highest)
                if nearest < recipe.lowestKey || nearest > recipe.highestKey { continue }
            }
            sampler.start(recipe, index, note, glidingFrom: glide, event, source)
        }
        return isAnswered
    }

    /// A voice of the model becomes one of a region.
    @_noLocks static func begin(
        _ voice: UnsafeMutablePointer<Voice>, _ recipe: Recipe, _ event: RegionEvent, _ source: RegionSource,
        _ sampler: borrowing Sampler
    ) {
        guard let all = sampler.pool.regions else { return }
        let region = all + (voice - sampler.pool.voices), plan = sampler.book.regions.plans + Int(recipe.plan)
        region.initialize(to: RegionVoice(plan, sampler.book.regions, event, source, sampler.regions))
        (voice.pointee.region, voice.pointee.isPlain) = (region, false)
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
