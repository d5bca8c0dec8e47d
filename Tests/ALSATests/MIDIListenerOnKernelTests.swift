import CRealtime
import Glibc
import RemoteIO
import Testing

@testable import ALSA

/// What a monitor hears, on a real kernel.
@Suite(.serialized, .enabled(if: RealKernel.isPresent)) struct MIDIListenerOnKernelTests {
    private func wait(_ listener: MIDIListener, until condition: (MIDIListener) -> Bool) -> Bool {
        for _ in 0..<2_000 {
            if condition(listener) { return true }
            usleep(1_000)
        }
        return condition(listener)
    }

    @Test func aPortIsHeardByItsNameFromItsComingToItsGoing() throws {
        let listener = try MIDIListener(name: "Listener", rules: [.name("*Listened*")])
        defer { listener.close() }
        #expect(listener.look().isEmpty && !listener.isConnected)
        let other = try VirtualKeyboard("Other keyboard")
        var keyboard: VirtualKeyboard? = try VirtualKeyboard("Listened keyboard")
        var sentences: [String] = [], heard: [MIDIListener.Heard] = []
        #expect(
            wait(listener) { listener in
                sentences += listener.look()
                return listener.isConnected
            })
        #expect(sentences.count == 1 && sentences[0].hasPrefix("listening to ") && sentences[0].hasSuffix("Listened keyboard"))
        let before = rt_monotonic_nanoseconds()
        _ = other.play(.noteOn, 40, 100)
        _ = keyboard?.play(.noteOn, 60, 100)
        #expect(
            wait(listener) { listener in
                heard += listener.take().heard
                return !heard.isEmpty
            })
        #expect(heard.map(\.bytes) == [[0x90, 60, 100]] && heard[0].port.hasSuffix("Listened keyboard"))
        #expect(heard[0].nanoseconds >= before - 2_000_000)
        keyboard = nil
        #expect(
            wait(listener) { listener in
                sentences += listener.look()
                return !listener.isConnected
            })
        #expect(sentences.count == 2 && sentences[1].hasSuffix("Listened keyboard has gone"))
    }
}
