internal import ALSA

extension Studio {
    /// What is further away waits here, for the kernel holds a thousand messages. Nanoseconds.
    private static let handover: UInt64 = 100_000_000

    @discardableResult func send(_ packets: [TimedBytes], to destination: EndpointObject) -> OSStatus {
        if destination.receiver != nil {
            // A virtual destination that schedules itself gets packets at once.
            let isEarly = (destination.value("scheduleAheadMuSec") as? NSNumber)?.intValue ?? 0 > 0
            let now = mach_absolute_time()
            var rest = packets[...]
            while let time = rest.first?.time {
                // 0 is now.
                let group = rest.prefix { $0.time == time }.map { TimedBytes(time: time == 0 ? now : time, bytes: $0.bytes) }
                rest = rest.dropFirst(group.count)
                deliver(group, to: destination, at: time > now && !isEarly ? time : 0)
            }
            return noErr
        }
        guard let address = destination.address, let ports else { return kMIDIMessageSendErr }
        // A card's port takes nothing until it is open.
        if ports.connect(from: output, to: address) != nil { return kMIDIMessageSendErr }
        var status = noErr
        for packet in packets where pass(packet, from: output, of: destination.ref, to: destination) != noErr {
            status = kMIDIMessageSendErr
        }
        return status
    }

    /// Gives packets to a virtual destination, at a host time or now, if it is there then.
    func deliver(_ packets: [TimedBytes], to destination: EndpointObject, at time: MIDITimeStamp = 0) {
        let ref = destination.ref
        Delivery.shared.add(at: time, for: ref) {
            let receiver = studio.sync { studio.find(ref, EndpointObject.self)?.receiver }
            receiver?.give(packets, from: ref, Context(pointer: nil))
        }
    }

    /// Sends what comes from a virtual source to those in other programs that listen.
    func send(_ packets: [TimedBytes], from source: EndpointObject) {
        guard let port = source.port else { return }
        for packet in packets { _ = pass(packet, from: port, of: source.ref, to: nil) }
    }

    /// `owner` is the endpoint that it waits for.
    private func pass(
        _ packet: TimedBytes, from port: UInt8, of owner: MIDIObjectRef, to destination: EndpointObject?
    ) -> OSStatus {
        guard let ports else { return kMIDIMessageSendErr }
        let now = mach_absolute_time()
        if packet.time > now + Self.handover {
            Delivery.shared.add(at: packet.time - Self.handover, for: owner) {
                // Where the port is then.
                let address = studio.sync { destination?.address }
                if destination != nil && address == nil { return }
                _ = ports.send(packet.bytes, from: port, to: address, at: Int64(clamping: packet.time))
            }
            return noErr
        }
        let time = packet.time > now ? Int64(clamping: packet.time) : nil
        return ports.send(packet.bytes, from: port, to: destination?.address, at: time) == nil ? noErr : kMIDIMessageSendErr
    }

    fileprivate func send(_ packets: [TimedBytes], _ port: MIDIPortRef, _ dest: MIDIEndpointRef) -> OSStatus {
        sync {
            guard let port = find(port, PortObject.self), port.receiver == nil else { return kMIDIInvalidPort }
            guard let destination = find(dest, EndpointObject.self) else { return kMIDIUnknownEndpoint }
            return destination.isSource ? kMIDIWrongEndpointType : send(packets, to: destination)
        }
    }

    fileprivate func receive(_ packets: [TimedBytes], _ src: MIDIEndpointRef) -> OSStatus {
        Self.on(src, EndpointObject.self, else: kMIDIUnknownEndpoint) { _, source in
            guard source.isSource else { return kMIDIWrongEndpointType }
            // Only its owner says what a source sends.
            guard source.client != nil else { return kMIDINotPermitted }
            spread(packets, of: source)
            send(packets, from: source)
            return noErr
        }
    }
}

/// Sends packets from an output port to a destination, each at its host time: 0 is at once.
@discardableResult public func MIDISend(
    _ port: MIDIPortRef, _ dest: MIDIEndpointRef, _ pktlist: UnsafePointer<MIDIPacketList>
) -> OSStatus { studio.send([TimedBytes](pktlist), port, dest) }

/// Sends words of the MIDI 1.0 protocol from an output port. Those of MIDI 2.0 are `kAudio_UnimplementedError`.
@discardableResult public func MIDISendEventList(
    _ port: MIDIPortRef, _ dest: MIDIEndpointRef, _ evtlist: UnsafePointer<MIDIEventList>
) -> OSStatus {
    guard let packets = [TimedBytes](evtlist) else { return kAudio_UnimplementedError }
    return studio.send(packets, port, dest)
}

/// Passes packets of a virtual source to the ports that are connected to it.
@discardableResult public func MIDIReceived(_ src: MIDIEndpointRef, _ pktlist: UnsafePointer<MIDIPacketList>) -> OSStatus {
    studio.receive([TimedBytes](pktlist), src)
}

/// Passes words of the MIDI 1.0 protocol of a virtual source on. Those of MIDI 2.0 are `kAudio_UnimplementedError`.
@discardableResult public func MIDIReceivedEventList(_ src: MIDIEndpointRef, _ evtlist: UnsafePointer<MIDIEventList>) -> OSStatus
{
    guard let packets = [TimedBytes](evtlist) else { return kAudio_UnimplementedError }
    return studio.receive(packets, src)
}

/// Sends bytes to a destination without a port, at a host time or at once (0): what a track of a sequence does.
@discardableResult package func sendMIDI(_ bytes: [UInt8], to dest: MIDIEndpointRef, at time: MIDITimeStamp) -> OSStatus {
    Studio.on(dest, EndpointObject.self, else: kMIDIUnknownEndpoint) { studio, destination in
        destination.isSource ? kMIDIWrongEndpointType : studio.send([TimedBytes(time: time, bytes: bytes)], to: destination)
    }
}

/// Withdraws what waits for a destination; 0 is for all.
@discardableResult public func MIDIFlushOutput(_ dest: MIDIEndpointRef) -> OSStatus {
    studio.sync {
        let destination = studio.find(dest, EndpointObject.self)
        if dest != 0 && destination == nil { return kMIDIUnknownEndpoint }
        if destination?.isSource == true { return kMIDIWrongEndpointType }
        Delivery.shared.withdraw(for: destination?.ref)
        if dest == 0 || destination?.address != nil { studio.ports?.withdraw(to: destination?.address) }
        return noErr
    }
}

/// A pointer to a request that its program keeps until it is complete.
private struct SysexRequest: @unchecked Sendable {
    /// Bytes that are sent at a time: at the speed of a cable, 3125 bytes a second, 80 ms.
    private static let piece = 256

    let pointer: UnsafeMutablePointer<MIDISysexSendRequest>

    /// Sends a piece, and the next when the cable has taken this one.
    func go() {
        let request = pointer.pointee, count = min(Int(request.bytesToSend), Self.piece)
        let packet = TimedBytes(time: 0, bytes: Array(UnsafeBufferPointer(start: request.data, count: count)))
        var speed: UInt64 = 0
        let status = Studio.on(request.destination, EndpointObject.self, else: kMIDIUnknownEndpoint) { studio, endpoint in
            speed = (endpoint.value("maxSysExSpeed") as? NSNumber)?.uint64Value ?? 0
            return request.complete || count == 0 ? kMIDIMessageSendErr : studio.send([packet], to: endpoint)
        }
        guard status == noErr else {
            pointer.pointee.complete = true
            return request.completionProc(pointer)
        }
        pointer.pointee.data += count
        pointer.pointee.bytesToSend -= UInt32(count)
        let pause = UInt64(count) * 1_000_000_000 / (speed == 0 ? 3_125 : speed)
        Delivery.shared.add(at: mach_absolute_time() + pause, go)
    }
}

/// Sends a System Exclusive message in pieces, at the speed of a cable, and returns at once. The request must stay until it is
/// complete; setting that stops it.
@discardableResult public func MIDISendSysex(_ request: UnsafeMutablePointer<MIDISysexSendRequest>) -> OSStatus {
    Studio.on(request.pointee.destination, EndpointObject.self, else: kMIDIUnknownEndpoint) { _, destination in
        if destination.isSource { return kMIDIWrongEndpointType }
        request.pointee.complete = false
        let request = SysexRequest(pointer: request)
        Delivery.shared.add { request.go() }
        return noErr
    }
}
