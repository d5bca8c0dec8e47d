import MIDI
import Testing

/// What GS and XG say of reverb and chorus.
@Suite struct EffectTests {
    private var interpreter = SystemExclusive()

    private mutating func gs(_ low: UInt8, _ values: UInt8...) -> [EffectParameter: Float] {
        meaning([0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0x01, low] + values + [0, 0xF7])
    }
    private mutating func xg(_ low: UInt8, _ values: UInt8...) -> [EffectParameter: Float] {
        meaning([0xF0, 0x43, 0x10, 0x4C, 0x02, 0x01, low] + values + [0xF7])
    }
    private mutating func meaning(_ bytes: [UInt8]) -> [EffectParameter: Float] {
        var found: [EffectParameter: Float] = [:]
        for event in interpreter.events(from: bytes, port: 5) {
            guard case .effect(let value, let parameter, 5) = event else { continue }
            found[parameter] = value
        }
        return found
    }
    private func isNear(_ a: [EffectParameter: Float], _ b: [EffectParameter: Float]) -> Bool {
        a.count == b.count && a.allSatisfy { abs($0.value - (b[$0.key] ?? .nan)) < 0.01 * max(1, abs($0.value)) }
    }

    @Test mutating func gsMacrosAreTheTypesOfGM2() {
        for (macro, type) in [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (5, 8)] as [(UInt8, UInt8)] {
            let gm2 = meaning([0xF0, 0x7F, 0x7F, 0x04, 0x05, 1, 1, 1, 1, 1, 0, type, 0xF7])
            var heard = gs(0x30, macro)
            #expect(heard.removeValue(forKey: .reverbLevel) == 1 && heard.removeValue(forKey: .reverbPreDelay) == 0)
            #expect(heard == gm2 && heard.count == 2)
        }
        for macro in UInt8(0)..<6 {
            let gm2 = meaning([0xF0, 0x7F, 0x7F, 0x04, 0x05, 1, 1, 1, 1, 2, 0, macro, 0xF7])
            var heard = gs(0x38, macro)
            #expect(heard.removeValue(forKey: .chorusLevel) == 1)
            #expect(heard == gm2)
        }
    }

    @Test mutating func aGSTimeStretchesWhatTheCharacterHas() {
        #expect(isNear(gs(0x34, 64), [.reverbTime: 1.822]) && isNear(gs(0x34, 104), [.reverbTime: 4.953]))
        #expect(gs(0x30, 0)[.reverbTime] == EffectParameter.reverbTime.value(of: 44))
        #expect(isNear(gs(0x34, 120), [.reverbTime: 3.004]) && isNear(gs(0x31, 4), [.reverbTime: 7.389]))
        // Delays are no reverbs: all stays.
        #expect(gs(0x30, 6).isEmpty && gs(0x31, 7).isEmpty && gs(0x30, 90).isEmpty)
        _ = interpreter.events(from: [0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0, 0x7F, 0, 0x41, 0xF7], port: 5)
        #expect(isNear(gs(0x34, 64), [.reverbTime: 1.822]))
    }

    @Test mutating func gsSetsParametersOneByOneAndSideBySide() {
        #expect(isNear(gs(0x33, 32), [.reverbLevel: 0.5]) && isNear(gs(0x37, 40), [.reverbPreDelay: 40]))
        #expect(isNear(gs(0x3A, 96), [.chorusLevel: 1.5]) && isNear(gs(0x3D, 9), [.chorusRate: 1.098]))
        #expect(
            isNear(
                gs(0x3A, 0, 64, 80, 3, 19, 127),
                [.chorusLevel: 0, .chorusFeedback: 0.488, .chorusRate: 0.366, .chorusDepth: 6.25, .chorusToReverb: 1]))
        #expect(gs(0x38, 7)[.chorusDepth] == 0 && gs(0x32, 3).isEmpty && gs(0x3C, 3).isEmpty)
    }

    @Test mutating func xgTypesBringWhatTheyAreMadeOf() {
        #expect(isNear(xg(0, 1, 0), [.reverbTime: 2.1, .reverbLevel: 1]))
        #expect(isNear(xg(0, 2, 2), [.reverbTime: 1.2, .reverbLevel: 1]))
        // A type that there is not is the first of its kind.
        #expect(isNear(xg(0, 4, 99), [.reverbTime: 2.8, .reverbLevel: 1]) && xg(0, 99, 0).isEmpty)
        #expect(isNear(xg(0x0C, 32), [.reverbLevel: 0.5]) && isNear(xg(0, 0, 0), [.reverbLevel: 0]))
        #expect(isNear(xg(0x0C, 127), [.reverbLevel: 0]) && isNear(xg(0, 3, 0), [.reverbTime: 2.2, .reverbLevel: 1.984]))
        let times: [(UInt8, Float)] = [(0, 0.3), (47, 5), (48, 5.5), (57, 10), (58, 11), (67, 20), (68, 25), (69, 30)]
        for (byte, seconds) in times {
            #expect(isNear(xg(2, byte), [.reverbTime: seconds]))
        }
        #expect(
            isNear(
                xg(0x20, 0x41, 5),
                [.chorusRate: 0.378, .chorusDepth: 6.256, .chorusFeedback: 0.0567, .chorusDelay: 1, .chorusLevel: 1]))
        #expect(
            isNear(
                xg(0x20, 0x43, 1),
                [.chorusRate: 1.346, .chorusDepth: 3.128, .chorusFeedback: -0.431, .chorusDelay: 0.203, .chorusLevel: 1]))
        let rates: [(UInt8, Float)] = [(0, 0), (64, 2.69), (76, 3.70), (88, 5.72), (101, 10.1), (113, 18.2), (127, 39.7)]
        for (byte, hertz) in rates {
            #expect(isNear(xg(0x22, byte), [.chorusRate: hertz]))
        }
        #expect(isNear(xg(0x2E, 64), [.chorusToReverb: 1]) && isNear(xg(0x20, 0, 0), [.chorusLevel: 0]))
        // A phaser's parameters are no chorus's.
        #expect(xg(0x20, 0x48, 0).isEmpty && xg(0x22, 9).isEmpty)
    }

    @Test mutating func everyParameterHasAMessageThatSaysIt() {
        for parameter in EffectParameter.allCases where parameter != .chorusDelay {
            for byte in [UInt8(0), 1, 64, 127] {
                let value = parameter.value(of: byte)
                #expect(meaning(parameter.message(value) ?? [])[parameter] == value)
            }
            #expect(meaning(parameter.message(EffectParameter.asSet) ?? [])[parameter] == parameter.initialValue)
        }
        #expect(EffectParameter.chorusDelay.message(1) == nil)
    }
}
