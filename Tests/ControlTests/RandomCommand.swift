import Carillon
import MIDI
import Sequencer

/// Commands by chance, the same ones for the same seed.
struct RandomCommand {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next(_ limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % limit
    }

    mutating func whole(_ range: ClosedRange<Int>) -> Int { range.lowerBound + next(range.count) }

    mutating func number(_ range: ClosedRange<Double>) -> Double {
        switch next(4) {
        case 0: range.lowerBound
        case 1: range.upperBound
        case 2: min(max(Double(next(1000)) / 8, range.lowerBound), range.upperBound)
        default: range.lowerBound + (range.upperBound - range.lowerBound) * Double(next(1 << 30)) / Double(1 << 30)
        }
    }

    /// Names that are like words of the grammar, hold blanks, quotes, numbers, line ends, letters of all kinds.
    mutating func text() -> String {
        let parts = [
            "organ", "next", "off", "all", " ", "\"", "\\", "\n", "\r\n", "\t", "3", "-", "+1", ".5", "ü", "鐘", "🔔", "=", "a.b",
            "#",
            "'", "bar", "\u{85}", "\u{2028}", "e\u{301}",
        ]
        return (0...next(4)).map { _ in parts[next(parts.count)] }.joined()
    }

    mutating func meter() -> Meter { Meter(beats: UInt8(whole(1...32)), unit: UInt8(whole(0...4))) }

    mutating func command() -> ControlCommand {
        let flag = next(2) == 0, channel = whole(1...256)
        return switch next(87) {
        case 0: .play
        case 1: .pause
        case 2: .togglePlay
        case 3: .stop
        case 4: .next
        case 5: .previous
        case 6: .seek(.seconds(number(0...31_622_400)))
        case 7: .seek(.bySeconds(number(-3000...3000)))
        case 8: .seek(.bar(whole(1...1_000_000)))
        case 9: .seek(.byBars(whole(-1000...1000)))
        case 10: .seek(.byMarkers(whole(-100...100)))
        case 11: .tempo(flag ? number(0.1...10) : number(20...400))
        case 12: .transpose(whole(-48...48))
        case 13: Verb.loop(flag)
        case 14: .mute(channel: channel, flag)
        case 15: .solo(channel: channel, flag)
        case 16: .panic(.all)
        case 17: .panic(.channel(channel))
        case 18: .panic(.unit(text()))
        case 19: .panic(.source(text()))
        case 20: .set("reverb\(text())=\(text())")
        case 21: .volume(number(-120...40))
        case 22: .program(channel: channel, bank: whole(0...128), program: whole(0...127))
        case 23: .transposeKeys(whole(-48...48))
        case 24: .note(channel: channel, key: whole(0...127), velocity: whole(1...127), seconds: nil)
        case 25: .note(channel: channel, key: whole(0...127), velocity: whole(1...127), seconds: number(0.001...3600))
        case 26: .releaseNotes
        case 27: .metronome(flag, tempo: nil)
        case 28: .metronome(flag, tempo: number(20...400), meter: meter(), countIn: whole(0...4))
        case 29: .scene(.named(text()))
        case 30: .scene(.next)
        case 31: .scene(.previous)
        case 32: .learn(text())
        case 33: .learn(nil)
        case 34: .forget(text())
        case 35: .patch(.next)
        case 36: .patch(.previous)
        case 37: .patch(.number(whole(1...1000)))
        case 38: .patch(.named(text()))
        case 39: flag ? .savePatch(path: nil) : .savePatch(path: text())
        case 40: .cue(text())
        case 41: .releaseCue(text())
        case 42: .pressKey(channel: channel, key: whole(0...127), velocity: whole(1...127))
        case 43: .liftKey(channel: channel, key: whole(0...127))
        case 44: .layer(text(), flag)
        case 45: .preset(unit: text(), name: text())
        case 46: .savePreset(unit: text(), name: text(), replaces: flag)
        case 47: .hardwareVolume(.decibels(number(-120...40)))
        case 48: .hardwareVolume(.percent(number(0...100)))
        case 49: .hardwareVolume(.mute(flag))
        case 50: .openInstallation(until: flag ? text() : nil)
        case 51: .closeInstallation(until: flag ? text() : nil)
        case 52: .quieter(number(0...60), until: flag ? text() : nil)
        case 53: .playList(text(), until: flag ? text() : nil)
        case 54: .asPlanned
        case 55: .playSong(text())
        case 56: .queueSong(text())
        case 57: .queueFirst(text())
        case 58: .unqueueSong(text())
        case 59: .clearQueue
        case 60: .controller(channel: channel, whole(0...127), value: whole(0...127))
        case 61: .bend(channel: channel, by: number(-1...1))
        case 62: .pressure(channel: channel, value: whole(0...127))
        case 63: .pedal(channel: channel, ControlCommand.Pedal.allCases[next(3)], flag)
        case 64: .program(channel: channel, named: text())
        case 65: .tap
        case 66: .repeats(SessionSnapshot.Repetition.allCases[next(3)])
        case 67: .setPassage
        case 68: .clearPassage
        case 69: .next(at: TransportBoundary.allCases[next(3)])
        case 70: .nextScene(at: TransportBoundary.allCases[next(3)])
        case 71: .fade(to: number(-120...40), over: number(0...600))
        case 72: .metronome(flag, tempo: nil, meter: meter())
        case 73: .metronome(flag, tempo: nil, countIn: whole(0...4))
        case 74: .metronome(flag, tempo: number(20...400), countIn: whole(0...4))
        case 75: .nextPatch(at: TransportBoundary.allCases[next(3)])
        case 76: .learn(request: next(4) == 0 ? .turn(flag ? .volume : .tempo) : .request(command()))
        case 77: .forget(request: .request(command()))
        case 78: .tuning(text(), map: flag ? text() : nil)
        case 79: .lock(flag)
        case 80: .looper(Session.LoopAction.allCases[next(17)], track: flag ? nil : whole(1...8))
        case 81: .looperMultiply(whole(1...64), track: flag ? nil : whole(1...8))
        case 82: .looperBeats(whole(1...512))
        case 83: .looper(level: number(-60...12), track: whole(1...8))
        case 84: .looper(pan: number(-100...100), track: whole(1...8))
        case 85: .looper(feedback: number(0...100), track: whole(1...8))
        default: flag ? .saveRecording(path: text(), [nil, .keys, .notes][next(3)]) : .quit
        }
    }
}
