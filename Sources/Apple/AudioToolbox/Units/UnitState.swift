/// A unit's state as a property list, as `.aupreset` files hold it: its kind, and the values of its parameters.
extension UnitObject {
    /// In "data" each element of a scope has a head of three numbers and its parameters, all in big-endian order.
    var settings: NSDictionary {
        let description = kind.description, elements = Dictionary(grouping: values) { [$0.key.scope, $0.key.element] }
        var numbers: [UInt32] = []
        for (element, values) in elements.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            numbers += element + [UInt32(values.count)]
            for (place, value) in values.sorted(by: { $0.key.id < $1.key.id }) { numbers += [place.id, value.bitPattern] }
        }
        let data = NSMutableData()
        for number in numbers { withUnsafeBytes(of: number.bigEndian) { data.append($0.baseAddress!, length: 4) } }
        return [
            "version": 0, "name": "Untitled", "type": description.componentType, "subtype": description.componentSubType,
            "manufacturer": description.componentManufacturer, "data": data,
        ]
    }

    /// Loads the state of a unit of this kind; for a sampler, an instrument too.
    func load(settings: NSDictionary) -> OSStatus {
        func isSame(_ name: String, _ code: OSType) -> Bool {
            guard let number = settings[name] as? NSNumber else { return true }
            return UInt32(truncatingIfNeeded: number.int64Value) == code
        }
        let isHere = isSame("type", kind.type) && isSame("subtype", kind.subtype)
        guard isHere, isSame("manufacturer", kAudioUnitManufacturer_Apple) else { return kAudioUnitErr_InvalidPropertyValue }
        if soleChannel != nil, let fields = settings as? [String: Any], let zones = SampleInstrument.zones(of: fields) {
            return load(zones)
        }
        guard let data = settings["data"] as? Data else { return kAudioUnitErr_InvalidPropertyValue }
        let bytes = [UInt8](data)
        let numbers = stride(from: 0, to: bytes.count - 3, by: 4).map { bytes[$0..<$0 + 4].reduce(0) { $0 << 8 | UInt32($1) } }
        var rest = numbers[...]
        while rest.count >= 3 {
            let head = Array(rest.prefix(3)), values = rest.dropFirst(3).prefix(2 * Int(head[2]))
            rest = rest.dropFirst(3 + values.count)
            for index in stride(from: values.startIndex, to: values.endIndex - 1, by: 2) {
                let place = ParameterPlace(id: values[index], scope: head[0], element: head[1])
                // What is obeyed nowhere has its first value there too.
                _ = setParameter(place, Float(bitPattern: values[index + 1]), after: 0)
            }
        }
        return noErr
    }
}
