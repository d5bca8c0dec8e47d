import ArgumentParser
import Carillon

/// Settings that a group of options is made of.
protocol SettingTable {
    associatedtype Owner: SettingOwner
    static var settings: [Setting<Owner>] { get }
    /// Refuses options that exclude each other.
    static func check(_ owner: Owner) throws
}

extension SettingTable {
    static func check(_ owner: Owner) throws {}
}

/// A value that settings are settings of.
protocol SettingOwner: Sendable { init() }

/// A table of settings as options of a command: ArgumentParser finds them in its mirror.
@dynamicMemberLookup
struct SettingGroup<Table: SettingTable>: ParsableArguments, CustomReflectable {
    private var given: [(setting: Setting<Table.Owner>, texts: [String])] = []
    private(set) var value = Table.Owner()

    init() {}

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        for setting in Table.settings {
            let key = Key(stringValue: setting.name), texts: [String]
            switch setting.form.kind {
            case .flag: texts = try container.decode(Flag<Bool>.self, forKey: key).wrappedValue ? [""] : []
            case .one: texts = try container.decode(Option<String?>.self, forKey: key).wrappedValue.map { [$0] } ?? []
            case .many: texts = try container.decode(Option<[String]>.self, forKey: key).wrappedValue
            }
            given.append((setting, texts))
        }
        try apply(to: &value)
    }

    /// Sets what was given.
    func apply(to owner: inout Table.Owner) throws {
        for (setting, texts) in given { for text in texts { try setting.set(text, &owner) } }
    }

    func validate() throws { try SettingRefusal.asked { try Table.check(value) } }

    subscript<Value>(dynamicMember path: KeyPath<Table.Owner, Value>) -> Value { value[keyPath: path] }

    var customMirror: Mirror { Mirror(self, children: Table.settings.map { ("_\($0.name)", $0.argument) }) }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

extension Setting where Owner: SettingOwner {
    /// The option. Its texts are read when they are parsed, so that an error names the option.
    fileprivate var argument: Any {
        let names: NameSpecification = form.letter.map { [.customShort($0), .customLong(name)] } ?? .customLong(name)
        let help = ArgumentHelp(form.help, valueName: form.kind == .flag ? nil : form.valueName)
        let read: @Sendable (String) throws -> String = { text in
            var owner = Owner()
            try set(text, &owner)
            return text
        }
        let completion: CompletionKind =
            switch form.completion {
            case .nothing: .default
            case .folder: .directory
            case .words(let words): .list(words)
            case .file(let endings): .file(extensions: endings)
            }
        switch form.kind {
        case .flag: return Flag(wrappedValue: false, name: names, help: help)
        case .one:
            return Option<String?>(
                name: names, parsing: form.takesDashes ? .unconditional : .next, help: help, completion: completion,
                transform: read)
        case .many:
            return Option<[String]>(
                wrappedValue: [], name: names, parsing: form.takesDashes ? .unconditionalSingleValue : .singleValue, help: help,
                completion: completion, transform: read)
        }
    }
}

/// The refusal of options that exclude each other.
enum SettingRefusal {
    /// Throws what ArgumentParser shows as a fault of the arguments.
    static func asked(_ check: () throws -> Void) throws {
        do { try check() } catch { throw ValidationError("\(error)") }
    }
}
