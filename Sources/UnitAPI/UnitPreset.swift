/// A setting of a whole unit under a name, as a value: a unit's own, or one that the user keeps (Audio Units'
/// `FactoryPresets`, `PresentPreset` and `ClassInfo`).
///
/// Control side, any thread.
public struct UnitPreset: Sendable, Hashable, Codable {
    /// The name of the preset: `bass-booster`; or its file, `./my-bass.yaml`.
    public var name: String
    /// Parameters by name, each in its own unit and range: one value, or one for each input or band. What it does not name is
    /// at its default.
    public var values: [String: [Float]]
    /// Properties that the unit is made with.
    public var properties: [String: PropertyValue]

    /// Creates a preset.
    public init(_ name: String, values: [String: [Float]], properties: [String: PropertyValue] = [:]) {
        (self.name, self.values, self.properties) = (name, values, properties)
    }
}

/// A preset as the author of a unit writes it: numbers in the parameter's own unit, or text with a unit.
///
/// ```swift
/// FactoryPreset("slap-back", ["time": 0.11, "feedback": 12, "sync": "off"])
/// ```
public struct FactoryPreset: Sendable, Hashable {
    /// One parameter's setting.
    public enum Setting: Sendable, Hashable, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral,
        ExpressibleByStringLiteral, ExpressibleByArrayLiteral
    {
        case number(Float)
        case text(String)
        /// One for each band or input.
        case list([Setting])

        public init(floatLiteral value: Float) { self = .number(value) }
        public init(integerLiteral value: Int) { self = .number(Float(value)) }
        public init(stringLiteral value: String) { self = .text(value) }
        public init(arrayLiteral elements: Setting...) { self = .list(elements) }
    }

    /// Stable kebab-case name, unique in its unit.
    public var name: String
    /// Parameters by name.
    public var settings: [String: Setting]

    /// Creates a preset; what it does not set is at its default.
    public init(_ name: String, _ settings: [String: Setting]) { (self.name, self.settings) = (name, settings) }

    /// Presets by their names, in this order.
    package static func list(_ presets: KeyValuePairs<String, [String: Setting]>) -> [FactoryPreset] {
        presets.map { FactoryPreset($0.key, $0.value) }
    }

    /// Throws for a setting that the parameters do not have.
    func preset(of descriptor: UnitDescriptor, _ specs: [ParameterSpec]) throws(ParameterError) -> UnitPreset {
        // It is available while the unit sounds.
        for spec in specs where spec.applies == .atStart && settings[spec.name] != nil {
            throw .onlyAtStart(parameter: spec.name)
        }
        return UnitPreset(name, values: try Self.values(settings, inputs: descriptor.inputs.count, of: descriptor, specs))
    }

    /// Settings of a unit with a number of inputs, as numbers: one for each element of the parameter, or one for all.
    ///
    /// - Throws: a setting that the parameters do not have.
    static func values(
        _ settings: [String: Setting], inputs: Int, of descriptor: UnitDescriptor, _ specs: [ParameterSpec]
    ) throws(ParameterError) -> [String: [Float]] {
        var values: [String: [Float]] = [:]
        for (parameter, setting) in settings {
            guard let spec = specs.first(where: { $0.name == parameter }) else {
                throw .unknownParameter(parameter, unit: descriptor.name, known: specs.map(\.name))
            }
            var list = [setting]
            if case .list(let settings) = setting { list = settings }
            let most = spec.elementCount(inputs: max(inputs, 1), bands: descriptor.bands)
            if list.isEmpty || list.count > most {
                throw .outOfRange(parameter: parameter, text: "\(list.count) values", low: "1", high: "\(most)")
            }
            var numbers: [Float] = []
            for setting in list { numbers.append(try Self.number(setting, spec)) }
            values[parameter] = numbers
        }
        return values
    }

    private static func number(_ setting: Setting, _ spec: ParameterSpec) throws(ParameterError) -> Float {
        switch setting {
        case .number(let value):
            try spec.check(Double(value))
            return value
        case .text(let text): return try spec.value(text)
        case .list: throw .notANumber(parameter: spec.name, text: "a list in a list", valid: spec.valid)
        }
    }
}

extension UnitDescriptor {
    /// The factory presets as values.
    ///
    /// - Throws: the first value that the unit cannot have, or a name that occurs twice.
    package func presets(_ specs: [ParameterSpec]) throws(UnitError) -> [UnitPreset] {
        var presets: [UnitPreset] = []
        for preset in factoryPresets {
            if presets.contains(where: { $0.name == preset.name }) || !UnitPreset.isName(preset.name) {
                throw .invalidPreset(unit: name, preset: preset.name, reason: "names are in lower case and stand once")
            }
            do { presets.append(try preset.preset(of: self, specs)) } catch {
                throw .invalidPreset(unit: name, preset: preset.name, reason: error.description)
            }
        }
        return presets
    }
}

extension UnitSetup {
    /// Starts the unit with these settings: `preset` names one of its factory presets, which the others change.
    ///
    /// - Throws: `startValue` for one that the unit does not have.
    package mutating func start(
        with settings: [String: FactoryPreset.Setting], of descriptor: UnitDescriptor, _ specs: [ParameterSpec]
    ) throws(UnitError) {
        var settings = settings, values: [String: [Float]] = [:]
        let presets = try descriptor.presets(specs)
        if case .text(let name)? = settings["preset"], !specs.contains(where: { $0.name == "preset" }) {
            guard let preset = presets.first(where: { $0.name == name }) else {
                throw .startValue(.notOneOf(parameter: "preset", text: name, names: presets.map(\.name)), unit: descriptor.name)
            }
            (values, settings["preset"]) = (preset.values, nil)
        }
        do {
            let inputs = max(inputCount, descriptor.inputs.count)
            values.merge(try FactoryPreset.values(settings, inputs: inputs, of: descriptor, specs)) { $1 }
        } catch { throw .startValue(error, unit: descriptor.name) }
        startValues = values.compactMapValues { $0.count == 1 ? $0[0] : nil }
        elementValues = values.filter { $0.value.count > 1 }
    }
}

extension UnitPreset {
    /// Returns true if a preset of a unit, or one that the user keeps by its name alone, can have this name: letters and
    /// digits in words with dashes between, none of them a capital.
    public static func isName(_ name: String) -> Bool {
        name.split(separator: "-", omittingEmptySubsequences: false).allSatisfy { word in
            !word.isEmpty && word.allSatisfy { ("a"..."z").contains($0) || ("0"..."9").contains($0) }
        }
    }

    /// The inputs that its lists are of, if a unit of the type has as many as a patch says; nil if it suits any.
    package func inputCount(_ descriptor: UnitDescriptor, _ specs: [ParameterSpec]) -> Int? {
        guard descriptor.repeatsLastInput else { return nil }
        let most = specs.lazy.filter { $0.scope == .input }.compactMap { self.values[$0.name]?.count }.max() ?? 0
        return most > 1 ? most : nil
    }

    /// Finds what is wrong with the preset for a unit of `count` inputs; nil if it suits one.
    package func misfit(inputs count: Int, _ descriptor: UnitDescriptor, _ specs: [ParameterSpec]) -> String? {
        guard let wanted = inputCount(descriptor, specs), wanted != count else { return nil }
        return "its lists are of \(wanted) inputs, and the unit has \(count); give a patch's unit inputs: \(wanted)"
    }

    /// The values of one parameter for each of its elements, if the preset, or else its default, has them.
    package static func expanded(_ values: [Float]?, _ spec: ParameterSpec, count: Int) -> [Float] {
        let values = values ?? []
        return (0..<count).map { element in
            element < values.count ? values[element] : values.count == 1 ? values[0] : spec.initial(of: element)
        }
    }
}
