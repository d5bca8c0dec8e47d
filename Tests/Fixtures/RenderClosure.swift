import RealtimeCore
import UnitAPI

// A render callback as somebody outside writes it: what it captures is its own as it stands, and shared with the main thread
// with each of the flags. The compiler must accept the first and refuse the others.

@MainActor final class Recorder {
    var samples: [Float] = []

    func makeUnit(_ setup: UnitSetup) -> UnitInstance {
        #if SHARES_STATE
            samples.append(0)
            return .callback("recorder", setup: setup) { [self] io in
                samples.append(Float(io.frames))
                return .silent
            }
        #else
            var phase: Float = 0
            return .callback("tone", setup: setup) { io in
                phase += 0.01
                io.output(0, 0)[0] = phase
                return .sounding
            }
        #endif
    }
}

final class Counter { var count = 0 }

func makeCounter(_ setup: UnitSetup) -> (UnitInstance, Counter) {
    let counter = Counter()
    #if SHARES_OBJECT
        let unit = UnitInstance.callback("counter", setup: setup) { _ in
            counter.count += 1
            return .silent
        }
    #else
        let unit = UnitInstance.callback("counter", setup: setup) { _ in .silent }
    #endif
    counter.count += 1
    return (unit, counter)
}
