import Testing

@testable import MIDI

extension Part {
    /// Controllers by number, in order; what the last one says to the voices.
    @discardableResult
    mutating func controls(_ messages: (UInt8, UInt8)...) -> Consequence {
        var last = Consequence.none
        for (number, value) in messages { last = control(Controller(rawValue: number), value) }
        return last
    }

    /// Data entry for a registered parameter, its upper byte last.
    @discardableResult
    mutating func registered(_ parameter: UInt8, _ value: UInt8, _ lower: UInt8? = nil) -> Consequence {
        controls((101, 0), (100, parameter))
        if let lower { controls((38, lower)) }
        return controls((6, value))
    }

    /// Data entry for a non-registered parameter.
    mutating func nonRegistered(_ upper: UInt8, _ lower: UInt8, _ value: UInt8) {
        controls((99, upper), (98, lower), (6, value))
    }
}

struct PartTests {
    @Test func controllersStandWhereGeneralMIDI2PutsThem() {
        let part = Part(mode: .melodic)
        for number in UInt8(0)...127 {
            let expected: UInt8 =
                switch number {
                case 7: 100
                case 8, 10, 70...79: 64
                case 11, 43, 98, 99, 100, 101: 127
                default: 0
                }
            #expect(part.value(of: number) == expected, "controller \(number)")
        }
        #expect(part.pressure == 0 && part.bend == 0 && part.cents == 0 && part.bendRange == 200)
        #expect(!part.isMono && part.newestKey == nil)
    }

    @Test func everyControllerIsRememberedAsItCame() {
        var part = Part(mode: .melodic)
        for number in UInt8(0)..<120 { part.controls((number, number)) }
        // Increment, decrement and the portamento's key are of the moment, and remembered all the same.
        for number in UInt8(0)..<120 { #expect(part.value(of: number) == number, "controller \(number)") }
    }

    @Test func resetAllControllersSparesWhatRP015Names() {
        var part = Part(mode: .melodic)
        for number in UInt8(0)..<120 { part.controls((number, 33)) }
        part.pressure = 9
        part.press(60, 8)
        part.bend = 5_000
        #expect(part.controls((121, 0)) == .controllersReset)
        let stays: Set<UInt8> = [0, 32, 5, 37, 7, 39, 8, 40, 10, 42, 91, 92, 93, 94, 95]
        for number in UInt8(0)..<120 {
            let isKept = stays.contains(number) || (70...79).contains(number)
            #expect(part.value(of: number) == (isKept ? 33 : Controller(rawValue: number).initialValue), "\(number)")
        }
        #expect(part.pressure == 0 && part.pressure(of: 60) == 0 && part.bend == 0)
    }

    @Test func resetAllControllersLeavesWhatParametersHaveSet() {
        var part = Part(mode: .drums)
        part.registered(0, 12)
        part.registered(2, 66)
        part.nonRegistered(0x1A, 36, 20)
        part.controls((126, 1), (121, 0))
        #expect(part.bendRange == 1_200 && part.cents == 200 && part.mode == .drums && part.isMono)
        #expect(part.drumControl(.level, of: 36) == 20)
        // The parameter is not chosen any more.
        part.controls((6, 3))
        #expect(part.cents == 200 && part.drumControl(.level, of: 36) == 20)
    }

    @Test func pedalsSayWhatTheyLetGo() {
        var part = Part(mode: .melodic)
        #expect(part.controls((64, 63)) == .none)
        #expect(!part.isSustained && part.damper == 63)
        #expect(part.controls((64, 64)) == .none)
        #expect(part.isSustained && part.damper == 64)
        #expect(part.controls((64, 127)) == .none)
        #expect(part.controls((64, 40)) == .pedalUp)
        #expect(part.damper == 40 && !part.isSustained)
        #expect(part.controls((64, 0)) == .none)
        #expect(part.controls((66, 100)) == .sostenutoDown)
        #expect(part.controls((66, 127)) == .none)
        #expect(part.isSostenuto)
        #expect(part.controls((66, 63)) == .sostenutoUp)
        part.controls((67, 80), (68, 64), (69, 5))
        #expect(part.isSoft && part.softPedal == 80 && part.isLegato && part.hold2 == 5)
    }

    @Test(
        arguments: [
            (120, Part.Consequence.allSoundOff), (121, .controllersReset), (122, .none), (123, .allNotesOff),
            (124, .allNotesOff), (125, .allNotesOff), (126, .allNotesOff), (127, .allNotesOff),
        ] as [(UInt8, Part.Consequence)])
    func channelModesEndWhatSounds(_ number: UInt8, _ consequence: Part.Consequence) {
        var part = Part(mode: .melodic)
        #expect(part.controls((number, 0)) == consequence)
        #expect(part.isMono == (number == 126))
    }

    @Test func keysAreRememberedNewestLast() {
        var part = Part(mode: .melodic)
        for key in UInt8(40)..<58 { part.push(key) }
        part.push(45)
        #expect(part.newestKey == 45)
        part.remove(45)
        #expect(part.newestKey == 57)
        // Eighteen were struck; the two oldest are forgotten.
        var left: [UInt8] = []
        while let key = part.newestKey {
            left.append(key)
            part.remove(key)
        }
        #expect(left == (42..<58).reversed().filter { $0 != 45 })
        part.push(1)
        part.clearKeys()
        #expect(part.newestKey == nil)
    }

    @Test func glidesStartFromTheKeyBeforeOrTheOneNamed() {
        var part = Part(mode: .melodic)
        #expect(part.glideSource(to: 60) == nil)
        #expect(part.glideSource(to: 62) == nil)
        part.controls((65, 127))
        #expect(!part.glides)    // it takes no time
        part.controls((37, 1))
        #expect(part.glides && part.portamentoTime == 1)
        part.controls((5, 127), (37, 127))
        #expect(part.glideFraction == 1 && part.portamentoTime == 16_383)
        #expect(part.glideSource(to: 64) == 62)
        part.controls((65, 0), (84, 30))
        #expect(part.glideSource(to: 65) == 30)
        #expect(part.glideSource(to: 66) == nil)
    }

    @Test func itStaysSmallEnoughToHaveOneForEveryChannel() {
        // Most are the 128 keys of a drum part's settings.
        #expect(MemoryLayout<Part>.size <= 18 * 128 + 1_280)
    }
}
