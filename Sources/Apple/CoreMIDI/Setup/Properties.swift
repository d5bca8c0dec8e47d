extension Studio {
    fileprivate func get<Value: NSObject>(
        _ obj: MIDIObjectRef, _ property: CFString, _: Value.Type = Value.self, _ take: (Value) -> Void
    ) -> OSStatus {
        Self.on(obj, SetupObject.self, else: kMIDIObjectNotFound) { _, object in
            guard let value = object.value(property as String) else { return kMIDIUnknownProperty }
            guard let value = value as? Value else { return kMIDIWrongPropertyType }
            take(value)
            return noErr
        }
    }

    /// Sets a property, whose type stays what it was; nil takes away what was set.
    fileprivate func set<Value: NSObject>(_ obj: MIDIObjectRef, _ property: CFString, _ value: Value?) -> OSStatus {
        Self.on(obj, SetupObject.self, else: kMIDIObjectNotFound) { _, object in
            let key = property as String
            if let value {
                if let known = object.own[key] ?? object.properties[key], !(known is Value) { return kMIDIWrongPropertyType }
                if key == "uniqueID" {
                    guard let id = (value as? NSNumber)?.int32Value, id != kMIDIInvalidUniqueID else { return kMIDIIDNotUnique }
                    if objects.values.contains(where: { $0 !== object && $0.uniqueID == id }) { return kMIDIIDNotUnique }
                }
                object.properties[key] = value
            } else if object.properties.removeValue(forKey: key) == nil {
                return kMIDIUnknownProperty
            }
            tell([.propertyChanged(object.ref, object.type, key)])
            return noErr
        }
    }

    /// All properties of an object, and with `deep` those of what belongs to it.
    fileprivate func all(_ object: SetupObject, deep: Bool) -> NSDictionary {
        var values: [String: Any] = object.own.merging(object.properties) { $1 }
        func list(_ objects: [SetupObject]) -> NSArray { objects.map { all($0, deep: true) } as NSArray }
        if deep, let device = object as? DeviceObject { values["entities"] = list(device.entities) }
        if deep, let entity = object as? EntityObject {
            values["sources"] = list(entity.endpoints.filter(\.isSource))
            values["destinations"] = list(entity.endpoints.filter { !$0.isSource })
        }
        return values as NSDictionary
    }
}

/// A text of an object, or of what it belongs to. The program releases it.
@discardableResult public func MIDIObjectGetStringProperty(
    _ obj: MIDIObjectRef, _ propertyID: CFString, _ str: UnsafeMutablePointer<Unmanaged<CFString>?>
) -> OSStatus { studio.get(obj, propertyID, NSString.self) { str.pointee = .passRetained($0) } }

/// Sets a text of an object, for as long as this program runs.
@discardableResult public func MIDIObjectSetStringProperty(
    _ obj: MIDIObjectRef, _ propertyID: CFString, _ str: CFString
) -> OSStatus { studio.set(obj, propertyID, NSString(string: str as String)) }

/// A number of an object, or of what it belongs to.
@discardableResult public func MIDIObjectGetIntegerProperty(
    _ obj: MIDIObjectRef, _ propertyID: CFString, _ outValue: UnsafeMutablePointer<Int32>
) -> OSStatus { studio.get(obj, propertyID, NSNumber.self) { outValue.pointee = $0.int32Value } }

/// Sets a number of an object, for as long as this program runs. An identity that another object has is `kMIDIIDNotUnique`.
@discardableResult public func MIDIObjectSetIntegerProperty(
    _ obj: MIDIObjectRef, _ propertyID: CFString, _ value: Int32
) -> OSStatus { studio.set(obj, propertyID, NSNumber(value: value)) }

/// Bytes of an object, or of what it belongs to. The program releases them.
@discardableResult public func MIDIObjectGetDataProperty(
    _ obj: MIDIObjectRef, _ propertyID: CFString, _ outData: UnsafeMutablePointer<Unmanaged<CFData>?>
) -> OSStatus { studio.get(obj, propertyID, NSData.self) { outData.pointee = .passRetained($0) } }

/// Sets bytes of an object, for as long as this program runs.
@discardableResult public func MIDIObjectSetDataProperty(
    _ obj: MIDIObjectRef, _ propertyID: CFString, _ data: CFData
) -> OSStatus { studio.set(obj, propertyID, NSData(data: data as Data)) }

/// A dictionary of an object, or of what it belongs to. The program releases it.
@discardableResult public func MIDIObjectGetDictionaryProperty(
    _ obj: MIDIObjectRef, _ propertyID: CFString, _ outDict: UnsafeMutablePointer<Unmanaged<CFDictionary>?>
) -> OSStatus { studio.get(obj, propertyID, NSDictionary.self) { outDict.pointee = .passRetained($0) } }

/// Sets a dictionary of an object, for as long as this program runs.
@discardableResult public func MIDIObjectSetDictionaryProperty(
    _ obj: MIDIObjectRef, _ propertyID: CFString, _ dict: CFDictionary
) -> OSStatus { studio.set(obj, propertyID, dict) }

/// All properties of an object in a dictionary, and with `deep` those of its entities and endpoints. The program releases it.
@discardableResult public func MIDIObjectGetProperties(
    _ obj: MIDIObjectRef, _ outProperties: UnsafeMutablePointer<Unmanaged<CFPropertyList>?>, _ deep: Bool
) -> OSStatus {
    Studio.use(obj, SetupObject.self, else: kMIDIObjectNotFound) {
        outProperties.pointee = .passRetained($0.all($1, deep: deep))
    }
}

/// Takes away what the program has set.
@discardableResult public func MIDIObjectRemoveProperty(_ obj: MIDIObjectRef, _ propertyID: CFString) -> OSStatus {
    studio.set(obj, propertyID, NSObject?.none)
}

/// The device, entity or endpoint with an identity.
@discardableResult public func MIDIObjectFindByUniqueID(
    _ inUniqueID: MIDIUniqueID, _ outObject: UnsafeMutablePointer<MIDIObjectRef>?,
    _ outObjectType: UnsafeMutablePointer<MIDIObjectType>?
) -> OSStatus {
    studio.opened {
        let found = studio.objects.values.first { inUniqueID != kMIDIInvalidUniqueID && $0.uniqueID == inUniqueID }
        // Another program that has gone takes its endpoints along.
        let isGone = (found as? EndpointObject).map { $0.isThere == false && $0.entity?.device.isListed == false } ?? false
        outObject?.pointee = isGone ? 0 : found?.ref ?? 0
        outObjectType?.pointee = found?.type ?? .other
        return found == nil || isGone ? kMIDIObjectNotFound : noErr
    }
}
