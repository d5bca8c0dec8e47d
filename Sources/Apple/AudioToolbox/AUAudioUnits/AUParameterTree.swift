/// Called with the address and the new value of a parameter, on the thread that sets it.
public typealias AUParameterObserver = (AUParameterAddress, AUValue) -> Void
public typealias AUParameterObserverToken = UnsafeMutableRawPointer

/// A parameter, or a group of them.
open class AUParameterNode: NSObject {
    public let identifier: String
    public let displayName: String
    public fileprivate(set) weak var parent: AUParameterNode?
    // Guarded by the lock of all calls.
    private var observers: [AUParameterObserverToken: AUParameterObserver] = [:]
    private nonisolated(unsafe) static var count: UInt = 0

    fileprivate init(_ identifier: String, _ displayName: String) {
        (self.identifier, self.displayName) = (identifier, displayName)
    }

    /// The identifiers from the tree down to it, with points between.
    open var keyPath: String {
        guard let path = parent?.keyPath, !path.isEmpty else { return identifier }
        return "\(path).\(identifier)"
    }

    /// Calls a function when a parameter here or below is set by this tree, until the token is removed.
    open func token(byAddingParameterObserver observer: @escaping AUParameterObserver) -> AUParameterObserverToken {
        UnitCalls.locked {
            Self.count += 16
            let token = AUParameterObserverToken(bitPattern: Self.count) ?? Unmanaged.passUnretained(self).toOpaque()
            observers[token] = observer
            return token
        }
    }

    open func removeParameterObserver(_ token: AUParameterObserverToken) { UnitCalls.locked { observers[token] = nil } }

    fileprivate func tell(_ address: AUParameterAddress, _ value: AUValue, except originator: AUParameterObserverToken?) {
        for (token, observer) in UnitCalls.locked({ observers }) where token != originator { observer(address, value) }
        parent?.tell(address, value, except: originator)
    }
}

/// Parameters that belong together: those of one bus.
open class AUParameterGroup: AUParameterNode {
    public let children: [AUParameterNode]

    fileprivate init(_ identifier: String, _ displayName: String, _ children: [AUParameterNode]) {
        self.children = children
        super.init(identifier, displayName)
        for child in children { child.parent = self }
    }

    /// The parameters here and below.
    open var allParameters: [AUParameter] {
        children.flatMap { ($0 as? AUParameterGroup)?.allParameters ?? ($0 as? AUParameter).map { [$0] } ?? [] }
    }
}

/// The parameters of a unit: those of the whole unit, and a group for each bus that has some.
open class AUParameterTree: AUParameterGroup {
    package init(of unit: AudioUnit) {
        var whole: [AUParameterNode] = [], buses: [(name: String, parameters: [AUParameterNode])] = []
        for (row, element) in UnitHandles.find(unit)?.heard ?? [] {
            let parameter = AUParameter(unit, row, element)
            if row.scope == kAudioUnitScope_Global {
                whole.append(parameter)
                continue
            }
            let name = "\(row.scope == kAudioUnitScope_Input ? "input" : "output")\(element)"
            if let index = buses.firstIndex(where: { $0.name == name }) {
                buses[index].parameters.append(parameter)
            } else {
                buses.append((name, [parameter]))
            }
        }
        super.init("", "", whole + buses.map { AUParameterGroup($0.name, $0.name, $0.parameters) })
    }

    open func parameter(withAddress address: AUParameterAddress) -> AUParameter? { allParameters.first { $0.address == address } }

    open func parameter(
        withID paramID: AudioUnitParameterID, scope: AudioUnitScope, element: AudioUnitElement
    ) -> AUParameter? { parameter(withAddress: AUParameter.address(paramID, scope, element)) }
}

/// One parameter of a unit, read and set by any thread.
open class AUParameter: AUParameterNode {
    /// Its range, and what it is measured in.
    public let minValue: AUValue
    public let maxValue: AUValue
    public let unit: AudioUnitParameterUnit
    /// The parameter's ID, plus 2^32 times the scope and 2^48 times the element.
    public let address: AUParameterAddress
    private let handle: AudioUnit
    private let place: UnitObject.ParameterPlace

    fileprivate init(_ handle: AudioUnit, _ row: UnitParameterRow, _ element: AudioUnitElement) {
        (self.handle, unit, place) = (handle, row.unit, .init(id: row.id, scope: row.scope, element: element))
        (minValue, maxValue) = (row.range.lowerBound, row.range.upperBound)
        address = Self.address(row.id, row.scope, element)
        super.init("\(row.id)", row.name)
    }

    package static func address(
        _ id: AudioUnitParameterID, _ scope: AudioUnitScope, _ element: AudioUnitElement
    ) -> AUParameterAddress { UInt64(id) | UInt64(scope) << 32 | UInt64(element) << 48 }

    /// The value; one out of range becomes the nearest.
    open var value: AUValue {
        get {
            var value: AUValue = 0
            AudioUnitGetParameter(handle, place.id, place.scope, place.element, &value)
            return value
        }
        set { setValue(newValue, originator: nil) }
    }

    /// Sets the value and calls all observers but the one of the token. A value that is no number changes nothing.
    open func setValue(_ value: AUValue, originator: AUParameterObserverToken?) {
        if AudioUnitSetParameter(handle, place.id, place.scope, place.element, value, 0) == noErr {
            tell(address, self.value, except: originator)
        }
    }

    /// A value as text; the present one for nil.
    open func string(fromValue value: UnsafePointer<AUValue>?) -> String { "\(value?.pointee ?? self.value)" }

    /// The value that a text names; 0 for one that is no number.
    open func value(from string: String) -> AUValue { AUValue(string) ?? 0 }
}
