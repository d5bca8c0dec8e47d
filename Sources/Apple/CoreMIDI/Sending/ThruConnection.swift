/// A cable from sources to destinations, with changes on the way. `Studio`'s lock guards it.
struct ThruConnection {
    let data: Data
    let sources: [EndpointObject]
    let destinations: [EndpointObject]
    private let params: MIDIThruConnectionParams
    private let channels: [UInt8]
    private let controls: [MIDIControlTransform]
    private let maps: [[UInt8]]

    /// nil where the data is too short for its counts, or an endpoint is not there.
    init?(_ data: Data) {
        let head = MemoryLayout<MIDIThruConnectionParams>.size
        guard data.count >= head else { return nil }
        let params = data.withUnsafeBytes { $0.loadUnaligned(as: MIDIThruConnectionParams.self) }
        let controls = Int(params.numControlTransforms), maps = Int(params.numMaps), rest = [UInt8](data.dropFirst(head))
        guard params.version == 0, params.numSources <= 8, params.numDestinations <= 8, rest.count >= controls * 8 + maps * 128
        else { return nil }
        func endpoints<Ends>(_ ends: Ends, _ count: UInt32, isSource: Bool) -> [EndpointObject]? {
            let wanted = withUnsafeBytes(of: ends) { $0.bindMemory(to: MIDIThruConnectionEndpoint.self).prefix(Int(count)) + [] }
            let known = wanted.compactMap { end in
                studio.find(end.endpointRef, EndpointObject.self)
                    ?? studio.objects.values.first { end.uniqueID != 0 && $0.uniqueID == end.uniqueID } as? EndpointObject
            }
            return known.count == wanted.count && known.allSatisfy { $0.isSource == isSource } ? known : nil
        }
        guard let sources = endpoints(params.sources, params.numSources, isSource: true),
            let destinations = endpoints(params.destinations, params.numDestinations, isSource: false)
        else { return nil }
        (self.params, self.data, self.sources, self.destinations) = (params, data, sources, destinations)
        self.controls = rest.withUnsafeBytes { rest in
            (0..<controls).map { rest.loadUnaligned(fromByteOffset: $0 * 8, as: MIDIControlTransform.self) }
        }
        self.maps = (0..<maps).map { Array(rest[controls * 8 + $0 * 128..<controls * 8 + $0 * 128 + 128]) }
        channels = withUnsafeBytes(of: params.channelMap) { Array($0) }
    }

    func hears(_ source: EndpointObject) -> Bool { sources.contains { $0 === source } }

    /// The bytes as they go on; nil where nothing does.
    func change(_ bytes: [UInt8]) -> [UInt8]? {
        guard let status = bytes.first else { return nil }
        if !(0x80..<0xF0).contains(status) {
            let filter: UInt8 =
                switch status {
                case 0xF1: params.filterOutMTC
                case 0xF6: params.filterOutTuneRequest
                case 0xF8, 0xFA, 0xFB, 0xFC: params.filterOutBeatClock
                case 0xF0, 0x00..<0x80, 0xF7: params.filterOutSysEx
                default: 0
                }
            return filter == 0 ? bytes : nil
        }
        // A packet may hold several channel messages.
        var changed: [UInt8] = [], place = 0
        while place < bytes.count {
            let length = UniversalWords.length(bytes[place])
            guard (0x80..<0xF0).contains(bytes[place]), place + length <= bytes.count else { break }
            changed += channel(Array(bytes[place..<place + length])) ?? []
            place += length
        }
        return changed.isEmpty ? nil : changed
    }

    private func channel(_ message: [UInt8]) -> [UInt8]? {
        let mapped = channels[Int(message[0] & 15)]
        guard mapped < 16 else { return nil }
        var message = message
        message[0] = message[0] & 0xF0 | mapped
        let first = Int(message[1] & 127), second = Int(message.last ?? 0) & 127
        switch message[0] >> 4 {
        case 8, 9, 10:
            let low = Int(params.lowNote), high = Int(params.highNote)
            if params.noteNumber.transform != .mapValue, low != 0 || high != 0 {
                if (min(low, high)...max(low, high)).contains(first) != (high >= low) { return nil }
            }
            let isOn = message[0] >> 4 == 9 && second > 0
            if isOn, second < params.lowVelocity || params.highVelocity != 0 && second > params.highVelocity { return nil }
            let value = message[0] >> 4 == 10 ? params.keyPressure : params.velocity
            guard let note = apply(params.noteNumber, first, 127) else { return nil }
            message[1] = UInt8(note)
            // An ending stays one.
            if isOn || message[0] >> 4 == 10 {
                guard let changed = apply(value, second, 127) else { return nil }
                message[2] = UInt8(isOn ? max(1, changed) : changed)
            }
        case 11:
            if params.filterOutAllControls != 0 { return nil }
            for control in controls where control.controlType == .controlType_7Bit && control.controlNumber == UInt16(message[1])
            {
                if control.transform == .mapControl {
                    message[1] = UInt8(truncatingIfNeeded: control.param) & 127
                } else {
                    let transform = MIDITransform(transform: control.transform, param: control.param)
                    guard let value = apply(transform, Int(message[2]) << 7, 16_383, shift: 7) else { return nil }
                    message[2] = UInt8(value >> 7)
                }
            }
        case 12, 13:
            let transform = message[0] >> 4 == 12 ? params.programChange : params.channelPressure
            guard let value = apply(transform, first, 127) else { return nil }
            message[1] = UInt8(value)
        default:
            guard let value = apply(params.pitchBend, second << 7 | first, 16_383, shift: 7) else { return nil }
            (message[1], message[2]) = (UInt8(value & 127), UInt8(value >> 7))
        }
        return message
    }

    /// nil where it is filtered out. A map has 128 values; wider ones are mapped by their upper seven bits.
    private func apply(_ transform: MIDITransform, _ value: Int, _ top: Int, shift: Int = 0) -> Int? {
        let param = Int(transform.param)
        let changed: Int =
            switch transform.transform {
            case .add: value + param
            // A factor in 4.12 fixed point.
            case .scale: value * param / 4_096
            case .minValue: max(value, param)
            case .maxValue: min(value, param)
            case .mapValue where maps.indices.contains(param): Int(maps[param][value >> shift]) << shift
            default: value
            }
        return transform.transform == .filterOut ? nil : min(max(changed, 0), top)
    }
}

/// The size of parameters with what follows them.
@discardableResult public func MIDIThruConnectionParamsSize(_ ptr: UnsafePointer<MIDIThruConnectionParams>) -> Int {
    MemoryLayout<MIDIThruConnectionParams>.size + 8 * Int(ptr.pointee.numControlTransforms) + 128 * Int(ptr.pointee.numMaps)
}

/// Fills parameters: no endpoints, every channel its own, nothing changed.
public func MIDIThruConnectionParamsInitialize(_ inConnectionParams: UnsafeMutablePointer<MIDIThruConnectionParams>) {
    inConnectionParams.pointee = MIDIThruConnectionParams()
    inConnectionParams.pointee.channelMap = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
    inConnectionParams.pointee.highVelocity = 127
    inConnectionParams.pointee.highNote = 127
}

/// Makes a thru connection; it lasts until it is disposed of, at most as long as this program.
@discardableResult public func MIDIThruConnectionCreate(
    _ inPersistentOwnerID: CFString?, _ inConnectionParams: CFData, _ outConnection: UnsafeMutablePointer<MIDIThruConnectionRef>
) -> OSStatus {
    studio.opened {
        guard let connection = ThruConnection(inConnectionParams as Data) else { return kAudio_ParamError }
        outConnection.pointee = studio.add { ThruObject($0, owner: inPersistentOwnerID as String?, connection) }.ref
        studio.rewire(connection.sources)
        return noErr
    }
}

/// Disposes of a thru connection.
@discardableResult public func MIDIThruConnectionDispose(_ connection: MIDIThruConnectionRef) -> OSStatus {
    Studio.use(connection, ThruObject.self, else: kMIDIObjectNotFound) { studio, thru in
        studio.forget(thru)
        studio.rewire(thru.connection.sources)
    }
}

/// The parameters of a thru connection.
@discardableResult public func MIDIThruConnectionGetParams(
    _ connection: MIDIThruConnectionRef, _ outConnectionParams: UnsafeMutablePointer<Unmanaged<CFData>>
) -> OSStatus {
    Studio.use(connection, ThruObject.self, else: kMIDIObjectNotFound) {
        outConnectionParams.pointee = .passRetained($1.connection.data as NSData)
    }
}

/// Replaces the parameters of a thru connection.
@discardableResult public func MIDIThruConnectionSetParams(
    _ connection: MIDIThruConnectionRef, _ inConnectionParams: CFData
) -> OSStatus {
    Studio.on(connection, ThruObject.self, else: kMIDIObjectNotFound) { studio, thru in
        guard let new = ThruConnection(inConnectionParams as Data) else { return kAudio_ParamError }
        let old = thru.connection.sources
        thru.connection = new
        studio.rewire(old + new.sources)
        return noErr
    }
}

/// The thru connections of an owner: an array of `MIDIThruConnectionRef`.
@discardableResult public func MIDIThruConnectionFind(
    _ inPersistentOwnerID: CFString, _ outConnectionList: UnsafeMutablePointer<Unmanaged<CFData>>
) -> OSStatus {
    studio.sync {
        let owner = inPersistentOwnerID as String
        let found = studio.objects.values.filter { ($0 as? ThruObject)?.owner == owner }.map(\.ref).sorted()
        outConnectionList.pointee = .passRetained(found.withUnsafeBytes { Data($0) } as NSData)
        return noErr
    }
}
