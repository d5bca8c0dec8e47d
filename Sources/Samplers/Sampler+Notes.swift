// [render]
import MIDI
import SoundFonts

extension Sampler {
    @_noLocks mutating func handle(_ message: MIDIMessage, _ event: MusicEvent) {
        let channel = Int(message.channel)
        let received = message
        guard let message = parts[channel].heard(received) else { return logUnheard(received) }
        let key = message.data1 & 127, value = message.data2 & 127
        switch message.status & 0xF0 {
        case 0x90 where value > 0: noteOn(channel, key, value, received)
        case 0x80, 0x90: noteOff(channel, key, velocity: message.status & 0xF0 == 0x80 ? value : 64)
        case 0xA0:
            parts[channel].press(key, value)
            modulate(channel, source: 10, isController: false, key: key)
        case 0xB0:
            _ = programs.apply(event)
            control(channel, Controller(rawValue: key), value)
        case 0xC0:
            parts[channel].resetDrums()
            choose(programs.apply(event))
        case 0xD0:
            parts[channel].pressure = key
            modulate(channel, source: 13, isController: false)
        case 0xE0:
            parts[channel].bend = Int(value) &<< 7 &+ Int(key) &- 8_192
            modulate(channel, source: 14, isController: false)
            if zones.reach(of: UInt8(truncatingIfNeeded: channel)).count > 1 { tune(channel) }
            pool.logPitch(of: channel, zones, parts, master: masterCents)
        default: break
        }
    }

    /// `received` is the message as it came, by which labels find the note.
    @_noLocks private mutating func noteOn(_ channel: Int, _ key: UInt8, _ velocity: UInt8, _ received: MIDIMessage) {
        let isOff = parts[channel].mode.isDrums && parts[channel].drumControl(.noteOn, of: key) == 0
        if isOff || tunings.isSilent(key) && !parts[channel].isKit { return logUnheard(received) }
        noteNumber &+= 1
        let sound = sound(channel)
        RegionPlayer.adopt(self, channel, sound)
        let note = Voice.Note(
            channel: UInt8(truncatingIfNeeded: channel),
            bus: zones.manager(of: UInt8(truncatingIfNeeded: channel)), key: key, velocity: velocity, number: noteNumber)
        if pool.keyLog != nil {
            let cents = zones.shift(of: key, on: channel, parts, master: masterCents)
            pool.logStrike(sound.count == 0 ? .noPreset : .struck, note, received, cents: cents)
        }
        if sound.count == 0 {
            if share == 0 { unplayable &+= 1 }
            return
        }
        let former = parts[channel].newestKey
        let source = parts[channel].glideSource(to: key)
        parts[channel].push(key)
        if parts[channel].isMono, let former {
            // A key that is struck while another is down takes its note over if the legato pedal is down.
            if parts[channel].isLegato && takeOver(channel, former, key, source) { return }
            letGo(channel, former)
        }
        switch parts[channel].assignMode(of: key) {
        case 0: pool.cut(channel, key)
        case 2: break
        default: letGo(channel, key)
        }
        var isAnswered = false
        if sound.index >= 0 {
            isAnswered = RegionPlayer.keyDown(&self, sound, note, glidingFrom: source)
            if !isAnswered && share == 0 { unanswered &+= 1 }
            return
        }
        for index in Int(sound.first)..<Int(sound.first &+ sound.count) {
            let recipe = book.recipes[index]
            if recipe.answers(key: key, velocity: velocity) {
                start(recipe, index, note, glidingFrom: source)
                isAnswered = true
            }
        }
        if !isAnswered && share == 0 { unanswered &+= 1 }
    }

    /// A note that the part does not play: nothing answers it.
    @_noLocks private mutating func logUnheard(_ message: MIDIMessage) {
        guard message.status & 0xF0 == 0x90, message.data2 & 127 > 0 else { return }
        noteNumber &+= 1
        pool.logUnheard(message, number: noteNumber)
    }

    /// Dealt out in turn, so that the sides of a stereo sound, equally long, are in two shares, and a chord is in all. Every
    /// share counts every voice. Those of a mono channel stay together, for one note takes another's over.
    @_noLocks private mutating func deal(_ channel: Int, together: Bool) -> Bool {
        // Only one share knows whether these are heard.
        if together { return channel & (shareCount &- 1) == share }
        let turn = parts[channel].isMono ? channel : dealt
        dealt &+= 1
        return turn & (shareCount &- 1) == share
    }

    @_noLocks mutating func start(
        _ recipe: Recipe, _ index: Int, _ note: Voice.Note, glidingFrom source: UInt8?, _ event: RegionEvent? = nil,
        _ channelSource: RegionSource? = nil
    ) {
        let channel = Int(note.channel), zone = book.generators[index &* Generator.count &+ Generator.exclusiveClass.index]
        let group = DrumSettings.group(parts + channel, note.key, Double(zone))
        if group != 0 { pool.cut(channel, group: group, but: note.number, setting) }
        if !deal(channel, together: book.regions.staysTogether(recipe)) { return }
        guard let voice = pool.take() else {
            pool.countLost()
            pool.log(.unplaced, note.number)
            return
        }
        let isPlayable = voice.pointee.start(
            recipe, book, index: index, note, phase: phase, quietest: quietest, values(channel), setting(channel))
        if !isPlayable {
            voice.pointee.hold = .off
            return
        }
        pool.stream(voice, recipe.sample, book.samples[Int(recipe.sample)].stream)
        if let event, let channelSource { RegionPlayer.begin(voice, recipe, event, channelSource, self) }
        if masterCents != 0 || note.bus != note.channel { tune(voice, channel) }
        if let source {
            voice.pointee.glide = voice.pointee.base(.scaleTuning) * (Double(source) - Double(note.key))
            GlideTime.set(voice, parts + channel, setting.periodsPerSecond)
        }
        voice.pointee.isSplit = pool.log != nil && shareCount > 1 && !parts[channel].isMono
        pool.enter(phase)
        pool.log(.began, note.number)
    }

    /// Returns false if no voice of the key that is down plays another from now on. `isReturn`: the key was struck before, no
    /// note-on takes them.
    @_noLocks private mutating func takeOver(
        _ channel: Int, _ former: UInt8, _ key: UInt8, _ source: UInt8?, isReturn: Bool = false
    ) -> Bool {
        var taken = false
        for place in 0..<pool.count {
            let voice = pool.voice(place)
            guard voice.pointee.isHeld(channel, former) else { continue }
            let cents = voice.pointee.base(.scaleTuning) * (Double(key) - Double(former))
            voice.pointee.key = key
            voice.pointee.generators[Generator.pitch.index] += cents
            voice.pointee.glide = source == nil ? 0 : voice.pointee.glide - cents
            GlideTime.set(voice, parts + channel, setting.periodsPerSecond)
            tune(voice, channel)
            if isReturn {
                pool.logPitch(voice, zones, parts, master: masterCents)
            } else {
                pool.logTakeOver(of: voice, by: noteNumber)
            }
            taken = true
        }
        return taken
    }

    @_noLocks private mutating func noteOff(_ channel: Int, _ key: UInt8, velocity: UInt8) {
        let wasNewest = parts[channel].newestKey == key
        parts[channel].remove(key)
        pool.logKeyUp(channel, key)
        // In mono mode the key before sounds again, as long as it is down.
        if parts[channel].isMono, wasNewest, let next = parts[channel].newestKey {
            if takeOver(channel, key, next, parts[channel].glides ? key : nil, isReturn: true) {
                RegionPlayer.passOn(self, channel, key)
                return
            }
        }
        letGo(channel, key)
        RegionPlayer.keyUp(&self, channel, key, velocity: velocity)
    }

    @_noLocks mutating func letGo(_ channel: Int, _ key: UInt8) {
        for place in 0..<pool.count {
            let voice = pool.voice(place)
            if voice.pointee.isHeld(channel, key) { letGo(voice) }
        }
    }

    @_noLocks func letGo(_ voice: UnsafeMutablePointer<Voice>) {
        let part = parts + Int(zones.manager(of: voice.pointee.channel))
        if let region = voice.pointee.region, !RegionPlayer.isHeld(region, voice) { return release(voice) }
        if voice.pointee.isCaught && part.pointee.isSostenuto {
            voice.pointee.hold = .sostenuto
        } else if part.pointee.isSustained || voice.pointee.region != nil {
            voice.pointee.hold = .sustain
        } else {
            release(voice)
        }
    }

    @_noLocks func release(_ voice: UnsafeMutablePointer<Voice>) {
        if voice.pointee.isReleased || !voice.pointee.isSounding { return }
        pool.markReleased(voice)
        if setting(Int(voice.pointee.channel)).damping != 0 {
            voice.pointee.update(.volumeRelease, setting(Int(voice.pointee.channel)))
        }
        voice.pointee.letGo(UInt32(setting.rate * 0.01), setting.curves)
    }
}
