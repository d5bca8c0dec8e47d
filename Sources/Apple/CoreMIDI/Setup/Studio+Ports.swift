internal import ALSA

/// The ports of others, as devices with entities and endpoints. One that goes and comes back is the same object.
extension Studio {
    func look() {
        sync {
            guard let ports else { return }
            let found = ports.ports.filter { port in rules.contains { $0.names(port) } && (port.isReadable || port.isWritable) }
            let clients = Dictionary(grouping: found, by: \.address.client)
            var notices: [Notice] = []
            for device in devices {
                guard let client = device.client, clients[client]?.first.map(Self.name) != name(of: device) else { continue }
                notices += leave(device)
            }
            for (client, ports) in clients.sorted(by: { $0.key < $1.key }) { notices += update(client, ports) }
            if !notices.isEmpty { tell(notices + [.plain(.msgSetupChanged)]) }
        }
    }

    private static func name(of port: MIDIPort) -> String { port.identity.client ?? port.clientName }
    private func name(of device: DeviceObject) -> String? { device.identity.client ?? device.name }

    /// A device with the name of the client: the one that it was, then one that was in this socket, then the first that is away.
    private func device(_ client: UInt8, _ port: MIDIPort) -> DeviceObject {
        let name = Self.name(of: port), known = devices.filter { self.name(of: $0) == name }
        if let same = known.first(where: { $0.client == client }) { return same }
        let away = known.filter { $0.client == nil }
        if let back = away.first(where: { $0.identity == port.identity }) ?? away.first { return back }
        let key = "\(name)\n\(known.count)"
        let device = add { DeviceObject($0, key: key, id: uniqueID(key), port: port) }
        devices.append(device)
        return device
    }

    private func update(_ client: UInt8, _ ports: [MIDIPort]) -> [Notice] {
        guard let first = ports.first else { return [] }
        let device = device(client, first)
        var notices: [Notice] = []
        if device.client == nil, device.isListed { notices.append(.child(.msgObjectAdded, device.ref, .device)) }
        (device.client, device.identity) = (client, first.identity)
        var counts: [String: Int] = [:], here: Set<MIDIObjectRef> = []
        for port in ports {
            // Where the kernel writes the card's number into names, the port's number says which it is.
            let name = port.identity.client == port.clientName ? port.portName : "\(port.identity.port ?? 0)"
            let number = counts[name, default: 0], key = "\(device.key)\n\(name)\n\(number)"
            counts[name] = number + 1
            var entity = device.entities.first { $0.key == key }
            if entity == nil {
                let made = add { EntityObject($0, device, key: key, id: uniqueID(key), name: port.portName) }
                device.entities.append(made)
                entity = made
            }
            guard let entity else { continue }
            for isSource in [true, false] where isSource ? port.isReadable : port.isWritable {
                var endpoint = entity.endpoints.first { $0.isSource == isSource }
                if endpoint == nil {
                    let id = uniqueID("\(key)\n\(isSource ? "source" : "destination")")
                    let made = add { EndpointObject($0, of: entity, name: entity.name, id: id, isSource: isSource) }
                    entity.endpoints.append(made)
                    endpoint = made
                }
                guard let endpoint else { continue }
                here.insert(endpoint.ref)
                if endpoint.address == port.address { continue }
                let isNew = endpoint.address == nil
                endpoint.address = port.address
                // A source that comes back is heard again.
                if isSource, listens(to: endpoint) { _ = settle(endpoint) }
                if isNew { notices.append(notice(.msgObjectAdded, endpoint)) }
            }
        }
        for endpoint in device.entities.flatMap(\.endpoints) where !here.contains(endpoint.ref) { notices += leave(endpoint) }
        return notices
    }

    private func leave(_ device: DeviceObject) -> [Notice] {
        device.client = nil
        let notices = device.entities.flatMap(\.endpoints).flatMap { leave($0) }
        return notices + (device.isListed ? [.child(.msgObjectRemoved, device.ref, .device)] : [])
    }

    private func leave(_ endpoint: EndpointObject) -> [Notice] {
        if endpoint.address == nil { return [] }
        endpoint.address = nil
        return [notice(.msgObjectRemoved, endpoint)]
    }

    private func notice(_ message: MIDINotificationMessageID, _ endpoint: EndpointObject) -> Notice {
        guard let entity = endpoint.entity, entity.device.isListed else { return .child(message, endpoint.ref, endpoint.type) }
        return .child(message, endpoint.ref, endpoint.type, of: entity.ref, .entity)
    }
}
