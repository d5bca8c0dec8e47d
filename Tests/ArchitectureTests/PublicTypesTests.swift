import Testing

/// What one import shows.
@Suite struct PublicTypesTests {
    /// Machinery is `package`. The number may only fall.
    @Test func importCarillonShowsFewTypes() {
        let type = /^(?:@\w+ )*(?:public|open) (?:(?:final|indirect) )*(?:struct|class|enum|actor|protocol|typealias) (\w+)/
        var modules = ["Carillon"], names: Set<Substring> = [], place = 0
        while place < modules.count {
            for file in SourceTree.sources where file.module == modules[place] && file.isSwift {
                for line in file.lines where line.first.map("po@".contains) == true {
                    if let name = line.firstMatch(of: /^@_exported import \w+ \w+\.(\w+)$/)?.output.1 {
                        names.insert(name)
                    } else if let module = line.firstMatch(of: /^@_exported import (\w+)$/)?.output.1 {
                        if !modules.contains(String(module)) { modules.append(String(module)) }
                    } else if let name = line.firstMatch(of: type)?.output.1 {
                        names.insert(name)
                    }
                }
            }
            place += 1
        }
        #expect(modules.count > 10 && names.isSuperset(of: ["Engine", "Reverb", "DelayLine"]), "names are not found any more")
        #expect(names.count <= 250, "\(names.count) types: \(names.sorted())")
    }
}
