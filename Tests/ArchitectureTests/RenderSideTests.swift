import Testing

/// What the compiler's guard cannot see by itself: that its annotation stands where it must, and where it is lifted.
@Suite struct RenderSideTests {
    /// `@_semantics("no_performance_analysis")` tells the compiler to believe: the four virtual calls into units. One
    /// more needs a reason as good.
    static let trustedSwiftGates = 5
    /// The same in C: the macro around clock_gettime and the calls of loaded libraries, which the audit and RealtimeSanitizer
    /// watch, and the audio loop's, around its waits and its calls of libasound and libsoxr.
    static let trustedCGates = 2
    /// The virtual calls themselves, overridden by a box that alone knows the unit's type.
    static let unprovenFiles = ["Sources/UnitAPI/UnitInstance.swift"]

    @Test func everyRenderHandleAndResetIsAnnotated() {
        var found = 0
        for file in SourceTree.sources where file.isSwift && !Self.unprovenFiles.contains(file.path) {
            guard file.lines.contains(where: { $0.trimmed.hasPrefix("// [render]") }) else { continue }
            var previous: [Substring] = []
            for (number, line) in file.code {
                for name in ["render", "handle", "shed", "reset"] where line.contains("func \(name)(") {
                    found += 1
                    // An attribute may have a line of its own, or two.
                    let isAnnotated =
                        line.contains("@_noLocks")
                        || previous.suffix(2).contains { $0.contains("@_noLocks") && !$0.contains("func ") }
                    #expect(isAnnotated, "\(file):\(number) has no @_noLocks: \(line.trimmed)")
                }
                if !line.trimmed.isEmpty { previous.append(line) }
            }
        }
        #expect(found >= 20, "the render side was not found")
    }

    private static func declaresUnit(_ line: Substring) -> Bool {
        line.contains("struct ") && (line.contains(": AudioUnit") || line.contains(": EffectWithMemory"))
    }

    /// The compiler follows a call through a table to its type, not to the function behind it: each must carry the promise.
    @Test func everyFunctionOfTheAudioLoopAndOfItsDevicesIsAnnotated() {
        let files = [
            "AudioLoop", "SimulatedDevice", "SimulatedTables", "PCMDevice", "FrameClock", "PullGate", "PulledLane", "JACKCalls",
            "PipeWireCalls",
        ]
        var found = 0
        for file in SourceTree.sources where files.contains(where: { file.name.hasPrefix($0) }) {
            var isRenderSide = file.lines.first == "// [render]", isControl = false, isNamed = false
            for (index, line) in file.lines.enumerated() {
                if line.trimmed.hasPrefix("// [render]") { isRenderSide = true }
                if line.trimmed.hasPrefix("///") {
                    isControl =
                        (index > 0 && file.lines[index - 1].trimmed.hasPrefix("///") && isControl)
                        || line.contains("Control side")
                    continue
                }
                isNamed = line.contains("func ")
                if isRenderSide, isNamed, !isControl {
                    found += 1
                    #expect(line.contains("@_noLocks"), "\(file):\(index + 1): \(line.trimmed)")
                }
                isControl = false
            }
        }
        #expect(found > 50, "the loop was not found")
    }

    @Test func aUnitsFileSaysWhereItsRenderSideBegins() {
        for file in SourceTree.sources where file.isSwift {
            if file.code.contains(where: { Self.declaresUnit($0.text) }) {
                #expect(file.text.contains("// [render]"), "\(file) has no line // [render]")
            }
        }
    }

    @Test func everyUnitStandsInTheCatalogue() throws {
        let catalogue = try SourceTree.text("Sources/Units/StandardUnits.swift")
        var found = 0
        for file in SourceTree.sources where file.module == "Units" {
            for (_, line) in file.code where Self.declaresUnit(line) {
                let name = line.split(separator: " ").drop { $0 != "struct" }.dropFirst().first?.dropLast() ?? ""
                found += 1
                #expect(catalogue.contains("UnitEntry(\(name).self)"), "add the line UnitEntry(\(name).self), to StandardUnits")
            }
        }
        #expect(found == catalogue.split(separator: "Entry(").count { $0.contains(".self),\n") }, "units without a file")
    }

    @Test func trustedGatesAreFewAndCounted() {
        func lines(_ word: String) -> [String] {
            SourceTree.sources.flatMap { file in
                file.code.filter { $0.text.contains(word) }.map { "\(file):\($0.number)" }
            }
        }
        let swift = lines("@_semantics(\"no_performance_analysis\")")
        #expect(swift.count == Self.trustedSwiftGates, "\(swift)")
        let c = lines("ignored \\\"-Wfunction-effects\\\"") + lines("ignored \"-Wfunction-effects\"")
        #expect(c.count == Self.trustedCGates, "\(c)")
    }

    /// Raw memory that other packages may reach: what a render callback is given, and two for C kernels. Everything else of
    /// the kind is for the modules of this package. Apple's names are not ours to choose.
    static let publicPointers = [
        "CaptureQueue.swift: samples", "ChannelViews.swift: base", "ChannelViews.swift: base",
    ]

    @Test func memoryOfTheRenderSideIsNotPublic() {
        var found: [String] = []
        for file in SourceTree.sources where file.isSwift && !ImportTests.apple.contains(file.module) {
            for (_, line) in file.code {
                let words = line.split(whereSeparator: { " :".contains($0) }).map(String.init)
                guard words.contains("public"), let at = words.firstIndex(where: { ["let", "var"].contains($0) }),
                    at + 2 < words.count, words[at + 2].hasPrefix("Unsafe")
                else { continue }
                found.append("\(file.name): \(words[at + 1])")
            }
        }
        #expect(found.sorted() == Self.publicPointers)
    }

    @Test func nobodySwitchesTheChecksOff() {
        for file in SourceTree.sources {
            for (number, line) in file.code {
                for word in ["-Ounchecked", "@_unavailableFromAsync", "unsafeFlags"] where line.contains(word) {
                    Issue.record("\(file):\(number): \(word)")
                }
            }
        }
    }

    /// What is measured and tested is what ships: the only setting that takes the optimiser away is that of test code.
    @Test(arguments: ["Package.swift", "tools/packages.sh", "tools/test"]) func everyTargetIsOptimised(_ file: String) throws {
        let lines = try SourceTree.text(file).split(separator: "\n").filter { $0.contains(#/-O(none|size)\b/#) }
        #expect(lines.allSatisfy { $0.hasPrefix("let testCode: ") }, "\(lines)")
    }

    @Test func atomicsHoldRawPointersOnly() {
        // Swift 6.3 miscompiles `Atomic<Unmanaged<T>?>` in debug builds of annotated modules.
        for file in SourceTree.sources where file.isSwift {
            for (number, line) in file.code where line.contains("Atomic<Unmanaged") {
                Issue.record("\(file):\(number): use Atomic<UnsafeMutableRawPointer?>")
            }
        }
    }
}

extension Substring {
    /// Without spaces at either end.
    var trimmed: Substring {
        var text = drop { $0 == " " }
        while text.last == " " { text = text.dropLast() }
        return text
    }
}
