import CoreFoundation
import Testing

@Suite struct CoreFoundationTests {
    @Test func castsOfApplesSwiftCompile() throws {
        let url = URL(fileURLWithPath: "/tmp/a.caf") as CFURL
        #expect((url as URL).path == "/tmp/a.caf" && NSURL.fileURL(withPath: "/tmp/b.wav").isFileURL)
        var name: Unmanaged<CFString>? = Unmanaged.passRetained("title" as CFString)
        name?.release()
        withUnsafeMutablePointer(to: &name) { place in
            UnsafeMutableRawPointer(place).storeBytes(
                of: Unmanaged.passRetained("other" as CFString).toOpaque(), as: UnsafeMutableRawPointer.self)
        }
        #expect(try #require(name?.takeRetainedValue()) as String == "other")
        let path = CFURLCreateWithFileSystemPath(kCFAllocatorDefault, "/tmp/x y.aif" as CFString, .cfurlposixPathStyle, false)
        #expect(try #require(path as URL?).path == "/tmp/x y.aif")
        #expect(CFURLCreateWithFileSystemPath(nil, "a:b" as CFString, .cfurlhfsPathStyle, false) == nil)
        #expect(CFDataGetLength(Data([1, 2, 3]) as CFData) == 3)
    }

    @Test func stringsCrossToCAndBack() {
        let text = CFStringCreateWithCString(kCFAllocatorDefault, "Gläser", CFStringBuiltInEncodings.UTF8.rawValue)
        var buffer = [CChar](repeating: 1, count: 8)
        #expect(CFStringGetLength(text) == 6)
        #expect(CFStringGetCString(text, &buffer, buffer.count, CFStringBuiltInEncodings.UTF8.rawValue))
        #expect(buffer.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } } == "Gläser")
        #expect(!CFStringGetCString(text, &buffer, 7, CFStringBuiltInEncodings.UTF8.rawValue) && buffer[0] == 0)
        // A number of a Macintosh's script, as programs pass that take a Swift encoding for it.
        #expect(CFStringGetCString("Glas" as CFString, &buffer, 8, 4) && !CFStringGetCString(text, &buffer, 8, 4))
        #expect(!CFStringGetCString(text, &buffer, 8, 12_345) && CFStringCreateWithCString(nil, "a", 12_345) == nil)
    }

    @Test func propertyListsAreRead() throws {
        let list: NSDictionary = ["name": "Grand", "gain": 3]
        let data = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0) as CFData
        var format = CFPropertyListFormat.openStepFormat
        let read = CFPropertyListCreateWithData(nil, data, 0, &format, nil)?.takeRetainedValue() as? NSDictionary
        #expect(read?["name"] as? String == "Grand" && format == .binaryFormat_v1_0)
        var fault: Unmanaged<CFError>?
        #expect(CFPropertyListCreateWithData(nil, Data([0, 1, 2]) as CFData, 0, nil, &fault) == nil)
        #expect(fault?.takeRetainedValue() != nil)
    }

    @Test func bytesTurnRound() {
        #expect(CFSwapInt32HostToBig(0x0102_0304) == 0x0403_0201 && CFSwapInt16BigToHost(0x0102) == 0x0201)
        #expect(CFSwapInt32LittleToHost(5) == 5 && CFSwapInt64(1) == 1 << 56)
    }

    @Test func memoryCallsTakeNoAddress() {
        let nothing: UnsafeMutableRawPointer? = nil
        #expect(memset(nothing, 0, 16) == nil && memcpy(nothing, nil, 4) == nil && memcmp(nothing, nil, 4) == 0)
        var bytes: [UInt8] = [1, 2, 3]
        bytes.withUnsafeMutableBytes { bytes in
            memset(bytes.baseAddress, 7, 2)
            #expect(bytes.elementsEqual([7, 7, 3]))
        }
    }

    @Test func aRunLoopEndsAtItsTimeAndWhenItIsStopped() async {
        let (timed, stopped) = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let start = CFAbsoluteTimeGetCurrent()
                let timed = CFRunLoopRunInMode(CFRunLoopMode.defaultMode, 0.05, false)
                let passed = CFAbsoluteTimeGetCurrent() - start
                let loop = CFRunLoopGetCurrent()
                Thread.detachNewThread {
                    usleep(30_000)
                    CFRunLoopStop(loop)
                }
                CFRunLoopRun()
                continuation.resume(returning: (timed == .timedOut && passed >= 0.05, true))
            }
        }
        #expect(timed && stopped)
        let name = CFRunLoopMode.commonModes.rawValue as String, same = CFRunLoopMode("kCFRunLoopDefaultMode" as CFString)
        #expect(name == "kCFRunLoopCommonModes" && same == kCFRunLoopDefaultMode)
    }

    @Test func booleansAreAByte() {
        var flag: DarwinBoolean = false
        flag = DarwinBoolean(true)
        #expect(flag.boolValue && flag == true && autoreleasepool { 7 } == 7)
    }
}
