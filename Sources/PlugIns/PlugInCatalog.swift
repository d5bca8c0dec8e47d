import Reports
import UnitAPI

/// The LV2 plug-ins that are installed, as units to be. Control side, any thread; lilv is loaded by the first question.
public enum PlugInCatalog {
    /// Returns true if a unit's name is that of a plug-in.
    public static func isName(_ name: String) -> Bool { name.hasPrefix(PlugInName.prefix) }

    /// Returns the names of plug-ins that a text mentions, such as a patch's.
    public static func names(in text: String) -> Set<String> {
        let ends: Set<Character> = ["\"", "'", ",", "}", "]", "\n", "\r\n", " ", "\t"]
        var found: Set<String> = [], rest = text[...]
        while let start = rest.firstRange(of: PlugInName.prefix)?.lowerBound {
            let name = rest[start...].prefix { !ends.contains($0) }
            found.insert(String(name))
            rest = rest[name.endIndex...]
        }
        return found
    }

    /// Returns all that are installed, those too that cannot be units, in order of name. Throws `noLibrary`.
    public static func all() throws(PlugInError) -> [PlugInDescription] {
        try LilvCalls.inTurn { (lilv) throws(PlugInError) in lilv.uris.compactMap { lilv.description($0) } }
            .sorted { ($0.name, $0.uri) < ($1.name, $1.uri) }
    }

    /// Returns the plug-in of a name: its short name, or `lv2:` and its URI. Throws `noLibrary`, `unknown`, `ambiguous`.
    public static func named(_ name: String) throws(PlugInError) -> PlugInDescription {
        try LilvCalls.inTurn { (lilv) throws(PlugInError) in
            let uris = lilv.uris, wanted = String(name.dropFirst(PlugInName.prefix.count))
            if uris.contains(wanted), let found = lilv.description(wanted) { return found }
            let alike = uris.filter { PlugInName.short($0) == name }
            if alike.count > 1 { throw .ambiguous(name: name, uris: alike.sorted()) }
            guard let uri = alike.first, let found = lilv.description(uri) else {
                throw .unknown(name: name, near: NearName.of(name, among: uris.map(PlugInName.short)))
            }
            return found
        }
    }

    /// Returns the entry of the plug-in that is called so. Throws what `named` throws, and `refused`.
    public static func entry(named name: String) throws(PlugInError) -> UnitEntry {
        let plugIn = try named(name)
        if let reason = plugIn.refusal { throw .refused(name: name, reason: reason) }
        return PlugInControls(plugIn).entry(named: name)
    }
}
