import CRealtime
import Glibc
import MIDI
import RemoteIO
import Synchronization
import Testing

@testable import ALSA

/// Ports that come and go one by one, on a real kernel.
@Suite(.serialized, .enabled(if: RealKernel.isPresent)) struct SequencerPortsOnKernelTests {
    private final class Heard: Sendable {
        let arrivals = Mutex<[SequencerPorts.Arrival]>([])
        let changes = Atomic(0)

        func wait(until condition: (Heard) -> Bool) -> Bool {
            for _ in 0..<2_000 {
                if condition(self) { return true }
                usleep(1_000)
            }
            return condition(self)
        }
    }

    private func open(_ heard: Heard) throws -> SequencerPorts {
        try SequencerPorts(
            name: "Ports", received: { arrival in heard.arrivals.withLock { $0.append(arrival) } },
            changed: { heard.changes.add(1, ordering: .relaxed) })
    }

    @Test func bytesComeFromAPortThatIsConnectedAndNoLonger() throws {
        let heard = Heard(), ports = try open(heard)
        defer { ports.close() }
        let input = try ports.addInput("in", isHidden: true)
        let keyboard = try VirtualKeyboard("Ports keyboard")
        #expect(heard.wait { $0.changes.load(ordering: .relaxed) > 0 })
        let port = try #require(ports.ports.first { $0.portName == "Ports keyboard" })
        #expect(port.isReadable && !ports.ports.contains { $0.portName == "in" })
        #expect(ports.connect(from: port.address, to: input) == nil)
        let before = rt_monotonic_nanoseconds(), exclusive = [0xF0] + [UInt8](repeating: 5, count: 400) + [0xF7]
        _ = keyboard.play(.noteOn, 60, 100)
        _ = keyboard.send(exclusive)
        #expect(heard.wait { $0.arrivals.withLock { $0.last?.bytes.last } == 0xF7 })
        let arrivals = heard.arrivals.withLock { $0 }
        #expect(arrivals[0].bytes == [0x90, 60, 100] && arrivals[0].source == port.address && arrivals[0].port == input)
        #expect(arrivals.dropFirst().flatMap(\.bytes) == exclusive)
        #expect(arrivals.allSatisfy { $0.nanoseconds >= before - 2_000_000 && $0.nanoseconds <= rt_monotonic_nanoseconds() })
        #expect(ports.disconnect(from: port.address, to: input) == nil)
        _ = keyboard.play(.noteOff, 60)
        usleep(20_000)
        #expect(heard.arrivals.withLock { $0.count } == arrivals.count)
    }

    @Test func messagesGoOutAtOnceAndAtTheirMoments() throws {
        let heard = Heard(), ports = try open(heard)
        defer { ports.close() }
        let output = try ports.addOutput("out", isHidden: true), synthesizer = try VirtualSynthesizer("Ports synthesizer")
        #expect(ports.connect(from: output, to: synthesizer.address) == nil)
        #expect(ports.send([0x90, 60, 100, 0x90, 64, 90], from: output, to: synthesizer.address) == nil)
        let now = rt_monotonic_nanoseconds()
        // The later one first.
        for (key, distance) in [(70, 90), (71, 40), (72, 65)] as [(UInt8, Int64)] {
            let moment = now + distance * 1_000_000
            #expect(ports.send([0x90, key, 100], from: output, to: synthesizer.address, at: moment) == nil)
        }
        #expect(ports.send([0x90, 99, 1], from: output, to: synthesizer.address, at: now + 60_000_000_000) == nil)
        #expect(synthesizer.wait { $0.notes.count == 5 })
        ports.withdraw(to: synthesizer.address)
        #expect(synthesizer.notes.map(\.message.data1) == [60, 64, 71, 72, 70])
        for (note, distance) in zip(synthesizer.notes.dropFirst(2), [40, 65, 90] as [Int64]) {
            print("\((note.nanoseconds - now - distance * 1_000_000) / 1_000) µs late")
            #expect(abs(note.nanoseconds - now - distance * 1_000_000) < 1_000_000)
        }
    }
}
