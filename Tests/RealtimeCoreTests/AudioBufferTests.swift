import RealtimeCore
import Testing

@Suite struct AudioBufferTests {
    @Test(arguments: [(0, 1), (1, 1), (2, 17), (5, 4096)]) func aBufferIsAlignedSilence(_ channels: Int, _ capacity: Int) {
        let buffer = AudioBuffer(channels: channels, capacity: capacity)
        for channel in 0..<channels {
            #expect(UInt(bitPattern: buffer.channels[channel]) % 64 == 0)
            #expect(buffer[channel: channel].count == capacity)
            #expect(buffer[channel: channel].allSatisfy { $0 == 0 })
        }
    }

    @Test func channelsDoNotOverlap() {
        let buffer = AudioBuffer(channels: 3, capacity: 33)
        for channel in 0..<3 { for i in 0..<33 { buffer.channels[channel][i] = Float(channel) } }
        for channel in 0..<3 { #expect(buffer[channel: channel].allSatisfy { $0 == Float(channel) }) }
    }
}

@Suite struct SampleTimeTests {
    @Test func momentsDifferByFrames() {
        let start = SampleTime(1 << 40)
        #expect(start + 480 - start == 480)
        #expect(start < start + 1)
        #expect(SampleTime.zero.rawValue == 0)
    }
}
