import CRealtime
import Glibc
import RemoteIO
import Reports
import Synchronization

@testable import ALSA

/// A sound card with one volume control of ten steps of 3 dB, which can be pulled out and put back.
final class FakeCard: Sendable {
    struct State {
        var isThere = true
        /// How often it was pulled out: what was opened before is dead.
        var pulls = 0
        var step = 10, isMuted = false
        /// Those who have it open, by the events that tell them of changes.
        var events: [Int32] = []
        var opened = 0
    }

    let state = Mutex(State())

    /// Opens it as a mixer is opened.
    func open() throws(Fault) -> any CardVolume {
        let pulls = state.withLock { state -> Int? in
            if !state.isThere { return nil }
            state.opened += 1
            return state.pulls
        }
        guard let pulls else { throw .noCard(device: "hw:Fake", Self.gone) }
        return FakeVolume(self, pulls)
    }

    static let gone = DeviceFault(function: "snd_mixer_attach", code: -ENODEV, text: "No such device")

    /// Pulls it out, or puts it back, turned to a step.
    func pull() {
        change {
            $0.isThere = false
            $0.pulls += 1
        }
    }
    func putBack(step: Int) {
        state.withLock { state in
            state.isThere = true
            state.step = step
        }
    }

    /// Somebody else turns it.
    func turn(to step: Int) { change { $0.step = step } }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            body(&state)
            // An event is taken off the list before it is closed.
            for event in state.events { rt_event_signal(event) }
        }
    }
}

/// The control of a fake card, open.
final class FakeVolume: CardVolume {
    let name = "Master", names = ["Master"]
    let steps = 0...10
    let decibels: ClosedRange<Int>? = -3000...0
    private let card: FakeCard
    private let pulls: Int
    private let event = rt_event_make()

    init(_ card: FakeCard, _ pulls: Int) {
        (self.card, self.pulls) = (card, pulls)
        card.state.withLock { [event] in $0.events.append(event) }
    }

    deinit {
        card.state.withLock { [event] state in state.events.removeAll { $0 == event } }
        rt_event_close(event)
    }

    var descriptors: [pollfd] { [pollfd(fd: event, events: Int16(POLLIN), revents: 0)] }

    private func ask<Answer: Sendable>(_ body: (inout FakeCard.State) -> Answer) throws(DeviceFault) -> Answer {
        let answer = card.state.withLock { [pulls] state in state.pulls == pulls ? body(&state) : nil }
        guard let answer else { throw FakeCard.gone }
        return answer
    }

    func takeChanges() throws(DeviceFault) {
        try ask { _ in }
        rt_event_clear(event)
    }
    func step() throws(DeviceFault) -> Int { try ask { $0.step } }
    func decibel() -> Int? { card.state.withLock { $0.step * 300 - 3000 } }
    func isMuted() throws(DeviceFault) -> Bool? { try ask { $0.isMuted } }
    func set(step: Int) throws(DeviceFault) { try ask { $0.step = step } }
    func set(decibel: Int) throws(DeviceFault) { try ask { $0.step = (decibel + 3000) / 300 } }
    func set(isMuted: Bool) throws(DeviceFault) { try ask { $0.isMuted = isMuted } }
}
