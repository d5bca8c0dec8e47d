import CoreFoundation
import PlaygroundSupport
import Testing
import os
import os.log

@Suite struct PlaygroundTests {
    @Test func aPageGoesOnWhileItIsToldSo() {
        let page = PlaygroundPage.current
        #expect(!page.needsIndefiniteExecution)
        page.needsIndefiniteExecution = true
        #expect(page.needsIndefiniteExecution)
        page.needsIndefiniteExecution = false
        #expect(!page.needsIndefiniteExecution)
    }

    /// Its files are finished last, whichever was asked for first.
    @Test(arguments: [false, true]) func filesAreFinishedAfterThePage(isPageFirst: Bool) async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardOutputContent]) { [isPageFirst] in
            func goOn() {
                ProgramEnd.goOn {
                    print("page")
                    if isPageFirst { PlaygroundPage.current.finishExecution() }
                }
            }
            if isPageFirst { goOn() }
            ProgramEnd.finish { print("files") }
            if !isPageFirst { goOn() }
            exit(0)
        }
        let lines = String(decoding: result.standardOutputContent, as: UTF8.self).split(separator: "\n")
        #expect(lines.filter { ["page", "files"].contains($0) } == ["page", "files"])
    }
}
