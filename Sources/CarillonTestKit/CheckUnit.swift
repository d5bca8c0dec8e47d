/// Puts a unit through the laws that hold for every unit, and returns those it broke.
///
/// Each law is a function of its own in `UnitLaws` and its extensions; this is the list.
public func checkUnit(_ unit: UnitUnderTest) throws -> [LawViolation] {
    let laws = try UnitLaws(unit)
    return try laws.declarationIsSound() + laws.isDeterministic() + laws.blockSizeDoesNotMatter() + laws.threadsDoNotMatter()
        + laws.resetEqualsNew() + laws.silenceStaysSilent() + laws.isFiniteAtEveryCorner()
        + laws.isFiniteUnderAutomation() + laws.smoothedParametersDoNotClick() + laws.latencyIsAsDeclared()
        + laws.notesAreWhereTheyAreDeclared() + laws.sleepCannotBeHeard() + laws.everyRateWorks()
        + laws.denormalsCostNothing()
}
