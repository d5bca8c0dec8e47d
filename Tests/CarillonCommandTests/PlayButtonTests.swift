import Carillon
import Testing

@testable import CarillonCommand

/// Buttons of a keyboard that steer songs.
@Suite struct PlayButtonTests {
    @Test func aButtonAsksForWhatItIsGiven() throws {
        let texts = ["controller-41=toggle", "key-C2=seek bar 3", "program-5=next", "key-C2=mute 3 on"]
        let buttons = try #require(PlayButtons(try texts.map(PlayButtons.read)))
        func hear(_ status: UInt8, _ data1: UInt8, _ data2: UInt8 = 0) {
            #expect(buttons.filter.events(for: .message(MIDIMessage(status: status, data1: data1, data2: data2))).isEmpty)
        }
        hear(0xB0, 41, 127)
        hear(0xB0, 41, 0)
        hear(0x93, 36, 80)
        hear(0x83, 36)
        hear(0xC0, 5)
        hear(0x90, 60, 80)
        #expect(buttons.due() == [.togglePlay, .seek(.bar(3)), .mute(channel: 3, true), .next])
        #expect(buttons.due().isEmpty && PlayButtons([]) == nil)
    }

    @Test(arguments: [
        "", "toggle", "controller=toggle", "controller-120=toggle", "key-H9=next", "key-C2=", "key-C2=jump", "pad-3=stop",
    ])
    func whatIsNoButtonIsRefused(_ text: String) { #expect(throws: (any Error).self) { try PlayButtons.read(text) } }
}
