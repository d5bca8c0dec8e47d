import Glibc
import MIDI
import RealtimeCore
import Synchronization
import UnitAPI

// A unit as somebody outside writes it: careful as it stands, careless in one way with each of the flags. The compiler
// must accept the first and refuse the others.

public struct CarelessUnit: AudioUnit, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "care", manufacturer: "Test"), name: "careless",
        summary: "Halves the level.", inputs: [.init("main")], outputs: [.init("main")])

    private var scratch: [Float] = []
    private let lock = Mutex<Float>(0)

    public init(_ setup: UnitSetup) {}

    // [render]

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        for channel in 0..<2 {
            let input = io.input(0, channel), output = io.output(0, channel)
            for i in 0..<io.frames { output[i] = input[i] * 0.5 }
        }
        #if GROWS
            scratch.append(1)
        #elseif ALLOCATES
            let noise = UnsafeMutablePointer<Float>.allocate(capacity: io.frames)
            noise.deallocate()
        #elseif COLLECTS
            var list: [Float] = []
            list.append(io.input(0, 0)[0])
        #elseif LOCKS
            lock.withLock { $0 += 1 }
        #elseif PRINTS
            print(io.frames)
        #elseif CALLS_C
            usleep(1)
        #endif
        return .sounding
    }

    @_noLocks public mutating func reset() {}
}
