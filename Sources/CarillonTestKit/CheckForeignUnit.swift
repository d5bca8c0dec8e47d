/// A law, for checks of some of them: foreign code may not obey all.
public enum UnitLaw: CaseIterable, Sendable {
    case declaration, determinism, blockSizes, threads, reset, silence, corners, automation, smoothness, latency, notes, sleep
    case rates, denormals
}

/// Puts a unit through some of the laws, for a unit around foreign code, and returns those it broke.
public func checkUnit(_ unit: UnitUnderTest, laws chosen: Set<UnitLaw>) throws -> [LawViolation] {
    let laws = try UnitLaws(unit)
    return try UnitLaw.allCases.filter(chosen.contains).flatMap { law in
        switch law {
        case .declaration: laws.declarationIsSound()
        case .determinism: try laws.isDeterministic()
        case .blockSizes: try laws.blockSizeDoesNotMatter()
        case .threads: try laws.threadsDoNotMatter()
        case .reset: try laws.resetEqualsNew()
        case .silence: try laws.silenceStaysSilent()
        case .corners: try laws.isFiniteAtEveryCorner()
        case .automation: try laws.isFiniteUnderAutomation()
        case .smoothness: try laws.smoothedParametersDoNotClick()
        case .latency: try laws.latencyIsAsDeclared()
        case .notes: try laws.notesAreWhereTheyAreDeclared()
        case .sleep: try laws.sleepCannotBeHeard()
        case .rates: try laws.everyRateWorks()
        case .denormals: try laws.denormalsCostNothing()
        }
    }
}
