import Testing

/// Public types whose safety between threads the compiler takes on trust. Each says in its comment who writes and who reads.
@Suite struct SendableTests {
    private static let trusted: Set<String> = [
        "AudioBuffer", "CaptureQueue", "SPSCQueue", "Snapshot", "TimingHistogram", "ParameterBlock", "UnitCompanion",
        "UnitInstance",
        "TapReader",
        "SimulatedPort",
        "CFRunLoop",
    ]

    @Test func everyPublicTypeThatIsSendableOnTrustProvesIt() {
        var found: Set<String> = []
        for file in SourceTree.sources where file.isSwift {
            for (number, line) in file.lines.enumerated() {
                guard line.contains("@unchecked Sendable"), line.contains("public ") || line.hasPrefix("open "),
                    let name = line.firstMatch(of: /(?:class|struct|enum) (\w+)/)?.output.1
                else { continue }
                found.insert(String(name))
                let comment = file.lines[..<number].reversed().prefix { $0.hasPrefix("///") || $0.hasPrefix("@") }
                #expect(comment.contains { $0.hasPrefix("/// Sendable: ") }, "\(file):\(number + 1): who writes, who reads?")
                #expect(comment.last?.hasPrefix("/// Sendable: ") == false, "\(file):\(number + 1): begin with what it is")
            }
        }
        #expect(found == Self.trusted)
    }
}
