import Foundation
import Testing

/// The compiler is the guard of the render side. A compiler that stops guarding must not go unnoticed.
@Suite(.serialized) struct CompilerGuardTests {
    /// A way to be careless, and what the compiler must say of it.
    struct Carelessness: CustomStringConvertible, Sendable {
        let flag: String
        let diagnostic: String
        var description: String { flag }
    }

    @Test func aCarefulUnitCompilesAgainstTheBuiltModules() throws {
        let compiler = try compile("CarelessUnit.swift")
        #expect(compiler.status == 0, "\(compiler.text)")
    }

    @Test(arguments: [
        Carelessness(flag: "ALLOCATES", diagnostic: "can cause an allocation"),
        Carelessness(flag: "GROWS", diagnostic: "reference counting operations which can cause locking"),
        Carelessness(flag: "COLLECTS", diagnostic: "can cause metadata allocation or locks"),
        Carelessness(flag: "LOCKS", diagnostic: "is not available in this module"),
        Carelessness(flag: "PRINTS", diagnostic: "can cause"),
        Carelessness(flag: "CALLS_C", diagnostic: "is not available in this module"),
    ])
    func aUnitThatIsCarelessInRenderDoesNotCompile(_ careless: Carelessness) throws {
        let compiler = try compile("CarelessUnit.swift", flags: ["-D", careless.flag])
        #expect(compiler.status != 0)
        let error = compiler.text.split(separator: "\n").first { $0.contains("error:") } ?? "no error"
        #expect(error.contains("CarelessUnit.swift"), "\(error)")
        #expect(error.contains(careless.diagnostic), "\(error)")
    }

    @Test func aCarefulEffectWithMemoryCompilesAgainstTheBuiltModules() throws {
        let compiler = try compile("CarelessEffect.swift")
        #expect(compiler.status == 0, "\(compiler.text)")
    }

    @Test(arguments: [
        Carelessness(flag: "TUNES", diagnostic: "reference counting operations which can cause locking"),
        Carelessness(flag: "PROCESSES", diagnostic: "can cause metadata allocation or locks"),
        Carelessness(flag: "CLEARS", diagnostic: "can cause metadata allocation or locks"),
    ])
    func theLoopOfAnEffectWithMemoryHidesNothingFromTheCompiler(_ careless: Carelessness) throws {
        let compiler = try compile("CarelessEffect.swift", flags: ["-D", careless.flag])
        #expect(compiler.status != 0)
        let error = compiler.text.split(separator: "\n").first { $0.contains("error:") } ?? "no error"
        #expect(error.contains("CarelessEffect.swift") && error.contains(careless.diagnostic), "\(error)")
    }

    @Test func aRenderClosureMayKeepWhatIsItsOwn() throws {
        let compiler = try compile("RenderClosure.swift")
        #expect(compiler.status == 0, "\(compiler.text)")
    }

    @Test(arguments: ["SHARES_STATE", "SHARES_OBJECT"]) func aRenderClosureThatSharesStateDoesNotCompile(_ flag: String) throws {
        let compiler = try compile("RenderClosure.swift", flags: ["-D", flag])
        #expect(compiler.status != 0)
        let error = compiler.text.split(separator: "\n").first { $0.contains("error:") } ?? "no error"
        #expect(error.contains("RenderClosure.swift"), "\(compiler.text)")
    }

    @Test func aReaderOfOnesOwnMayBeGivenToAPlayer() throws {
        let compiler = try compile("FrameReader.swift")
        #expect(compiler.status == 0, "\(compiler.text)")
    }

    /// The player reads it in a thread of its own.
    @Test(arguments: ["SHARES_READER", "LENDS_STATE"]) func aReaderThatOthersGoOnUsingDoesNotCompile(_ flag: String) throws {
        let compiler = try compile("FrameReader.swift", flags: ["-D", flag])
        #expect(compiler.status != 0)
        let error = compiler.text.split(separator: "\n").first { $0.contains("error:") } ?? "no error"
        #expect(error.contains("FrameReader.swift") && error.contains("sending"), "\(compiler.text)")
    }

    @Test func anAllocationInAnnotatedCodeIsRefusedWithoutAnyFlag() throws {
        let canary = "@_noLocks public func f(_ n: Int) -> Int { var a: [Int] = []; a.append(n); return a.count }\n"
        let file = FileManager.default.temporaryDirectory.appending(path: "canary-\(getpid()).swift")
        try canary.write(to: file, atomically: true, encoding: .utf8)
        defer { unlink(file.path()) }
        let compiler = try run(["-parse-as-library", "-emit-sil", "-o", "/dev/null", file.path()])
        #expect(compiler.status != 0 && compiler.text.contains("can cause"), "\(compiler.text)")
    }

    /// Compiles a fixture against the modules that this test was built with.
    private func compile(_ fixture: String, flags: [String] = []) throws -> (status: Int32, text: String) {
        let executable = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        var products = executable.deletingLastPathComponent()
        while !FileManager.default.fileExists(atPath: products.appending(path: "Modules").path()), products.path() != "/" {
            products = products.deletingLastPathComponent()
        }
        let modules = products.appending(path: "Modules").path()
        let moduleMaps = try moduleMaps(products)
        let file = SourceTree.root.appending(path: "Tests/Fixtures/\(fixture)").path()
        return try run(
            [
                "-parse-as-library", "-emit-sil", "-o", "/dev/null", "-swift-version", "6", "-module-name", "Outside",
                "-enable-experimental-feature", "Lifetimes", "-I", modules,
            ]
                + moduleMaps + flags + [file])
    }

    /// Where the compiler finds the C modules: those of a library of the system, and those that are built here.
    private func moduleMaps(_ products: URL) throws -> [String] {
        let sources = SourceTree.root.appending(path: "Sources"), files = FileManager.default
        let glib = try run(["--cflags-only-I", "glib-2.0"], by: "pkg-config").text
        var arguments = glib.split(whereSeparator: \.isWhitespace).flatMap { ["-Xcc", String($0)] }
        for name in try files.contentsOfDirectory(atPath: sources.path()).sorted() {
            let here = sources.appending(path: "\(name)/module.modulemap").path()
            let built = products.appending(path: "\(name).build/module.modulemap").path()
            guard let map = [here, built].first(where: { files.fileExists(atPath: $0) }) else { continue }
            arguments += ["-Xcc", "-fmodule-map-file=\(map)", "-I", sources.appending(path: "\(name)/include").path()]
        }
        return arguments
    }

    private func run(_ arguments: [String], by tool: String = "swiftc") throws -> (status: Int32, text: String) {
        let process = Process(), output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [tool] + arguments
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }
}
