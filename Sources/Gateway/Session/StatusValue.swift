import FoundationEssentials

/// A status as values, for any names of fields.
enum StatusValue: Decodable, Equatable {
    case null
    case flag(Bool)
    case number(Double)
    case text(String)
    case list([StatusValue])
    case members([String: StatusValue])

    /// Reads a line of the session's; nil if it is not JSON.
    init?(line: String) {
        do { self = try JSONDecoder().decode(StatusValue.self, from: Data(line.utf8)) } catch { return nil }
    }

    /// Tries first what a status has most of.
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
            return
        }
        do { self = .number(try container.decode(Double.self)) } catch {
            do { self = .text(try container.decode(String.self)) } catch {
                do { self = .members(try container.decode([String: StatusValue].self)) } catch {
                    do { self = .list(try container.decode([StatusValue].self)) } catch {
                        self = .flag(try container.decode(Bool.self))
                    }
                }
            }
        }
    }

    var json: String {
        switch self {
        case .null: "null"
        case .flag(let flag): "\(flag)"
        case .number(let number): Int(exactly: number).map(String.init) ?? "\(number)"
        case .text(let text): GatewayResponse.quoted(text)
        case .list(let items): "[" + items.map(\.json).joined(separator: ",") + "]"
        case .members(let members):
            "{"
                + members.sorted { $0.key < $1.key }.map { GatewayResponse.quoted($0.key) + ":" + $0.value.json }
                .joined(separator: ",") + "}"
        }
    }
}

extension StatusValue {
    subscript(name: String) -> StatusValue? { if case .members(let members) = self { members[name] } else { nil } }

    /// Returns true if a cue plays only as long as it is held, for the status of an installation.
    func isHeld(cue name: String) -> Bool {
        guard case .list(let cues)? = self["cues"] else { return false }
        return cues.contains { $0["name"] == .text(name) && $0["isHeld"] == .flag(true) }
    }
}

extension StatusValue {
    /// A step from a value to a later one.
    enum Change: Equatable {
        case none
        /// The members that have changed, or the later value itself: see ``StatusValue/change(to:)``.
        case some(StatusValue)
        /// No change can express it.
        case whole
    }

    /// Returns the change from this value to another.
    ///
    /// An object with the same names changes member by member: only members that have changed are named. A list of the same
    /// length changes likewise, by its places. A list may also be sent as `removed`, the places that go, and `added`, values
    /// by their new places, or whole; the shortest text is used. Everything else is replaced. (JSON Merge Patch, RFC 7396,
    /// with lists, and with null as a value like any other.)
    func change(to later: StatusValue) -> Change {
        if self == later { return .none }
        switch (self, later) {
        case (.members(let old), .members(let new)): return Self.change(from: old, to: new)
        case (.list(let old), .list(let new)):
            var changes = [later, Self.replacement(from: old, to: new)]
            if old.count == new.count, case .some(let change) = Self.change(from: Self.places(old), to: Self.places(new)) {
                changes.append(change)
            }
            return .some(changes.min { $0.json.utf8.count < $1.json.utf8.count } ?? later)
        case (_, .members) where isNested: return .whole
        default: return .some(later)
        }
    }

    private static func change(from old: [String: StatusValue], to new: [String: StatusValue]) -> Change {
        if old.count != new.count { return .whole }
        var changed: [String: StatusValue] = [:]
        for (name, value) in new {
            switch old[name]?.change(to: value) ?? .whole {
            case .none: break
            case .some(let change): changed[name] = change
            case .whole: return .whole
            }
        }
        return .some(.members(changed))
    }

    /// Places that go and values that come: how the keys that sound change.
    private static func replacement(from old: [StatusValue], to new: [StatusValue]) -> StatusValue {
        var removed: [StatusValue] = [], added: [String: StatusValue] = [:]
        for step in new.difference(from: old) {
            switch step {
            case .remove(let place, _, _): removed.append(.number(Double(place)))
            case .insert(let place, let value, _): added["\(place)"] = value
            }
        }
        return .members(["removed": .list(removed), "added": .members(added)])
    }

    private static func places(_ items: [StatusValue]) -> [String: StatusValue] {
        Dictionary(uniqueKeysWithValues: items.indices.map { ("\($0)", items[$0]) })
    }

    private var isNested: Bool {
        switch self {
        case .list, .members: true
        case .null, .flag, .number, .text: false
        }
    }
}
