// [render]
import MIDI
import SoundFonts

extension Sampler {
    /// With the damper pedal half down, releases are longer; sends are those of the channel that it is heard on.
    @_noLocks func setting(_ channel: Int) -> Voice.Setting {
        var setting = setting
        let manager = parts + Int(zones.manager(of: UInt8(truncatingIfNeeded: channel)))
        let damper = manager.pointee.damper
        setting.reverb = Double(manager.pointee.reverbSend) / 127
        setting.chorus = Double(manager.pointee.value(of: 93)) / 127
        if !isRounded && damper > 0 && damper < 64 { setting.damping = Double(damper) * (2_400.0 / 64) }
        return setting
    }

    @_noLocks mutating func control(_ channel: Int, _ controller: Controller, _ value: UInt8) {
        let before = RegionPlayer.value(self, channel, controller.rawValue)
        let consequence = parts[channel].control(controller, value)
        RegionPlayer.control(&self, channel, controller.rawValue, from: before)
        if case .none = consequence { return follow(channel, controller) }
        obey(consequence, channel)
        RegionPlayer.pedalUp(&self, channel)
        switch consequence {
        case .none, .pedalUp, .sostenutoDown, .sostenutoUp: follow(channel, controller)
        case .controllersReset: refresh(channel)
        case .allNotesOff, .allSoundOff: break
        case .tuningChosen:
            parts[channel].tune(by: tunings, port: 0)
            tune(channel)
        case .zone(let members): setZone(channel, members)
        }
    }

    /// A zone comes, goes or changes: on channels that are something else now, keys are up.
    @_noLocks private mutating func setZone(_ channel: Int, _ members: UInt8) {
        let changed = zones.configure(UInt8(truncatingIfNeeded: channel), members: members, parts: parts)
        for place in 0..<pool.count {
            let voice = pool.voice(place)
            if changed &>> UInt16(voice.pointee.channel) & 1 == 1 { release(voice) }
        }
        pool.logKeysUp(changed)
        RegionPlayer.liftAll(self, changed)
    }

    @_noLocks private mutating func obey(_ consequence: Part.Consequence, _ channel: Int) {
        for place in 0..<pool.count {
            let voice = pool.voice(place)
            if reaches(channel, voice) { obey(consequence, voice) }
        }
        switch consequence {
        case .allNotesOff, .allSoundOff:
            parts[channel].clearKeys()
            pool.logKeysUp(zones.hearers(of: channel))
        default: break
        }
    }

    @_noLocks private func obey(_ consequence: Part.Consequence, _ voice: UnsafeMutablePointer<Voice>) {
        switch consequence {
        case .pedalUp: if case .sustain = voice.pointee.hold { letGo(voice) }
        case .sostenutoDown:
            if case .key = voice.pointee.hold, !voice.pointee.isReleased { voice.pointee.isCaught = true }
        case .sostenutoUp:
            voice.pointee.isCaught = false
            if case .sostenuto = voice.pointee.hold { letGo(voice) }
        case .controllersReset:
            voice.pointee.isCaught = false
            switch voice.pointee.hold {
            case .sustain, .sostenuto: letGo(voice)
            default: break
            }
        case .allNotesOff: if !voice.pointee.isReleased { letGo(voice) }
        case .allSoundOff:
            if !voice.pointee.isReleased { pool.log(.released, voice.pointee.note) }
            voice.pointee.isDying = true
        case .none, .tuningChosen, .zone: break
        }
    }

    @_noLocks private mutating func follow(_ channel: Int, _ controller: Controller) {
        switch controller.rawValue {
        case 6, 38, 96, 97:
            if parts[channel].parameter.registered != nil {
                zones.shareBendRange(of: UInt8(truncatingIfNeeded: channel), parts: parts)
                tune(channel)
                pool.logPitch(of: channel, zones, parts, master: masterCents)
                modulate(channel, source: 16, isController: false)
                modulate(channel, source: 1, isController: true)
            } else {
                SoundBlasterEffect.follow(parts + channel, UInt8(truncatingIfNeeded: channel), pool, setting(channel))
                refresh(channel)
            }
        case 0, 32, 98...101: break
        case 64:
            let setting = setting(channel)
            for place in 0..<pool.count where reaches(channel, pool.voice(place)) {
                pool.voice(place).pointee.update(.volumeRelease, setting)
            }
            modulate(channel, source: 64, isController: true)
        case 91, 93:
            modulate(channel, source: controller.rawValue, isController: true)
            let setting = setting(channel)
            for place in 0..<pool.count where reaches(channel, pool.voice(place)) {
                pool.voice(place).pointee.updateSends(setting)
            }
        default: modulate(channel, source: controller.rawValue, isController: true)
        }
    }

    /// A setting that no controller has: notes that sound follow it, but for what belongs to their beginning.
    @_noLocks mutating func set(_ channel: Int, _ parameter: PartParameter, _ value: UInt8, _ key: UInt8) {
        if parameter.restoresStrikes { return RegionPlayer.restore(self, channel, parameter, value, key) }
        if case .allNotesOff = parts[channel].set(parameter, value, key: key) { obey(.allNotesOff, channel) }
        if parameter == .bendRange { zones.shareBendRange(of: UInt8(truncatingIfNeeded: channel), parts: parts) }
        if parameter.rawValue < 32 || parameter.rawValue >= 64 && parameter.rawValue < 160 { refresh(channel) }
    }

    /// A source has another value: generators that it moves are set anew, of the channel's voices or those of one key.
    @_noLocks mutating func modulate(_ channel: Int, source: UInt8, isController: Bool, key: UInt8? = nil) {
        let setting = setting(channel)
        for place in 0..<pool.count {
            let voice = pool.voice(place)
            guard reaches(channel, voice) else { continue }
            if let key, voice.pointee.key != key { continue }
            let values = values(Int(voice.pointee.channel))
            values.set(values.moved(by: source, isController: isController, voice), of: voice, setting)
        }
    }

    @_noLocks private mutating func refresh(_ channel: Int) {
        let setting = setting(channel)
        for place in 0..<pool.count {
            let voice = pool.voice(place)
            guard reaches(channel, voice) else { continue }
            let values = values(Int(voice.pointee.channel))
            values.set(values.changed(voice), of: voice, setting)
        }
        tune(channel)
        pool.logPitch(of: channel, zones, parts, master: masterCents)
    }

    @_noLocks mutating func tune(_ channel: Int) {
        for place in 0..<pool.count where reaches(channel, pool.voice(place)) {
            tune(pool.voice(place), Int(pool.voice(place).pointee.channel))
        }
    }

    @_noLocks func tune(_ voice: UnsafeMutablePointer<Voice>, _ channel: Int) {
        let manager = Int(zones.manager(of: UInt8(truncatingIfNeeded: channel)))
        var cents = masterCents + ControlMatrix.tuning(parts + channel, voice.pointee.key)
        // A zone's own bend comes on top of its members'.
        if manager != channel { cents += parts[manager].cents }
        let isOther = voice.pointee.tuning != cents
        voice.pointee.tuning = cents
        voice.pointee.updatePitch()
        if isOther { pool.logPitch(voice, zones, parts, master: masterCents) }
    }
}
