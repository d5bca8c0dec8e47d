import CRealtime
import RemoteIO

/// The audio thread with a card of ALSA's: `DeviceThread` opens and closes it, since a driver or a plug-in may take its time, or
/// never return.
extension AudioThread {
    /// A wait for the card ends when the event is signalled.
    typealias CardOpening = @Sendable (String, DeviceRequest, Int32) throws(DeviceError) -> PCMStream

    static let openCard: CardOpening = { (name, request, stopEvent) throws(DeviceError) in
        try PCMStream(device: name, request: request, stopEvent: stopEvent)
    }

    /// Control side.
    func openFromCard(_ name: String) throws(DeviceError) {
        let thread = try attend(name)
        cards[name] = thread
        thread.waitUntilOpen(terms.card)
        switch thread.state {
        case .open(let stream): adopt(stream, of: thread)
        case .refused(let error):
            cards[name] = nil
            throw error
        case .opening, .closing, .over: throw .unresponsive(device: name)
        }
    }

    func reopenCard(_ name: String) -> DeviceEvent {
        if let thread = cards[name] {
            switch thread.state {
            case .open(let stream):
                adopt(stream, of: thread)
                return .opened
            case .refused(let error):
                cards[name] = nil
                return refuse(error, of: name)
            case .opening, .closing:
                return thread.age < terms.opening ? .stillOpening : refuse(.unresponsive(device: name), of: name)
            case .over: break
            }
        }
        // Another of the list may have the same card, or what captures for both.
        if cards.values.contains(where: { $0.isClosing && $0.age < terms.opening }) { return .stillOpening }
        do throws(DeviceError) { cards[name] = try attend(name) } catch { return refuse(error, of: name) }
        return .stillOpening
    }

    private func attend(_ name: String) throws(DeviceError) -> DeviceThread<PCMStream> {
        try DeviceThread(name, room: terms.room) { [request, openCard, stopEvent = stopEvent.pointee] () throws(DeviceError) in
            try openCard(name, request, stopEvent)
        }
    }

    private func adopt(_ new: PCMStream, of thread: DeviceThread<PCMStream>) {
        stream = new
        cardThread = thread
        leaveCards(but: thread)
        leaveServers()
        loop.pointee.adopt(
            new.playback, capture: new.capture, follower: new.follower, isLinked: new.isLinked, converter: new.converter,
            sliceFrames: new.grant.sliceFrames)
        notes.withLock {
            $0.grant = new.grant
            $0.error = nil
        }
    }

    /// Does not wait until that is done.
    func closeCard() {
        stream = nil
        cardThread?.leave()
        cardThread = nil
    }

    /// Gives up cards that are still being opened: another device plays.
    func leaveCards(but wanted: DeviceThread<PCMStream>? = nil) {
        for thread in cards.values where thread !== wanted { thread.leave() }
    }
}
