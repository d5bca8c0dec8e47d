import EngineCore
import RealtimeCore
import UnitAPI

extension Engine {
    /// Switches off, on the frame of `time`, every unit that sounds by itself, so that an automatic tail is that of the music:
    /// noise fades as it is set to, a drum machine's last stroke rings out. Notes of instruments end by themselves.
    func switchOff(at time: SampleTime) throws(Fault) {
        for node in graph.nodes where !node.instance.descriptor.acceptsMusic {
            let specs = node.instance.parameters.specs
            for index in specs.indices where specs[index].switchesUnit {
                try set(ParameterSetting.Target(node: node.id, index: Int32(index), element: 0, value: 0), at: time)
            }
        }
    }
}
