import Testing

/// A function that C calls has a name for Swift and one for the linker; both are Apple's.
@Suite struct SymbolNameTests {
    @Test func symbolsHaveTheNamesOfTheirFunctions() {
        var count = 0
        for file in SourceTree.sources where file.path.hasPrefix("Sources/Apple/") {
            let symbols = file.text.matches(of: /@_cdecl/).count, before = count
            for match in file.text.matches(of: /@_cdecl\("(?<symbol>\w+)"\)[^(]*?func (?<function>\w+)/) {
                #expect(match.symbol == match.function, "\(file)")
                count += 1
            }
            #expect(count - before == symbols, "\(file)")
        }
        #expect(count > 100)
    }
}
