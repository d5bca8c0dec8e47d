/// Units whose buses depend on their properties, in number or in width, and those whose received music does.
extension UnitDescriptor {
    /// The property for the number of channels of a unit's buses, if it has `widths`.
    public static let widthProperty = "channels"

    /// Returns the descriptor of a unit that is made with these properties: its outputs are those of `buses`, its buses of
    /// sound have as many channels as `channels`, or else as many as are declared, and it receives what a property chooses.
    /// Buses that are declared wider or narrower than the first stay so.
    ///
    /// - Throws: `invalidProperty` for buses or a number of channels that the unit cannot have.
    public func fitted(to properties: [String: PropertyValue]) throws(UnitError) -> UnitDescriptor {
        var fitted = self
        fitted.hearing = hearing.chosen(by: properties)
        try fitted.chooseBuses(properties)
        guard let widths, let value = properties[Self.widthProperty] else { return fitted }
        guard case .integer(let count) = value, widths.contains(count) else {
            throw .invalidProperty(
                unit: name, property: Self.widthProperty,
                reason: "choose a whole number from \(widths.lowerBound) to \(widths.upperBound)")
        }
        let declared = declaredWidth
        for bus in inputs.indices where inputs[bus].channels == declared { fitted.inputs[bus].channels = count }
        for bus in outputs.indices where outputs[bus].channels == declared { fitted.outputs[bus].channels = count }
        while fitted.readoutsAtStart.count < readouts.count { fitted.readoutsAtStart.append(0) }
        for channel in min(declared, count)..<count {
            fitted.readouts += channelReadouts.map { "\($0.name)[\(channel)]" }
            fitted.readoutsAtStart += channelReadouts.map(\.start)
        }
        return fitted
    }

    var declaredWidth: Int { (inputs + outputs).first { !$0.carriesMusic }?.channels ?? 0 }
}

extension UnitSetup {
    /// Returns the number of channels for the buses of a unit with `widths`: that of property `channels`, or else that of
    /// `descriptor`.
    public func channels(of descriptor: UnitDescriptor) -> Int {
        guard let widths = descriptor.widths, case .integer(let count) = properties[UnitDescriptor.widthProperty],
            widths.contains(count)
        else { return descriptor.declaredWidth }
        return count
    }
}
