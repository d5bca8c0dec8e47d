import Foundation
import Patches

/// Says whether a file fits a JSON Schema: as much of draft 2020-12 as ours uses. A word that it does not know is a fault.
struct SchemaCheck: @unchecked Sendable {
    // Read only.
    private let root: [String: Any]
    private static let silent: Set<String> = ["$schema", "$defs", "title", "description", "default", "then", "else"]

    init(_ schema: String) throws {
        guard let root = try JSONSerialization.jsonObject(with: Data(schema.utf8)) as? [String: Any] else {
            throw Fault(text: "no object")
        }
        self.root = root
    }

    struct Fault: Error { let text: String }

    /// Why the file does not fit; nil where it does.
    func fault(_ text: String) throws -> String? { try fault(Self.value(FileNode(text, path: "x")), root, "") }

    /// A file's nodes by YAML's core rules, as an editor has them.
    private static func value(_ node: FileNode) -> Any {
        switch node.content {
        case .list(let items): return items.map(value)
        case .mapping(let entries): return Dictionary(uniqueKeysWithValues: entries.map { ($0.name, value($0.value)) })
        case .scalar(let text, isPlain: false): return text
        case .scalar(let text, isPlain: true):
            if ["", "~", "null"].contains(text) { return NSNull() }
            if text == "true" || text == "false" { return text == "true" }
            if text.allSatisfy({ "+-.eE0123456789".contains($0) }), let number = Double(text) { return number }
            return text
        }
    }

    private func fault(_ value: Any, _ schema: Any, _ place: String) throws -> String? {
        if let schema = schema as? Bool { return schema ? nil : "\(place): nothing may stand here" }
        guard let schema = schema as? [String: Any] else { throw Fault(text: "\(place): no schema") }
        for (word, rule) in schema where !Self.silent.contains(word) {
            if let fault = try self.fault(value, word, rule, schema, place) { return fault }
        }
        return nil
    }

    private func fault(_ value: Any, _ word: String, _ rule: Any, _ schema: [String: Any], _ place: String) throws -> String? {
        func fits(_ rule: Any) throws -> Bool { try fault(value, rule, place) == nil }
        let object = value as? [String: Any]
        switch word {
        case "$ref":
            guard let path = rule as? String, path.hasPrefix("#/") else { throw Fault(text: "\(rule)") }
            var target: Any = root
            for key in path.dropFirst(2).split(separator: "/") {
                guard let next = (target as? [String: Any])?[String(key)] else { throw Fault(text: "no \(path)") }
                target = next
            }
            return try fault(value, target, place)
        case "type":
            let types = rule as? [String] ?? [rule as? String ?? ""]
            return types.contains { Self.isOf($0, value) } ? nil : "\(place): is no \(types)"
        case "const": return Self.equal(value, rule) ? nil : "\(place): is not \(rule)"
        case "enum": return (rule as? [Any] ?? []).contains { Self.equal(value, $0) } ? nil : "\(place): is none of \(rule)"
        case "anyOf": return try (rule as? [Any] ?? []).contains(where: fits) ? nil : "\(place): fits nothing"
        case "not": return try fits(rule) ? "\(place): fits what it must not" : nil
        case "allOf":
            for rule in rule as? [Any] ?? [] { if let fault = try fault(value, rule, place) { return fault } }
        case "if":
            if let branch = try fits(rule) ? schema["then"] : schema["else"] { return try fault(value, branch, place) }
        case "properties":
            for (name, rule) in rule as? [String: Any] ?? [:] {
                if let value = object?[name], let fault = try fault(value, rule, "\(place).\(name)") { return fault }
            }
        case "additionalProperties":
            let known = schema["properties"] as? [String: Any] ?? [:]
            for (name, value) in object ?? [:] where known[name] == nil {
                if let fault = try fault(value, rule, "\(place).\(name)") { return fault }
            }
        case "propertyNames":
            for name in (object ?? [:]).keys { if let fault = try fault(name, rule, "\(place).\(name)") { return fault } }
        case "required":
            for name in rule as? [String] ?? [] where object != nil && object?[name] == nil {
                return "\(place): \(name) is missing"
            }
        case "items":
            for item in value as? [Any] ?? [] { if let fault = try fault(item, rule, "\(place)[]") { return fault } }
        case "minItems":
            if let list = value as? [Any], let least = rule as? Int, list.count < least { return "\(place): too few" }
        case "maxItems": if let list = value as? [Any], let most = rule as? Int, list.count > most { return "\(place): too many" }
        case "minimum":
            if let number = Self.number(value), let least = rule as? Double, number < least { return "\(place): too small" }
        case "maximum":
            if let number = Self.number(value), let most = rule as? Double, number > most { return "\(place): too large" }
        case "pattern":
            if let text = value as? String, let pattern = rule as? String, try text.firstMatch(of: Regex(pattern)) == nil {
                return "\(place): does not look like \(pattern)"
            }
        default: throw Fault(text: "the word \(word) is not checked")
        }
        return nil
    }

    private static func isBool(_ value: Any) -> Bool {
        type(of: value) == Bool.self || (value as? NSNumber)?.objCTypeIsBool == true
    }
    private static func number(_ value: Any) -> Double? { isBool(value) ? nil : value as? Double }

    private static func isOf(_ type: String, _ value: Any) -> Bool {
        switch type {
        case "object": value is [String: Any]
        case "array": value is [Any]
        case "string": value is String
        case "null": value is NSNull
        case "boolean": isBool(value)
        case "number": number(value) != nil
        case "integer": number(value).map { $0 == $0.rounded() } ?? false
        default: false
        }
    }

    private static func equal(_ a: Any, _ b: Any) -> Bool {
        if isBool(a) || isBool(b) { return isBool(a) && isBool(b) && (a as? Bool) == (b as? Bool) }
        if let a = a as? String { return a == b as? String }
        return number(a) != nil && number(a) == number(b)
    }
}

extension NSNumber {
    fileprivate var objCTypeIsBool: Bool { String(cString: objCType) == "c" || String(cString: objCType) == "B" }
}
