import Synchronization

/// Reports events to listeners: in the order in which they happened, by one thread at a time, and without any lock, so that a
/// listener may make further calls.
final class Listeners<Event: Sendable>: Sendable {
    private struct State {
        var news: [Event] = []
        var isTelling = false
        var streams: [Int: AsyncStream<Event>.Continuation] = [:]
        var count = 0
        var isEnding = false
        var call: (@Sendable (Event) -> Void)?
    }

    private let state = Mutex(State())

    deinit { for stream in state.withLock({ $0.streams.values }) { stream.finish() } }

    /// Notes an event; any lock may be held.
    package func post(_ event: Event) { state.withLock { $0.news.append(event) } }

    var hasListeners: Bool { state.withLock { !$0.streams.isEmpty || $0.call != nil } }

    /// Called with everything from now on.
    func call(_ body: (@Sendable (Event) -> Void)?) { state.withLock { $0.call = body } }

    /// A stream of everything from now on, of which the newest `limit` wait.
    func makeStream(limit: Int) -> AsyncStream<Event> {
        let (stream, continuation) = AsyncStream<Event>.makeStream(bufferingPolicy: .bufferingNewest(limit))
        let number = state.withLock { state -> Int? in
            // After the end there is nothing to come.
            if state.isEnding && state.news.isEmpty && !state.isTelling { return nil }
            state.count += 1
            state.streams[state.count] = continuation
            return state.count
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.streams[number] = nil } }
        return stream
    }

    /// Reports the events that were noted, and those that other threads note meanwhile; no lock may be held. `also` gets each
    /// event first.
    func tell(also: (Event) -> Void = { _ in }) {
        var isFirst = true
        while true {
            let next = state.withLock { state -> Event? in
                if isFirst && state.isTelling { return nil }
                state.isTelling = !state.news.isEmpty
                return state.news.isEmpty ? nil : state.news.removeFirst()
            }
            guard let next else { return finish() }
            isFirst = false
            let (streams, call) = state.withLock { ($0.streams.values, $0.call) }
            for stream in streams { stream.yield(next) }
            call?(next)
            also(next)
        }
    }

    /// Ends the streams as soon as all events have been reported; any lock may be held.
    package func end() { state.withLock { $0.isEnding = true } }

    private func finish() {
        let streams = state.withLock { state in
            guard state.isEnding, state.news.isEmpty, !state.isTelling else { return [AsyncStream<Event>.Continuation]() }
            defer { state.streams = [:] }
            return Array(state.streams.values)
        }
        for stream in streams { stream.finish() }
    }
}
