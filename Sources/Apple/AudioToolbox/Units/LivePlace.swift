internal import Graphs
internal import MIDI
import Synchronization

/// Where music for a unit goes that a callback of its plan sends: it neither waits nor takes memory.
final class LivePlace: @unchecked Sendable {
    private final class Place {
        let host: Unmanaged<RenderHost>
        let node: NodeID
        let channel: UInt8?

        init(_ host: RenderHost, _ node: NodeID, _ channel: UInt8?) {
            (self.host, self.node, self.channel) = (Unmanaged.passUnretained(host), node, channel)
        }
    }

    /// All that there were, since a callback may still read one.
    private var places: [Place] = []
    private let newest = Atomic<UInt>(0)
    private let address = Atomic<UInt>(0)

    /// The address of the plan that has the unit; 0 for none.
    var hostAddress: UInt { address.load(ordering: .acquiring) }

    /// - Parameter channel: the one on which a sampler plays everything.
    func publish(_ host: RenderHost?, _ node: NodeID?, channel: UInt8?) {
        defer {
            address.store(
                host.map { UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) } ?? 0, ordering: .releasing)
        }
        guard let host, let node else { return }
        let place = Place(host, node, channel)
        places.append(place)
        newest.store(UInt(bitPattern: Unmanaged.passUnretained(place).toOpaque()), ordering: .releasing)
    }

    /// Nil where the callback is of another plan.
    func send(_ message: MIDIMessage, _ context: RenderContext, after frames: Int) -> OSStatus? {
        guard let address = UnsafeRawPointer(bitPattern: newest.load(ordering: .acquiring)) else { return nil }
        return Unmanaged<Place>.fromOpaque(address)._withUnsafeGuaranteedRef { place in
            guard place.host.toOpaque() == context.host.toOpaque() else { return nil }
            guard let message = message.on(sole: place.channel) else { return noErr }
            return place.host._withUnsafeGuaranteedRef { $0.sendLive(.message(message), to: place.node, after: frames) }
        }
    }
}

extension MIDIMessage {
    /// The message for a sampler that plays everything on one channel; nil for a program change, which it does not obey.
    func on(sole channel: UInt8?) -> MIDIMessage? {
        guard let channel else { return self }
        if kind == .programChange { return nil }
        return MIDIMessage(status: status & 0xF0 | channel, data1: data1, data2: data2, port: port)
    }
}
