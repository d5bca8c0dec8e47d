import Glibc
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

@Suite struct AudioBufferBoundTests {
    /// Each channel stands for itself: with Swift 6.2 the body of such a test captures nothing.
    @Test func aChannelThatIsNotThereEndsTheProcess() async {
        await #expect(processExitsWith: .signal(SIGILL)) { read(2) }
        await #expect(processExitsWith: .signal(SIGILL)) { read(200) }
        await #expect(processExitsWith: .signal(SIGILL)) { read(-1) }
        await #expect(processExitsWith: .signal(SIGILL)) { read(.max) }
        await #expect(processExitsWith: .signal(SIGILL)) { write(2) }
        await #expect(processExitsWith: .signal(SIGILL)) { write(200) }
        await #expect(processExitsWith: .signal(SIGILL)) { write(-1) }
        await #expect(processExitsWith: .signal(SIGILL)) { write(.max) }
    }

    @Test func theChannelsThatAreThereCanBeReadAndWritten() {
        let buffer = AudioBuffer(channels: 2, capacity: 4)
        buffer.samples(of: 1)[3] = 0.5
        #expect(Array(buffer[channel: 0]) == [0, 0, 0, 0] && Array(buffer[channel: 1]) == [0, 0, 0, 0.5])
        #expect(buffer.planes.count == 2 && buffer.planes[1][3] == 0.5)
        #expect(AudioBuffer(channels: 0, capacity: 1).planes.isEmpty)
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

private func read(_ channel: Int) { _ = AudioBuffer(channels: 2, capacity: 512)[channel: channel].count }
private func write(_ channel: Int) { AudioBuffer(channels: 2, capacity: 512).samples(of: channel)[0] = 1 }
