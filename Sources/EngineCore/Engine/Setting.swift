import Reports
import UnitAPI

/// The declaration of a setting: its name, its help, the texts that it accepts and the values that are valid. Options of the
/// command line, fields of batch jobs and checks are generated from the declarations.
package struct Setting<Owner>: Sendable {
    package let form: SettingForm
    /// Takes one text; for a flag an empty one.
    package let set: @Sendable (_ text: String, _ owner: inout Owner) throws -> Void
    /// Refuses a number out of range.
    package let check: @Sendable (Owner) throws(ParameterError) -> Void

    package var name: String { form.name }

    package init(
        _ form: SettingForm, check: @escaping @Sendable (Owner) throws(ParameterError) -> Void = { _ in },
        set: @escaping @Sendable (_ text: String, _ owner: inout Owner) throws -> Void
    ) { (self.form, self.check, self.set) = (form, check, set) }

    /// A number.
    ///
    /// - Parameters:
    ///   - more: what the help says after the range.
    ///   - isDefault: false if `more` names the default, or there is none.
    package init<Value: SettingNumber>(
        _ spec: ParameterSpec, _ path: WritableKeyPath<Owner, Value> & Sendable, _ more: String = "", isDefault: Bool = true
    ) {
        let form = SettingForm(
            spec.name, .one, spec.valueName, spec.sentence(more, isDefault: isDefault), takesDashes: true)
        self.init(
            form,
            check: { (owner) throws(ParameterError) in
                if let number = owner[keyPath: path].number { try spec.check(number) }
            }, set: { $1[keyPath: path] = try Value($0, spec) })
    }

    /// A number that a setting of the engine declares.
    package init<Value: SettingNumber>(
        _ setting: EngineSetting, _ path: WritableKeyPath<Owner, Value> & Sendable, _ more: String = "", isDefault: Bool = true
    ) { self.init(setting.spec, path, more, isDefault: isDefault) }

    /// A text of its own form.
    package init<Value>(
        _ name: String, _ path: WritableKeyPath<Owner, Value?> & Sendable, _ valueName: String, _ help: String,
        completes completion: SettingForm.Completion = .nothing, takesDashes: Bool = false,
        read: @escaping @Sendable (String) throws -> Value
    ) {
        self.init(SettingForm(name, .one, valueName, help, completes: completion, takesDashes: takesDashes)) {
            $1[keyPath: path] = try read($0)
        }
    }

    /// Any number of texts of their own form.
    package init<Value>(
        _ name: String, every path: WritableKeyPath<Owner, [Value]> & Sendable, _ valueName: String, _ help: String,
        completes completion: SettingForm.Completion = .nothing, takesDashes: Bool = false,
        read: @escaping @Sendable (String) throws -> Value
    ) {
        self.init(SettingForm(name, .many, valueName, help, completes: completion, takesDashes: takesDashes)) {
            $1[keyPath: path].append(try read($0))
        }
    }

    package static func flag(_ name: String, _ path: WritableKeyPath<Owner, Bool> & Sendable, _ help: String) -> Setting {
        Setting(SettingForm(name, .flag, "", help)) { $1[keyPath: path] = true }
    }

    /// One of the words of a type, or none.
    package static func word<Word: SettingWord>(
        _ name: String, _ path: WritableKeyPath<Owner, Word?> & Sendable, _ valueName: String, _ help: String
    ) -> Setting {
        Setting(name, path, valueName, "\(help) (values: \(Word.list))", completes: .words(Word.words)) {
            try Word.named($0, for: name)
        }
    }

    /// One of the words of a type.
    package static func word<Word: SettingWord>(
        _ name: String, _ path: WritableKeyPath<Owner, Word> & Sendable, default word: Word, _ valueName: String, _ help: String
    ) -> Setting {
        let help = "\(help) (values: \(Word.list); default: \(word.rawValue))"
        return Setting(SettingForm(name, .one, valueName, help, completes: .words(Word.words))) {
            $1[keyPath: path] = try Word.named($0, for: name)
        }
    }

    /// The setting as one of a value that has this one in it.
    package func of<Outer>(_ path: WritableKeyPath<Outer, Owner> & Sendable) -> Setting<Outer> {
        Setting<Outer>(
            form, check: { (owner) throws(ParameterError) in try check(owner[keyPath: path]) },
            set: { try set($0, &$1[keyPath: path]) })
    }

    /// The setting as one of a call of a program.
    package var ofCall: Setting {
        var form = form
        form.isOfCall = true
        return Setting(form, check: check, set: set)
    }

    /// Takes the texts of a job's field; none for a flag that is on.
    package func take(_ texts: [String], into owner: inout Owner) throws(SettingError) {
        if form.kind == .flag, !texts.isEmpty { throw SettingError("\(name): is true or false") }
        if form.kind != .flag, texts.isEmpty { throw SettingError("\(name): needs a value") }
        for text in form.kind == .flag ? [""] : texts {
            do { try set(text, &owner) } catch {
                let reason = "\(error)"
                throw SettingError(reason.hasPrefix("\(name): ") ? reason : "\(name) \(text): \(reason)")
            }
        }
    }
}

/// The form of a setting, for surfaces.
package struct SettingForm: Sendable {
    /// On, if it is given; one text, the last; or any number of them.
    package enum Kind: Sendable { case flag, one, many }

    /// The texts that a shell completes: files have one of the endings, or any.
    package enum Completion: Sendable {
        case nothing, folder
        case words([String])
        case file([String])
    }

    package let name: String
    /// A short name on the command line.
    package let letter: Character?
    package let kind: Kind
    /// The word for its text in the help.
    package let valueName: String
    package let help: String
    package let completion: Completion
    /// True if a text may look like an option, as negative numbers do.
    package let takesDashes: Bool
    /// True if it is about one call of a program and not about its sound.
    package fileprivate(set) var isOfCall = false

    package init(
        _ name: String, letter: Character? = nil, _ kind: Kind, _ valueName: String, _ help: String,
        completes completion: Completion = .nothing, takesDashes: Bool = false
    ) {
        (self.name, self.letter, self.kind, self.valueName) = (name, letter, kind, valueName)
        (self.help, self.completion, self.takesDashes) = (help, completion, takesDashes)
    }
}

/// The reason why a text is no value of a setting, or why settings exclude each other.
package struct SettingError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// A number that a text becomes, by the declaration of its setting.
package protocol SettingNumber: Sendable {
    /// Nil where there is none.
    var number: Double? { get }

    init(_ text: String, _ spec: ParameterSpec) throws(ParameterError)
}

extension Double: SettingNumber {
    package var number: Double? { self }
    package init(_ text: String, _ spec: ParameterSpec) throws(ParameterError) { self = try spec.number(text) }
}

extension Float: SettingNumber {
    package var number: Double? { Double(self) }
    package init(_ text: String, _ spec: ParameterSpec) throws(ParameterError) { self = try spec.value(text) }
}

extension Int: SettingNumber {
    package var number: Double? { Double(self) }
    package init(_ text: String, _ spec: ParameterSpec) throws(ParameterError) { self = try spec.wholeNumber(text) }
}

extension Optional: SettingNumber where Wrapped: SettingNumber {
    package var number: Double? { self?.number }
    package init(_ text: String, _ spec: ParameterSpec) throws(ParameterError) { self = try Wrapped(text, spec) }
}

/// A choice of words.
package protocol SettingWord: CaseIterable, RawRepresentable<String>, Sendable {}

extension SettingWord {
    package static var words: [String] { allCases.map(\.rawValue) }
    package static var list: String { words.joined(separator: ", ") }

    package static func named(_ text: String, for setting: String) throws(SettingError) -> Self {
        if let word = Self(rawValue: text) { return word }
        throw SettingError(
            NearName.of(text, among: words) == nil
                ? "\(setting): \"\(text)\" is not one of \(list)"
                : "\(setting): there is no \"\(text)\"; \(NearName.choice(text, among: words))")
    }
}

extension ParameterSpec {
    /// `Sample rate: 8 to 384 kHz; MORE. (default: 48 kHz)`.
    package func sentence(_ more: String = "", isDefault: Bool = true) -> String {
        let sentence = help.last == "." ? String(help.dropLast()) : help
        return "\(sentence): \(valid)\(more.isEmpty ? "" : "; " + more)." + (isDefault ? " (default: \(text(initial)))" : "")
    }

    /// The word for a value in the help.
    package var valueName: String {
        switch unit {
        case .hertz: "hz"
        case .decibels: "db"
        case .seconds: "time"
        case .ratio: "factor"
        case .semitones, .frames, .cents, .voices: unit.symbol
        case .none, .percent, .pan, .toggle, .choice: "number"
        }
    }
}
