// [render]

extension Part {
    /// Takes in a control change.
    @_noLocks public mutating func control(_ controller: Controller, _ value: UInt8) -> Consequence {
        let number = controller.rawValue & 127, value = value & 127
        if number >= 120 { return command(Controller(rawValue: number)) }
        let before = controllers[number]
        controllers[number] = value
        if number == 91 { reverbSend = value }
        let wasDown = before >= 64, isDown = value >= 64
        switch controller {
        case .pan: settings.set(.randomPan, 0)
        case .sustain: return wasDown && !isDown ? .pedalUp : .none
        case .sostenuto: return wasDown == isDown ? .none : isDown ? .sostenutoDown : .sostenutoUp
        case .portamentoControl: namedKey = Int16(value)
        case .portamentoTimeLSB: hasFinePortamento = true
        case .nonRegisteredParameterLSB, .nonRegisteredParameter, .registeredParameterLSB, .registeredParameter:
            selection.choose(controller, value)
            soundBlaster.begin()
        case .dataEntry, .dataEntryLSB: return enter(value, isUpper: controller == .dataEntry)
        case .dataIncrement: return step(1)
        case .dataDecrement: return step(-1)
        default: break
        }
        return .none
    }

    @_noLocks private mutating func command(_ controller: Controller) -> Consequence {
        switch controller {
        case .allSoundOff: return .allSoundOff
        case .resetAllControllers:
            resetControllers()
            return .controllersReset
        case .mono, .poly:
            isMonophonic = controller == .mono
            return .allNotesOff
        case .allNotesOff, .omniOff, .omniOn: return .allNotesOff
        default: return .none
        }
    }

    /// Controller 121, by RP-015: volume, pan, sound and effects stay, and so do tuning, bend range, mode and all other
    /// settings of parameters.
    @_noLocks public mutating func resetControllers() {
        controllers.reset()
        selection = ParameterSelection()
        pressure = 0
        keyPressures = InlineArray(repeating: 0)
        namedKey = -1
        bend = 0
    }

    @_noLocks private mutating func enter(_ value: UInt8, isUpper: Bool) -> Consequence {
        if let parameter = selection.registered { return setRegistered(parameter, value, isUpper: isUpper) }
        if let generator = selection.generator {
            if isUpper && selection.endsGenerator {
                generators.set(generator, Int(value) &<< 7 | Int(controllers[38]))
                selection.endGenerator()
            }
        } else if let effect = selection.soundBlasterEffect {
            soundBlaster.enter(value, isUpper: isUpper, effect)
            // The pitch is added to that of the zone: fine tuning.
            if effect == 16 { generators.set(52, soundBlaster[effect]) }
        } else if isUpper, let parameter = selection.nonRegistered {
            setNonRegistered(upper: UInt8(truncatingIfNeeded: parameter &>> 7), lower: UInt8(parameter & 127), value)
        }
        return .none
    }

    @_noLocks private mutating func setRegistered(_ parameter: UInt16, _ value: UInt8, isUpper: Bool) -> Consequence {
        let value = Int(value)
        switch parameter {
        case 0: if isUpper { bendSemitones = value } else { bendHundredths = value }
        case 1: fine = isUpper ? fine & 127 | value &<< 7 : fine & ~127 | value
        case 2: if isUpper { coarse = value }
        case 3 where isUpper: return choose(program: value, bank: Int(tuningBank))
        case 4 where isUpper: return choose(program: Int(tuningProgram), bank: value)
        case 5: modulationRange = isUpper ? modulationRange & 127 | value &<< 7 : modulationRange & ~127 | value
        case 6 where isUpper: return .zone(members: UInt8(min(value, 15)))
        default: break
        }
        updateCents()
        return .none
    }

    @_noLocks private mutating func setNonRegistered(upper: UInt8, lower: UInt8, _ value: UInt8) {
        if upper == 1 {
            if let control = SoundControl(lower: lower) { controllers[control.controller] = value }
        } else if let control = DrumControl(upper: upper) {
            drums[control.row &* 128 &+ Int(lower)] = Int8(value)
        }
    }

    /// Data increment and decrement: a semitone, a program, or the smallest step of what is fine.
    @_noLocks private mutating func step(_ by: Int) -> Consequence {
        if let parameter = selection.registered {
            switch parameter {
            case 0: bendSemitones = min(max(bendSemitones &+ by, 0), 127)
            case 1: fine = min(max(fine &+ by, 0), 16_383)
            case 2: coarse = min(max(coarse &+ by, 0), 127)
            case 3: return choose(program: min(max(Int(tuningProgram) &+ by, 0), 127), bank: Int(tuningBank))
            case 4: return choose(program: Int(tuningProgram), bank: min(max(Int(tuningBank) &+ by, 0), 127))
            case 5: modulationRange = min(max(modulationRange &+ by, 0), 16_383)
            default: break
            }
            updateCents()
        } else if let parameter = selection.nonRegistered, parameter &>> 7 == 1,
            let control = SoundControl(lower: UInt8(parameter & 127))
        {
            let value = min(max(Int(controllers[control.controller]) &+ by, 0), 127)
            controllers[control.controller] = UInt8(truncatingIfNeeded: value)
        }
        return .none
    }

    @_noLocks private mutating func choose(program: Int, bank: Int) -> Consequence {
        tuningProgram = UInt8(truncatingIfNeeded: program)
        tuningBank = UInt8(truncatingIfNeeded: bank)
        return .tuningChosen
    }
}
