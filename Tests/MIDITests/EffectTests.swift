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
            let corners: [Float] = [2_000, 1_260, 20_000, 1_260, 20_000, 20_000]
            #expect(
                isNear([.reverbHighCut: heard.removeValue(forKey: .reverbHighCut) ?? 0], [.reverbHighCut: corners[Int(macro)]]))
            #expect(heard == gm2 && heard.count == 2)
        }
        for macro in UInt8(0)..<6 {
            let gm2 = meaning([0xF0, 0x7F, 0x7F, 0x04, 0x05, 1, 1, 1, 1, 2, 0, macro, 0xF7])
            var heard = gs(0x38, macro)
            #expect(heard.removeValue(forKey: .chorusLevel) == 1)
            #expect(heard.removeValue(forKey: .chorusHighCut) == 20_000 && heard.removeValue(forKey: .chorusToDelay) == 0)
            #expect(heard == gm2)
        }
    }

    @Test mutating func aGSTimeStretchesWhatTheCharacterHas() {
        #expect(isNear(gs(0x34, 64), [.reverbTime: 1.822]) && isNear(gs(0x34, 104), [.reverbTime: 4.953]))
        #expect(gs(0x30, 0)[.reverbTime] == EffectParameter.reverbTime.value(of: 44))
        #expect(isNear(gs(0x34, 120), [.reverbTime: 3.004]) && isNear(gs(0x31, 4), [.reverbTime: 7.389]))
        #expect(gs(0x30, 90).isEmpty && gs(0x31, 8).isEmpty)
        _ = interpreter.events(from: [0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0, 0x7F, 0, 0x41, 0xF7], port: 5)
        #expect(isNear(gs(0x34, 64), [.reverbTime: 1.822]))
    }

    @Test mutating func aReverbThatIsADelayTakesItsPlaceAndGivesItBack() {
        let delay = gs(0x30, 6)
        #expect(delay[.reverbLevel] == 0 && isNear([.echoLevel: delay[.echoLevel] ?? 0], [.echoLevel: 0.904]))
        #expect(isNear([.echoLeftTime: delay[.echoLeftTime] ?? 0], [.echoLeftTime: 112.6]))
        let panning = gs(0x31, 7), slow = gs(0x34, 127)
        #expect(panning[.echoLeftTime] == (panning[.echoRightTime] ?? 0) / 2)
        #expect(isNear([.echoRightTime: slow[.echoRightTime] ?? 0], [.echoRightTime: 446.8]))
        #expect(gs(0x35, 0)[.echoLeftFeedback] == 0 && (gs(0x35, 127)[.echoLeftFeedback] ?? 1) < 0.74)
        #expect(gs(0x33, 32)[.echoLevel] == 0.452)
        let hall = gs(0x31, 4)
        #expect(hall[.echoLevel] == 0 && hall[.reverbLevel] == 0.5 && (hall[.reverbTime] ?? 0) > 1)
    }

    /// The times are those of the manual's table: from 0.1 ms to 1 s.
    @Test mutating func theDelayOfGSIsTheManuals() {
        let times: [(UInt8, Float)] = [
            (0x01, 0.1), (0x13, 1.9), (0x14, 2), (0x23, 5), (0x2D, 10), (0x37, 20), (0x46, 50), (0x50, 100), (0x5A, 200),
            (0x61, 340), (0x69, 500), (0x73, 1_000), (0x7F, 1_000),
        ]
        for (byte, milliseconds) in times {
            let heard = gs(0x52, byte)
            #expect(isNear([.delayLeftSecondTime: heard[.delayLeftSecondTime] ?? 0], [.delayLeftSecondTime: milliseconds]))
        }
        _ = gs(0x52, 0x5A)
        #expect(isNear(gs(0x53, 12), [.delayLeftTime: 100]) && isNear(gs(0x54, 120), [.delayRightTime: 1_000]))
        #expect(isNear(gs(0x55, 64), [.delaySecondLevel: 0.504]) && isNear(gs(0x56, 127), [.delayLeftLevel: 1]))
        #expect(isNear(gs(0x57, 0), [.delayRightLevel: 0]) && isNear(gs(0x58, 32), [.delayLevel: 0.5]))
        #expect(isNear(gs(0x59, 64), [.delayLeftFeedback: 0, .delayRightFeedback: 0]))
        #expect(isNear(gs(0x59, 0), [.delayLeftFeedback: -0.977, .delayRightFeedback: -0.977]))
        #expect(isNear(gs(0x5A, 127), [.delayToReverb: 1]) && isNear(gs(0x51, 1), [.delayHighCut: 5_040]))
        let panning = gs(0x50, 4)
        #expect(panning[.delayLeftTime] == 250 && panning[.delayRightTime] == 500 && panning[.delaySecondLevel] == 0)
        #expect(gs(0x50, 10).isEmpty)
    }

    @Test mutating func equalizersOfGSAndXGAreFilters() {
        func eq(_ bytes: [UInt8], _ interpreter: inout SystemExclusive) -> [EffectParameter: Float] {
            var found: [EffectParameter: Float] = [:]
            for case .effect(let value, let parameter, 0) in interpreter.events(from: bytes, port: 0) { found[parameter] = value }
            return found
        }
        func gs(_ low: UInt8, _ value: UInt8) -> [EffectParameter: Float] {
            eq([0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0x02, low, value, 0, 0xF7], &interpreter)
        }
        func xg(_ low: UInt8, _ value: UInt8) -> [EffectParameter: Float] {
            eq([0xF0, 0x43, 0x10, 0x4C, 0x02, 0x40, low, value, 0xF7], &interpreter)
        }
        #expect(gs(0, 1)[.lowFrequency] == 400 && gs(2, 0)[.highFrequency] == 3_000 && gs(2, 2).isEmpty)
        #expect(isNear(gs(1, 70), [.lowGain: 1.9953, .lowShape: 0]) && isNear(gs(3, 0), [.highGain: 0.2512, .highShape: 0]))
        #expect(isNear(xg(0x01, 70), [.lowGain: 1.9953]) && isNear(xg(0x12, 52), [.highFrequency: 8_000]))
        #expect(isNear(xg(0x0B, 120), [.middleQuality: 12]) && xg(0x14, 1) == [.highShape: 1] && xg(0x08, 5).isEmpty)
        #expect(isNear(xg(0x06, 0), [.lowMiddleFrequency: 100]) && xg(0x04, 1) == [.lowShape: 1])
        let rock = xg(0x00, 3)
        #expect(rock.count == 17 && rock[.highMiddleFrequency] == 2_200 && rock[.highMiddleQuality] == 1)
        #expect(xg(0x00, 0).filter { $0.key == .lowGain || $0.key == .highGain }.values.allSatisfy { $0 == 1 })
        #expect(xg(0x00, 5).isEmpty)
    }

    @Test mutating func masterPanAndAttenuator() {
        func said(_ bytes: [UInt8], _ interpreter: inout SystemExclusive) -> [MusicEvent] {
            interpreter.events(from: bytes, port: 0)
        }
        for (byte, balance) in [(0, -1), (1, -1), (64, 0), (127, 1)] as [(UInt8, Float)] {
            let pan: [UInt8] = [0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0, 6, byte, 0, 0xF7]
            #expect(said(pan, &interpreter) == [.masterBalance(balance, port: 0)])
        }
        #expect(said([0xF0, 0x43, 0x10, 0x4C, 0, 0, 4, 127, 0xF7], &interpreter) == [.masterVolume(1, port: 0)])
        guard case .masterVolume(let half, 0)? = said([0xF0, 0x43, 0x10, 0x4C, 0, 0, 5, 64, 0xF7], &interpreter).first else {
            Issue.record("the attenuator says nothing")
            return
        }
        #expect(abs(half - 0.2461) < 1e-4)
        #expect(said([0xF0, 0x43, 0x10, 0x4C, 0, 0, 5, 127, 0xF7], &interpreter) == [.masterVolume(0, port: 0)])
    }

    @Test mutating func gsSetsParametersOneByOneAndSideBySide() {
        #expect(isNear(gs(0x33, 32), [.reverbLevel: 0.5]) && isNear(gs(0x37, 40), [.reverbPreDelay: 40]))
        #expect(isNear(gs(0x3A, 96), [.chorusLevel: 1.5]) && isNear(gs(0x3D, 9), [.chorusRate: 1.098]))
        #expect(
            isNear(
                gs(0x3A, 0, 64, 80, 3, 19, 127),
                [
                    .chorusLevel: 0, .chorusFeedback: 0.488, .chorusDelay: 1.1249, .chorusRate: 0.366, .chorusDepth: 6.25,
                    .chorusToReverb: 1,
                ]))
        #expect(gs(0x38, 7)[.chorusDepth] == 0 && isNear(gs(0x32, 3), [.reverbHighCut: 2_000]))
        #expect(isNear(gs(0x3C, 80), [.chorusDelay: 1.1249]) && isNear(gs(0x40, 127), [.chorusToDelay: 1]))
        #expect(isNear(gs(0x39, 7), [.chorusHighCut: 315]) && isNear(gs(0x39, 0), [.chorusHighCut: 20_000]))
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
        #expect(isNear(xg(0x04, 127), [.reverbPreDelay: 200]) && isNear(xg(0x04, 16), [.reverbPreDelay: 25.3]))
        #expect(isNear(xg(0x05, 0), [.reverbLowCut: 10]) && isNear(xg(0x05, 12), [.reverbLowCut: 80]))
        #expect(isNear(xg(0x06, 60), [.reverbHighCut: 20_000]) && isNear(xg(0x06, 34), [.reverbHighCut: 1_000]))
        // A phaser's parameters are no chorus's.
        #expect(xg(0x20, 0x48, 0).isEmpty && xg(0x22, 9).isEmpty)
    }

    @Test mutating func everyParameterHasAMessageThatSaysIt() {
        for parameter in EffectParameter.allCases.prefix(12) where parameter != .chorusDelay {
            for byte in [UInt8(0), 1, 64, 127] {
                let value = parameter.value(of: byte)
                #expect(meaning(parameter.message(value) ?? [])[parameter] == value)
            }
            #expect(meaning(parameter.message(EffectParameter.asSet) ?? [])[parameter] == parameter.initialValue)
        }
        #expect(EffectParameter.chorusDelay.message(1) == nil)
    }
}
