import UnitAPI

/// An effect that units send to, and that passes the dry sound too: the dry sound is heard twice, and the sum is louder.
package struct SendMix: Sendable {
    /// The name of the unit.
    package let unit: String
    /// The fault, and what was probably meant, without the unit's name.
    package let remark: String

    /// The parameter for the share of the input in the output.
    package static let parameter = "mix"

    /// Returns the effects of a patch with nothing nested that are sent to and have a mix of less than 100 %.
    package static func all(of patch: Patch, _ units: [UnitEntry]) -> [SendMix] {
        let entries = Dictionary(units.map { ($0.name, $0) }) { first, _ in first }
        return patch.units.compactMap { unit in
            guard let entry = entries[unit.component], let spec = entry.parameters.first(where: { $0.name == parameter })
            else { return nil }
            let feeding = patch.connections.filter { $0.to.unit == unit.name && $0.to.bus == 0 }.map(\.from)
            let sends = feeding.filter { port in
                let outputs =
                    patch[unit: port.unit].flatMap { entries[$0.component]?.descriptor(with: $0.properties) }?.outputs ?? []
                return outputs.indices.contains(port.bus) && outputs[port.bus].use == .send
            }
            let mix = unit.values[parameter]?.first ?? spec.initial
            let isSend = unit.role == .send || (!sends.isEmpty && sends.count == feeding.count)
            guard isSend, mix < spec.range.upperBound else { return nil }
            var ways = entry.parameters.contains { $0.name == "level" } ? ["\(unit.name).level"] : []
            for port in sends.prefix(1) {
                guard let source = patch[unit: port.unit].flatMap({ entries[$0.component] }) else { continue }
                let name = source.descriptor.outputs[port.bus].name
                if source.parameters.contains(where: { $0.name == name }) { ways.append("\(port.unit).\(name)") }
            }
            return SendMix(
                unit: unit.name,
                remark: "it is a send, and with a mix of \(spec.text(mix)) lets the dry sound through a second time; leave "
                    + "\(parameter) at \(spec.text(spec.range.upperBound))"
                    + (ways.isEmpty ? "" : ", and set \(ways.joined(separator: ", or "))"))
        }
    }
}
