import CRealtime
import Glibc
import RTProbe
import Testing

/// Things to be careless with, out of the optimiser's sight.
final class Witness { var number = 0 }
nonisolated(unsafe) var kept: UnsafeMutableRawPointer?
nonisolated(unsafe) var keptReference: Unmanaged<Witness>?

/// The probe itself: it counts inside the render callback only, and each kind of violation under its name.
@Suite(.enabled(if: rt_probe_counts())) struct RTProbeTests {
    /// What the probe sees of `body` inside a render callback.
    private func watch(_ body: () -> Void) -> rt_violations {
        _ = rt_probe_take()
        rt_enter()
        body()
        rt_leave()
        return rt_probe_take()
    }

    @Test func nothingIsCountedOutsideTheCallback() {
        _ = rt_probe_take()
        kept = malloc(8)
        free(kept)
        let seen = rt_probe_take()
        #expect(seen.sections == 0 && seen.allocations == 0 && seen.frees == 0)
    }

    @Test func anEmptyCallbackIsClean() {
        let seen = watch {}
        #expect(seen.sections == 1)
        #expect(seen.allocations + seen.frees + seen.locks + seen.blocking + seen.arc + seen.objects == 0)
    }

    @Test func memoryIsCounted() {
        let seen = watch {
            kept = malloc(8)
            kept = realloc(kept, 16)
            free(kept)
            free(nil)
        }
        #expect(seen.allocations == 2 && seen.frees == 1)
    }

    @Test func theFirstViolationIsKeptWithItsStack() {
        _ = rt_probe_take()
        rt_enter()
        kept = malloc(8)
        rt_leave()
        let stack = String(cString: rt_probe_first())
        free(kept)
        _ = rt_probe_take()
        #expect(stack.contains("+0x"), "\(stack)")
        #expect(String(cString: rt_probe_first()).isEmpty)
    }

    @Test func locksAreCounted() {
        var mutex = pthread_mutex_t()
        pthread_mutex_init(&mutex, nil)
        let seen = withUnsafeMutablePointer(to: &mutex) { mutex in
            watch {
                pthread_mutex_lock(mutex)
                pthread_mutex_unlock(mutex)
            }
        }
        #expect(seen.locks == 1)
    }

    @Test func callsIntoTheKernelAreCounted() {
        let seen = watch {
            let file = open("/dev/null", O_WRONLY)
            _ = write(file, "x", 1)
            close(file)
            usleep(1)
            _ = poll(nil, 0, 0)
            let page = mmap(nil, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            munmap(page, 4096)
        }
        #expect(seen.blocking == 7)
    }

    @Test func referenceCountingIsCounted() {
        keptReference = Unmanaged.passRetained(Witness())
        let seen = watch { _ = keptReference?.retain() }
        keptReference?.release()
        keptReference?.release()
        #expect(seen.arc >= 1)
    }

    @Test func objectsAreCounted() {
        let seen = watch {
            let witness = Witness()
            withExtendedLifetime(witness) { witness.number += 1 }
            keptReference = Unmanaged.passRetained(witness)
        }
        keptReference?.release()
        #expect(seen.objects >= 1 && seen.allocations >= 1)
    }
}

/// The same under RealtimeSanitizer: the program ends with 43 at the first violation.
@Suite(.enabled(if: rt_probe_informs_sanitizer())) struct RealtimeSanitizerTests {
    @Test func anAllocationEndsTheProgram() async {
        await #expect(processExitsWith: .exitCode(43)) {
            rt_enter()
            kept = malloc(8)
            rt_leave()
        }
    }

    @Test func aRetainEndsTheProgram() async {
        await #expect(processExitsWith: .exitCode(43)) {
            keptReference = Unmanaged.passRetained(Witness())
            rt_enter()
            _ = keptReference?.retain()
            rt_leave()
        }
    }

    @Test func anEmptyCallbackDoesNot() async {
        await #expect(processExitsWith: .success) {
            rt_enter()
            rt_leave()
        }
    }
}
