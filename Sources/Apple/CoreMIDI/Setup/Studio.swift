internal import ALSA
internal import RemoteIO

let studio = Studio.shared

/// The set-up: every object by its number, and the sequencer below. Its lock is held for a moment at a time, and never while
/// code of the program's runs.
final class Studio: @unchecked Sendable {
    static let shared = Studio()

    private let lock = NSRecursiveLock()
    private(set) var objects: [MIDIObjectRef: SetupObject] = [:]
    var devices: [DeviceObject] = []
    /// The virtual ones of this program, in the order in which they were made.
    private(set) var virtual: [EndpointObject] = []
    var thrus: [ThruConnection] { objects.values.compactMap { ($0 as? ThruObject)?.connection } }
    /// nil before the first call, where there is no sequencer, and where `CARILLON_MIDI` is `none`.
    private(set) var ports: SequencerPorts?
    /// Our hidden ports, for the ports of clients.
    private(set) var input: UInt8 = 0, output: UInt8 = 0
    private(set) var rules: [ConnectionRule] = []
    private var isAlone = false, hasReported = false
    private var next: MIDIObjectRef = 0x1_0000

    deinit { ports?.close() }

    func sync<Result>(_ body: () throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body()
    }

    /// Opens the sequencer, once. What cannot be is `kMIDIServerStartErr`, and one line with the remedy.
    func open(_ wish: String = ProcessInfo.processInfo.environment["CARILLON_MIDI"] ?? "any") -> OSStatus {
        sync {
            if isAlone || ports != nil { return noErr }
            guard Delivery.shared.start() else { return kMIDIServerStartErr }
            if wish == "none" {
                isAlone = true
                return noErr
            }
            do throws(MIDIInletError) {
                rules = []
                for text in wish.split(separator: ";") { rules.append(try ConnectionRule(String(text))) }
                let made = try SequencerPorts(
                    name: ProcessInfo.processInfo.processName, received: { [weak self] in self?.take($0) },
                    changed: { [weak self] in self?.look() })
                ports = made
                input = try made.addInput("input", isHidden: true)
                output = try made.addOutput("output", isHidden: true)
                look()
                return noErr
            } catch {
                ports?.close()
                ports = nil
                if !hasReported { report("Core MIDI: \(error)") }
                hasReported = true
                return kMIDIServerStartErr
            }
        }
    }

    func opened(_ body: () -> OSStatus) -> OSStatus {
        let fault = open()
        return fault == noErr ? sync(body) : fault
    }

    /// Runs a call on an object; `fault` where there is none of this kind.
    static func on<Object: SetupObject>(
        _ ref: MIDIObjectRef, _: Object.Type = Object.self, else fault: OSStatus, _ body: (Studio, Object) -> OSStatus
    ) -> OSStatus { shared.sync { shared.find(ref, Object.self).map { body(shared, $0) } ?? fault } }

    static func use<Object: SetupObject>(
        _ ref: MIDIObjectRef, _: Object.Type, else fault: OSStatus, _ body: (Studio, Object) -> Void
    ) -> OSStatus {
        on(ref, Object.self, else: fault) { studio, object in
            body(studio, object)
            return noErr
        }
    }

    @discardableResult func add<Object: SetupObject>(_ make: (MIDIObjectRef) -> Object) -> Object {
        next += 4
        let object = make(next)
        objects[object.ref] = object
        return object
    }

    func find<Object: SetupObject>(_ ref: MIDIObjectRef, _: Object.Type = Object.self) -> Object? { objects[ref] as? Object }

    func forget(_ object: SetupObject) { objects[object.ref] = nil }

    /// An identity made of names, the same at each start and each plug; never 0, and no other object's.
    func uniqueID(_ text: String) -> MIDIUniqueID {
        var hash: UInt32 = 2_166_136_261
        for byte in text.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        let taken = Set(objects.values.map(\.uniqueID))
        while hash == 0 || taken.contains(Int32(bitPattern: hash)) { hash &+= 1 }
        return Int32(bitPattern: hash)
    }

    /// The endpoints that can be played from, or to: those of others first.
    func endpoints(isSource: Bool) -> [EndpointObject] {
        let others = devices.flatMap(\.entities).flatMap(\.endpoints).filter { $0.isThere == true }
        return (others + virtual).filter { $0.isSource == isSource }
    }

    func tell(_ notices: [Notice]) {
        if notices.isEmpty { return }
        for case let client as ClientObject in objects.values { client.notifier?.post(notices) }
    }

    // MARK: Virtual endpoints

    func addVirtual(_ client: ClientObject, _ name: String, _ receiver: Receiver?) -> EndpointObject? {
        let kind = receiver == nil ? "source" : "destination"
        let id = uniqueID("\(ProcessInfo.processInfo.processName)\n\(name)\n\(kind)")
        var port: UInt8?
        if let ports {
            do { port = receiver == nil ? try ports.addOutput(name) : try ports.addInput(name) } catch {
                report("Core MIDI: \(error)")
                return nil
            }
        }
        let endpoint = add { EndpointObject($0, client, name: name, id: id, isSource: receiver == nil, receiver: receiver) }
        endpoint.port = port
        virtual.append(endpoint)
        tell([.child(.msgObjectAdded, endpoint.ref, endpoint.type), .plain(.msgSetupChanged)])
        return endpoint
    }

    func removeVirtual(_ endpoint: EndpointObject) {
        forget(endpoint)
        Delivery.shared.withdraw(for: endpoint.ref)
        virtual.removeAll { $0 === endpoint }
        if let port = endpoint.port { ports?.remove(port) }
        for case let port as PortObject in objects.values { port.sources[endpoint.ref] = nil }
        tell([.child(.msgObjectRemoved, endpoint.ref, endpoint.type), .plain(.msgSetupChanged)])
    }

    // MARK: Cables

    /// Whether anything here listens to a source of others, whose messages must come then.
    func listens(to source: EndpointObject) -> Bool {
        objects.values.contains { ($0 as? PortObject)?.sources[source.ref] != nil } || thrus.contains { $0.hears(source) }
    }

    /// Makes the connection to a source of others as it is wanted. False where the kernel refuses.
    func settle(_ source: EndpointObject) -> Bool {
        guard let ports, let address = source.address else { return true }
        return listens(to: source)
            ? ports.connect(from: address, to: input) == nil : ports.disconnect(from: address, to: input) == nil
    }

    func rewire(_ sources: [EndpointObject]) {
        for source in sources { _ = settle(source) }
        tell([.plain(.msgThruConnectionsChanged)])
    }

    private func take(_ arrival: SequencerPorts.Arrival) {
        sync {
            let packet = TimedBytes(time: UInt64(max(0, arrival.nanoseconds)), bytes: arrival.bytes)
            if arrival.port == input {
                let source = endpoints(isSource: true).first { $0.address == arrival.source }
                if let source { spread([packet], of: source) }
            } else if let own = virtual.first(where: { !$0.isSource && $0.port == arrival.port }) {
                deliver([packet], to: own)
            }
        }
    }

    /// Passes what a source sends to all that listen here.
    func spread(_ packets: [TimedBytes], of source: EndpointObject) {
        let origin = source.ref
        for case let port as PortObject in objects.values {
            guard let context = port.sources[origin], let receiver = port.receiver else { continue }
            Delivery.shared.add {
                // The port may have gone meanwhile.
                let isConnected = studio.sync { studio.find(port.ref, PortObject.self)?.sources[origin] != nil }
                if isConnected { receiver.give(packets, from: origin, context) }
            }
        }
        for thru in thrus where thru.hears(source) {
            let changed = packets.compactMap { packet in
                thru.change(packet.bytes).map { TimedBytes(time: packet.time, bytes: $0) }
            }
            if !changed.isEmpty { for destination in thru.destinations { send(changed, to: destination) } }
        }
    }
}
