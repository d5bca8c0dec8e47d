/// The JSON Schema (draft 2020-12) of an installation's file: with it an editor completes keys, shows what they mean and marks
/// what cannot be.
public enum InstallationSchema {
    /// The schema as JSON.
    public static let text = InstallationTables().installation(of: "").document(title: "Carillon installation")
}
