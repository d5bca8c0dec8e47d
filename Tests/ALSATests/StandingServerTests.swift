import CRealtime
import CarillonTestKit
import Glibc
import Graphs
import RealtimeCore
import RemoteIO
import Synchronization
import Testing

@testable import ALSA

/// A system of sound servers whose calls return when the test lets them.
final class StandingSystem: PullSystem {
    /// What a call of the library waits behind: shut, it never returns.
    final class Door: Sendable {
        private let event = rt_event_make()
        let entered = Atomic<Int>(0)
        init(isOpen: Bool) { if isOpen { open() } }
        deinit { rt_event_close(event) }
        func open() { rt_event_signal(event) }
        func shut() { rt_event_clear(event) }
        func pass() {
            entered.add(1, ordering: .relaxed)
            while !rt_event_wait(event, .max) {}
        }
    }

    /// A device that asks for no sound by itself.
    final class Device: PulledDevice {
        let grant: DeviceGrant
        var threadPriority: ThreadPriority? { nil }
        private let system: StandingSystem
        init(_ grant: DeviceGrant, _ system: StandingSystem) { (self.grant, self.system) = (grant, system) }
        func close() {
            system.closing.pass()
            system.closed.add(1, ordering: .relaxed)
        }
    }

    let opening: Door, closing: Door
    let closed = Atomic<Int>(0)
    private let last = Mutex<UInt>(0)

    init(opens: Bool = true, closes: Bool = true) { (opening, closing) = (Door(isOpen: opens), Door(isOpen: closes)) }

    /// The gate of the device that was opened last.
    var gate: UnsafeMutablePointer<PullGate>? { last.withLock { UnsafeMutablePointer(bitPattern: $0) } }

    func claims(_ name: String) -> Bool { name.hasPrefix("server") }
    func isThere(_ name: String, _ request: DeviceRequest) -> Bool {
        opening.pass()
        return true
    }
    func open(
        _ name: String, _ request: DeviceRequest, _ gate: UnsafeMutablePointer<PullGate>
    ) throws(DeviceError) -> any PulledDevice {
        opening.pass()
        last.withLock { $0 = UInt(bitPattern: gate) }
        return Device(
            DeviceGrant(
                request: request, device: name, sampleRate: request.sampleRate, periodFrames: 256, bufferFrames: 512,
                format: .float32, channels: 2), self)
    }

    /// A cycle, as the server's thread would ask for it; the sum of what was heard.
    func pull() -> Float {
        let buffer = AudioBuffer(channels: 2, capacity: 256)
        for channel in 0..<2 { buffer.channels[channel].update(repeating: 1, count: 256) }
        var outputs = (0..<2).map { Optional(buffer.channels[$0]) }
        outputs.withUnsafeMutableBufferPointer { outputs in
            gate?.pointee.pull(
                rt_cycle(
                    frames: 256, position: 0, time: 1, is_freewheeling: false, is_deaf: false, input_slips: 0,
                    output_count: 2, input_count: 0, outputs: UnsafePointer(outputs.baseAddress!),
                    inputs: UnsafePointer(outputs.baseAddress!)))
        }
        return buffer[channel: 0].reduce(0, +)
    }
}

/// What waits for a sound server whose library never returns: nobody.
@Suite struct StandingServerTests {
    /// Nobody waits a moment.
    private static let impatient = ServerTerms(start: 60_000_000_000, opening: 0, stop: 0)

    private static func thread(
        _ devices: [String], _ system: StandingSystem, _ terms: ServerTerms = impatient
    ) throws -> AudioThread {
        try AudioThread(
            renderer: Renderer(), request: DeviceRequest(devices: devices, periodFrames: 256), capture: nil, input: nil,
            systems: [system], terms: terms)
    }

    /// Lets the thread run, and ends it.
    private static func running(_ thread: AudioThread, _ body: () throws -> Void) throws {
        let running = try PlainThread { thread.run() }
        defer {
            thread.requestStop()
            running.join()
        }
        try body()
    }

    @Test func aDeviceThatNeverClosesEndsAllTheSame() throws {
        let system = StandingSystem(closes: false)
        do {
            let thread = try Self.thread(["server"], system)
            try Self.running(thread) {
                #expect(eventually { thread.view.status.value.phase == .running })
            }
        }
        #expect(eventually { system.closing.entered.load(ordering: .relaxed) == 1 })
        #expect(system.closed.load(ordering: .relaxed) == 0)
        // Its thread goes on calling: it hears silence, and reaches nothing that is gone.
        #expect(system.pull() == 0)
        system.gate?.pointee.lose(ENODEV)
        system.closing.open()
        #expect(eventually { system.closed.load(ordering: .relaxed) == 1 })
    }

    @Test func aLostDeviceThatNeverClosesLeavesTimeGoingAndIsOpenedWhenItHas() throws {
        let system = StandingSystem(closes: false), thread = try Self.thread(["server"], system)
        try Self.running(thread) {
            try #require(eventually { thread.view.status.value.phase == .running })
            system.gate?.pointee.lose(ENODEV)
            #expect(eventually { thread.notes.withLock { $0.error } == .unresponsive(device: "server") })
            let then = thread.view.status.value.sampleTime
            #expect(eventually { thread.view.status.value.sampleTime - then > 4800 })
            #expect(system.opening.entered.load(ordering: .relaxed) == 1, "one thread for a device, whatever becomes of it")
            system.closing.open()
            #expect(eventually { thread.view.status.value.phase == .running })
            #expect(thread.view.status.value.counts.returns > 0 && thread.notes.withLock { $0.error } == nil)
        }
    }

    @Test func anotherOfTheListPlaysWhereOneNeverOpens() throws {
        let system = StandingSystem(closes: false), thread = try Self.thread(["server", "server 2"], system)
        try Self.running(thread) {
            try #require(eventually { thread.view.status.value.phase == .running })
            system.gate?.pointee.lose(ENODEV)
            #expect(eventually { thread.view.status.value.phase == .running && thread.view.status.value.device == 1 })
            #expect(thread.notes.withLock { $0.grant.device } == "server 2")
        }
        system.closing.open()
    }

    @Test func whoStartsIsRefusedWhereTheServerDoesNotAnswerAndWhatOpensLateIsClosed() throws {
        let system = StandingSystem(opens: false)
        #expect(throws: DeviceError.unresponsive(device: "server")) {
            _ = try Self.thread(["server"], system, ServerTerms(start: 0, opening: 0, stop: 0))
        }
        system.opening.open()
        #expect(eventually { system.closed.load(ordering: .relaxed) == 1 })
    }

    /// A driver or a plug-in of ALSA's that does not return from opening: time goes on, and whoever ends is not kept.
    @Test func aCardThatNeverOpensKeepsNobody() throws {
        let door = StandingSystem.Door(isOpen: false)
        var request = DeviceRequest(devices: ["hw:Standing"], periodFrames: 256, startsWithoutDevice: true)
        let open: AudioThread.CardOpening = { (name, _, _) throws(DeviceError) in
            door.pass()
            throw .busy(device: name, owner: nil)
        }
        var terms = Self.impatient
        terms.card = 0
        let thread = try AudioThread(
            renderer: Renderer(), request: request, capture: nil, input: nil, terms: terms, openCard: open)
        #expect(thread.notes.withLock { $0.error } == .unresponsive(device: "hw:Standing"))
        try Self.running(thread) {
            #expect(eventually { thread.view.status.value.sampleTime.rawValue > 4800 })
            #expect(door.entered.load(ordering: .relaxed) == 1, "one thread for a device, whatever becomes of it")
            door.open()
            #expect(eventually { thread.notes.withLock { $0.error } == .busy(device: "hw:Standing", owner: nil) })
        }
        // Whoever needs a device is told.
        request.startsWithoutDevice = false
        door.shut()
        #expect(throws: DeviceError.unresponsive(device: "hw:Standing")) {
            _ = try AudioThread(
                renderer: Renderer(), request: request, capture: nil, input: nil, terms: terms, openCard: open)
        }
        door.open()
    }

    @Test func threadsThatStandAreNotMadeWithoutEnd() throws {
        let system = StandingSystem(closes: false)
        var terms = Self.impatient
        terms.room = ServerTerms.Room(3)
        for _ in 0..<3 { _ = try Self.thread(["server"], system, terms) }
        #expect(throws: DeviceError.unresponsive(device: "server")) { _ = try Self.thread(["server"], system, terms) }
        system.closing.open()
        #expect(eventually { system.closed.load(ordering: .relaxed) == 3 })
        // Those have ended, or are about to.
        #expect(
            eventually {
                do {
                    _ = try Self.thread(["server"], system, terms)
                    return true
                } catch { return false }
            })
    }

    @Test func whoLooksForABetterDeviceEndsThoughAServerDoesNotAnswer() throws {
        let system = StandingSystem()
        let thread = try Self.thread(["server", "server 2"], system)
        var status = DeviceStatus()
        (status.phase, status.device) = (.running, 1)
        thread.view.status.publish(status)
        let watch = try DeviceWatch(thread)
        system.opening.shut()
        watch.requestStop()
        watch.look(at: 0)
        #expect(DeviceWatchTests.offer(thread) == -1)
        system.opening.open()
    }
}
