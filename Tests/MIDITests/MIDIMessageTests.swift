import MIDI
import Testing

struct MIDIMessageTests {
    @Test func everyStatusAndDataByteMeansWhatTheSpecificationSays() {
        for status in UInt8(0x80)..<0xF0 {
            for first in UInt8(0)..<128 {
                for second in [0, 1, 64, 127] as [UInt8] {
                    let message = MIDIMessage(status: status, data1: first, data2: second)
                    #expect(message.beginsNote == (message.kind == .noteOn && second > 0))
                    #expect(message.endsNote == (message.kind == .noteOff || message.kind == .noteOn && second == 0))
                    let silences: [Controller] = [.allSoundOff, .allNotesOff, .omniOff, .omniOn, .mono, .poly]
                    let isSilence = message.kind == .controlChange && silences.contains { $0.rawValue == first }
                    #expect(message.silencesPart == isSilence)
                    #expect(MusicEvent.message(message).beginsNote == message.beginsNote)
                }
            }
        }
        #expect(!MusicEvent.reset(.gs, port: 0).beginsNote)
    }

    @Test func aMessageToAPartGoesToItsPortAndChannel() {
        for part in 0..<256 {
            let message = MIDIMessage(part: part, 0x90, 60, 100)
            #expect(message.part == part && message.kind == .noteOn && message.data1 == 60 && message.data2 == 100)
        }
    }
}
