/// A client's procedure that is called at each change of the set-up.
public typealias MIDINotifyBlock = (UnsafePointer<MIDINotification>) -> Void
/// A port's block that takes packets, on a thread of its own.
public typealias MIDIReadBlock = (UnsafePointer<MIDIPacketList>, UnsafeMutableRawPointer?) -> Void
/// A port's block that takes words of a protocol, on a thread of its own.
public typealias MIDIReceiveBlock = (UnsafePointer<MIDIEventList>, UnsafeMutableRawPointer?) -> Void

extension Studio {
    fileprivate func client(_ name: CFString, _ notifier: Notifier?, _ place: UnsafeMutablePointer<MIDIClientRef>) -> OSStatus {
        opened {
            place.pointee = add { ClientObject($0, name: name as String, notifier: notifier) }.ref
            return noErr
        }
    }

    fileprivate func port(
        _ client: MIDIClientRef, _ name: CFString, _ receiver: Receiver?, _ place: UnsafeMutablePointer<MIDIPortRef>
    ) -> OSStatus {
        Self.use(client, ClientObject.self, else: kMIDIInvalidClient) { _, client in
            place.pointee = add { PortObject($0, client, name: name as String, receiver: receiver) }.ref
        }
    }

    fileprivate func endpoint(
        _ client: MIDIClientRef, _ name: CFString, _ receiver: Receiver?, _ place: UnsafeMutablePointer<MIDIEndpointRef>
    ) -> OSStatus {
        Self.on(client, ClientObject.self, else: kMIDIInvalidClient) { _, client in
            guard let made = addVirtual(client, name as String, receiver) else { return kMIDIUnknownError }
            place.pointee = made.ref
            return noErr
        }
    }

    fileprivate func link(
        _ port: MIDIPortRef, _ source: MIDIEndpointRef, _ body: (PortObject, EndpointObject) -> OSStatus
    ) -> OSStatus {
        sync {
            guard let port = find(port, PortObject.self), port.receiver != nil else { return kMIDIInvalidPort }
            return find(source, EndpointObject.self).map { body(port, $0) } ?? kMIDIUnknownEndpoint
        }
    }

    fileprivate func dispose(_ port: PortObject) {
        forget(port)
        let sources = port.sources.keys.compactMap { find($0, EndpointObject.self) }
        port.sources = [:]
        for source in sources { _ = settle(source) }
    }
}

/// Makes a client. Its procedure is called on the run loop of this thread, or on a thread of Core MIDI where no loop runs.
@discardableResult public func MIDIClientCreate(
    _ name: CFString, _ notifyProc: MIDINotifyProc?, _ notifyRefCon: UnsafeMutableRawPointer?,
    _ outClient: UnsafeMutablePointer<MIDIClientRef>
) -> OSStatus { studio.client(name, notifyProc.map { proc in Notifier { proc($0, notifyRefCon) } }, outClient) }

/// Makes a client. Its block is called on the run loop of this thread, or on a thread of Core MIDI where no loop runs.
@discardableResult public func MIDIClientCreateWithBlock(
    _ name: CFString, _ outClient: UnsafeMutablePointer<MIDIClientRef>, _ notifyBlock: MIDINotifyBlock?
) -> OSStatus { studio.client(name, notifyBlock.map { Notifier($0) }, outClient) }

/// Disposes of a client with its ports and virtual endpoints.
@discardableResult public func MIDIClientDispose(_ client: MIDIClientRef) -> OSStatus {
    Studio.use(client, ClientObject.self, else: kMIDIInvalidClient) { studio, client in
        client.notifier?.stop()
        studio.forget(client)
        for case let port as PortObject in studio.objects.values where port.client === client { studio.dispose(port) }
        for endpoint in studio.virtual where endpoint.client === client { studio.removeVirtual(endpoint) }
    }
}

/// Looks at the ports of the system again.
@discardableResult public func MIDIRestart() -> OSStatus {
    studio.opened {
        studio.look()
        return noErr
    }
}

/// Makes an input port. Its procedure is called on a thread of Core MIDI, never on the main thread.
@discardableResult public func MIDIInputPortCreate(
    _ client: MIDIClientRef, _ portName: CFString, _ readProc: @escaping MIDIReadProc, _ refCon: UnsafeMutableRawPointer?,
    _ outPort: UnsafeMutablePointer<MIDIPortRef>
) -> OSStatus { studio.port(client, portName, Receiver(readProc, refCon), outPort) }

/// Makes an input port. Its block is called on a thread of Core MIDI, never on the main thread.
@discardableResult public func MIDIInputPortCreateWithBlock(
    _ client: MIDIClientRef, _ portName: CFString, _ outPort: UnsafeMutablePointer<MIDIPortRef>,
    _ readBlock: @escaping MIDIReadBlock
) -> OSStatus { studio.port(client, portName, Receiver(readBlock), outPort) }

/// Makes an input port whose block takes words of the MIDI 1.0 protocol. That of MIDI 2.0 is `kAudio_UnimplementedError`.
@discardableResult public func MIDIInputPortCreateWithProtocol(
    _ client: MIDIClientRef, _ portName: CFString, _ protocol: MIDIProtocolID, _ outPort: UnsafeMutablePointer<MIDIPortRef>,
    _ receiveBlock: @escaping MIDIReceiveBlock
) -> OSStatus {
    guard `protocol` == ._1_0 else { return kAudio_UnimplementedError }
    return studio.port(client, portName, Receiver(receiveBlock), outPort)
}

/// Makes an output port.
@discardableResult public func MIDIOutputPortCreate(
    _ client: MIDIClientRef, _ portName: CFString, _ outPort: UnsafeMutablePointer<MIDIPortRef>
) -> OSStatus { studio.port(client, portName, nil, outPort) }

/// Disposes of a port, with its connections.
@discardableResult public func MIDIPortDispose(_ port: MIDIPortRef) -> OSStatus {
    Studio.use(port, PortObject.self, else: kMIDIInvalidPort) { $0.dispose($1) }
}

/// Connects an input port to a source. What the source sends comes with `connRefCon`.
@discardableResult public func MIDIPortConnectSource(
    _ port: MIDIPortRef, _ source: MIDIEndpointRef, _ connRefCon: UnsafeMutableRawPointer?
) -> OSStatus {
    studio.link(port, source) { port, source in
        guard source.isSource else { return kMIDIWrongEndpointType }
        let before = port.sources.updateValue(Context(pointer: connRefCon), forKey: source.ref)
        if studio.settle(source) { return noErr }
        port.sources[source.ref] = before
        return kMIDINotPermitted
    }
}

/// Disconnects an input port from a source.
@discardableResult public func MIDIPortDisconnectSource(_ port: MIDIPortRef, _ source: MIDIEndpointRef) -> OSStatus {
    studio.link(port, source) { port, source in
        guard port.sources.removeValue(forKey: source.ref) != nil else { return kMIDINoConnection }
        return studio.settle(source) ? noErr : kMIDIUnknownError
    }
}

/// Makes a virtual source, which other programs see.
@discardableResult public func MIDISourceCreate(
    _ client: MIDIClientRef, _ name: CFString, _ outSrc: UnsafeMutablePointer<MIDIEndpointRef>
)
    -> OSStatus
{ studio.endpoint(client, name, nil, outSrc) }

/// Makes a virtual source of the MIDI 1.0 protocol. That of MIDI 2.0 is `kAudio_UnimplementedError`.
@discardableResult public func MIDISourceCreateWithProtocol(
    _ client: MIDIClientRef, _ name: CFString, _ protocol: MIDIProtocolID, _ outSrc: UnsafeMutablePointer<MIDIEndpointRef>
) -> OSStatus { `protocol` == ._1_0 ? studio.endpoint(client, name, nil, outSrc) : kAudio_UnimplementedError }

/// Makes a virtual destination, which other programs see. Its procedure is called on a thread of Core MIDI.
@discardableResult public func MIDIDestinationCreate(
    _ client: MIDIClientRef, _ name: CFString, _ readProc: @escaping MIDIReadProc, _ refCon: UnsafeMutableRawPointer?,
    _ outDest: UnsafeMutablePointer<MIDIEndpointRef>
) -> OSStatus { studio.endpoint(client, name, Receiver(readProc, refCon), outDest) }

/// Makes a virtual destination, which other programs see. Its block is called on a thread of Core MIDI.
@discardableResult public func MIDIDestinationCreateWithBlock(
    _ client: MIDIClientRef, _ name: CFString, _ outDest: UnsafeMutablePointer<MIDIEndpointRef>,
    _ readBlock: @escaping MIDIReadBlock
) -> OSStatus { studio.endpoint(client, name, Receiver(readBlock), outDest) }

/// Makes a virtual destination of the MIDI 1.0 protocol. That of MIDI 2.0 is `kAudio_UnimplementedError`.
@discardableResult public func MIDIDestinationCreateWithProtocol(
    _ client: MIDIClientRef, _ name: CFString, _ protocol: MIDIProtocolID, _ outDest: UnsafeMutablePointer<MIDIEndpointRef>,
    _ readBlock: @escaping MIDIReceiveBlock
) -> OSStatus {
    guard `protocol` == ._1_0 else { return kAudio_UnimplementedError }
    return studio.endpoint(client, name, Receiver(readBlock), outDest)
}

/// Disposes of a virtual endpoint of this program.
@discardableResult public func MIDIEndpointDispose(_ endpt: MIDIEndpointRef) -> OSStatus {
    Studio.on(endpt, EndpointObject.self, else: kMIDIUnknownEndpoint) { studio, endpoint in
        guard endpoint.client != nil else { return kMIDINotPermitted }
        studio.removeVirtual(endpoint)
        return noErr
    }
}
