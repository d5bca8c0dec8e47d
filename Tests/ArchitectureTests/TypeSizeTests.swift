import Testing

/// Sizes of types over all their files. A file's bound moves code about; a type's bound makes parts.
@Suite struct TypeSizeTests {
    private struct Size {
        var lines = 0, stored = 0
    }

    /// The bound of a type over all its files.
    private static let bound = Size(lines: 600, stored: 20)
    /// Types that were beyond it when the bound was set: flat render state and declarations, values that are shown, and what is
    /// still to be taken apart. None of them may grow; who makes one smaller lowers its numbers.
    private static let known: [String: Size] = [
        "EngineCore.Engine": .init(lines: 1_164, stored: 20),
        "FluidSynthUnit.FluidSynth": .init(lines: 383, stored: 25), "Graphs.PlanTables": .init(lines: 593, stored: 28),
        "Graphs.Renderer": .init(lines: 604, stored: 20), "Graphs.RenderStep": .init(lines: 79, stored: 37),
        "RemoteIO.AudioLoop": .init(lines: 898, stored: 39),
        "Samplers.Sampler": .init(lines: 665, stored: 24), "Samplers.Voice": .init(lines: 563, stored: 37),
        "Sessions.Playlist": .init(lines: 676, stored: 20), "Sessions.Verb": .init(lines: 606, stored: 20),
        "UnitAPI.UnitDescriptor": .init(lines: 250, stored: 22),
    ]

    @Test func noTypeIsBeyondItsBound() {
        let sizes = Self.sizes
        #expect(sizes["EngineCore.Engine"]?.lines ?? 0 > 500, "types are not found any more")
        for (type, size) in sizes {
            let most = Self.known[type] ?? Self.bound
            #expect(size.lines <= most.lines, "\(type) has \(size.lines) lines over all its files; \(most.lines) at most")
            #expect(size.stored <= most.stored, "\(type) has \(size.stored) stored properties; \(most.stored) at most")
        }
        for type in Self.known.keys { #expect(sizes[type] != nil, "\(type) is no more; take it out of the list") }
    }

    /// The types that stand at the edge of a file, with their extensions, by module and name.
    private static var sizes: [String: Size] {
        var sizes: [String: Size] = [:]
        for file in SourceTree.sources where file.isSwift {
            var type: String?
            for line in file.lines {
                if type == nil, let name = declared(line) { type = "\(file.module).\(name)" }
                guard let inside = type else { continue }
                sizes[inside, default: Size()].lines += 1
                if isStored(line) { sizes[inside, default: Size()].stored += 1 }
                if line == "}" || (declared(line) != nil && line.hasSuffix("}")) { type = nil }
            }
        }
        return sizes
    }

    private static func declared(_ line: Substring) -> Substring? {
        if line.first?.isWhitespace ?? true { return nil }
        let words = line.split(separator: " ")
        guard
            let place = words.firstIndex(where: { ["class", "struct", "enum", "actor", "extension", "protocol"].contains($0) }),
            place + 1 < words.count, !line.hasPrefix("//")
        else { return nil }
        return words[place + 1].prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
    }

    /// A property of the type itself that takes memory: no braces behind it but those of an observer.
    private static func isStored(_ line: Substring) -> Bool {
        guard line.hasPrefix("    "), !line.hasPrefix("     ") else { return false }
        let words = line.split(separator: " ").drop { $0.hasPrefix("private") || modifiers.contains($0) }
        guard let first = words.first, first == "let" || first == "var" else { return false }
        return !line.contains("{") || line.contains("{ didSet")
    }

    private static let modifiers: Set<Substring> = [
        "public", "package", "fileprivate", "internal", "internal(set)", "package(set)", "final", "lazy", "weak", "unowned",
        "nonisolated",
    ]
}
