import MIDI
import RealtimeCore
import Sequencer
import Testing

/// Parts that play another preset than their song asks for.
@Suite struct ChosenProgramTests {
    private func message(_ tick: Int64, _ status: UInt8, _ data1: UInt8, _ data2: UInt8 = 0) -> SongEvent {
        SongEvent(tick: tick, .message(MIDIMessage(status: status, data1: data1, data2: data2)))
    }

    /// Notes of one channel, each behind a bank, a program and what is given; the last behind a reset.
    private func song(channel: UInt8, _ more: [SongEvent] = [], reset: [UInt8] = []) -> Song {
        var events: [SongEvent] = []
        for note in Int64(0)..<4 {
            if note == 3, !reset.isEmpty { events.append(SongEvent(tick: note * 480, .systemExclusive(reset))) }
            events += [
                message(note * 480, 0xB0 | channel, 0, UInt8(note)), message(note * 480, 0xB0 | channel, 32, 3),
                message(note * 480, 0xC0 | channel, UInt8(10 + note)),
            ]
            events += more.filter { $0.tick == note * 480 }
            events += [
                message(note * 480 + 1, 0x90 | channel, 60, 100), message(note * 480 + 300, 0x80 | channel, 60),
            ]
        }
        return Song(tracks: [Track(events: events, endTick: 2_000)])
    }

    /// The presets that the notes of a timeline ask for.
    private func requests(_ timeline: Timeline) -> [PresetRequest] {
        var programs = ChannelPrograms(), found: [PresetRequest] = []
        for timed in timeline.events {
            if case .message(let message) = timed.event, message.beginsNote {
                found.append(programs.request(Int(message.channel)))
            }
            _ = programs.apply(timed.event)
        }
        return found
    }

    private static let resets: [[UInt8]] = [
        [], [0xF0, 0x7E, 0x7F, 9, 1, 0xF7], [0xF0, 0x7E, 0x7F, 9, 3, 0xF7], [0xF0, 0x7E, 0x7F, 9, 2, 0xF7],
        [0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0x00, 0x7F, 0x00, 0x41, 0xF7], [0xF0, 0x43, 0x10, 0x4C, 0, 0, 0x7E, 0, 0xF7],
    ]

    @Test(arguments: resets) func aPresetIsPlayedThroughoutWhateverTheStandard(_ reset: [UInt8]) throws {
        let isGeneralMIDI = reset == Self.resets[1]
        for channel in [UInt8(0), 9] {
            for wanted in [
                PresetRequest(bank: 0, program: 40), PresetRequest(bank: 8, program: 5), PresetRequest(kit: 16),
            ] {
                let timeline = try Timeline(
                    song(channel: channel, reset: reset), sampleRate: 48_000, programs: [Int(channel): wanted])
                let found = requests(timeline), isLost = isGeneralMIDI && wanted.bank == 8
                #expect(found.prefix(3) == [wanted, wanted, wanted], "\(reset)")
                #expect(found[3] == (isLost ? PresetRequest(bank: 0, program: 5) : wanted), "\(reset)")
                #expect(timeline.partsWithoutBank == (isLost ? [Int(channel)] : []))
                // What the report tells is what plays.
                #expect(timeline.summary.parts.count == 1)
                #expect(timeline.summary.parts[0].presets.allSatisfy { $0.program == UInt8(wanted.program) })
            }
        }
    }

    @Test func aSongDoesNotMakeItDrums() throws {
        // GS, use for rhythm part: block 1 is the first channel.
        let rhythm = SongEvent(tick: 480, .systemExclusive([0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0x11, 0x15, 1, 0x19, 0xF7]))
        let song = song(channel: 0, [rhythm]), wanted = PresetRequest(bank: 0, program: 40)
        #expect(requests(try Timeline(song, sampleRate: 48_000)).filter(\.isDrums).count == 3)
        #expect(requests(try Timeline(song, sampleRate: 48_000, programs: [0: wanted])) == [wanted, wanted, wanted, wanted])
    }

    @Test func othersAndTheirTimesStay() throws {
        let song = song(channel: 3), plain = try Timeline(song, sampleRate: 44_100)
        let unused = try Timeline(song, sampleRate: 44_100, programs: [0: PresetRequest(kit: 3), 500: PresetRequest(kit: 4)])
        #expect(unused.events == plain.events && unused.summary == plain.summary)
        let chosen = try Timeline(song, sampleRate: 44_100, programs: [3: PresetRequest(bank: 0, program: 1)])
        func notes(_ timeline: Timeline) -> [TimedMusicEvent] {
            timeline.events.filter { if case .message(let message) = $0.event { message.isNote } else { false } }
        }
        #expect(notes(chosen) == notes(plain) && chosen.summary.end == plain.summary.end)
    }
}

extension MIDIMessage {
    fileprivate var isNote: Bool { kind == .noteOn || kind == .noteOff }
}
