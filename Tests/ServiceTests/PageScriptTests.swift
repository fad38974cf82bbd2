import Foundation
import Service
import TestSupport
import Testing

/// Parts of the page's script, run in JavaScript without a browser.
@Suite(.timeLimit(.minutes(1))) struct PageScriptTests {
    static let node = OutsideProgram.found("node", in: ["/usr/bin", "/usr/local/bin"])

    /// The page's functions of these names, and what they need of a browser.
    private static let stage = #"""
        const page = require("fs").readFileSync(process.argv[1], "utf8");
        const nodes = {};
        const $ = id => nodes[id] = nodes[id] || { textContent: "", hidden: true };
        const take = name => page.match(new RegExp("function " + name + "\\([\\s\\S]*?\\n\\}"))[0];
        const told = value => console.log(JSON.stringify(value));

        """#

    private func told(by script: String, in folder: URL) async throws -> String {
        let node = try #require(Self.node)
        let test = try TestService(in: folder)
        let page = folder.appendingPathComponent("page.html")
        try await test.ask("GET", "/", key: nil).data.write(to: page)
        let outcome = try await OutsideProgram.run(node, ["-e", Self.stage + script, page.path])
        return outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test(
        "what was said of the disk is taken back when it is well again, and nothing else is", .enabled(if: node != nil))
    func disk() async throws {
        try await withTemporaryFolder { folder in
            let script = #"""
                const view = { disk: null, streams: [], heart: null }, handlers = {}, said = [];
                const feed = { on: (name, handler) => { handlers[name] = handler; } };
                const say = (t, text) => said.push(text), size = String, takeState = () => {};
                eval(["showProblem", "tellDisk", "giveUpHeart", "endHeart", "listen"].map(take).join("\n") + "\n; listen(); Object.assign(globalThis, { showProblem })");
                const seen = [], look = () => seen.push($("problem").hidden ? "" : $("problem").textContent);
                const pulse = problem => handlers.pulse({ t: 1, written: 1, free: null, streams: [], problem });
                handlers.disk({ t: 1, problem: "full" }); look();
                pulse("full"); look();
                handlers.disk({ t: 2, problem: null }); look();
                pulse("full"); pulse(null); look();
                showProblem("the tag was refused"); pulse(null); handlers.disk({ t: 3, problem: null }); look();
                told([seen, said]);
                """#
            let seen = try await told(by: script, in: folder)
            #expect(
                seen
                    == #"[["full","full","","","the tag was refused"],["full","the recording is written again","#
                    + #""the recording is written again"]]"#)
        }
    }

    @Test("keys of accounts are left out of the devices that the browser keeps", .enabled(if: node != nil))
    func keys() async throws {
        try await withTemporaryFolder { folder in
            let script = #"""
                eval(take("withoutKeys") + "; globalThis.withoutKeys = withoutKeys");
                told(["arctop@h:1,key=a/b+c==,streams=eeg,ecg\nmuse@00:55", "x=arctop@h,streams=eeg,key=abc,d", "polar@A,keys=1", ""].map(withoutKeys));
                """#
            let seen = try await told(by: script, in: folder)
            #expect(
                seen
                    == #"["arctop@h:1,streams=eeg,ecg\nmuse@00:55","x=arctop@h,streams=eeg","polar@A,keys=1",""]"#)
        }
    }

    @Test("the heart is told from one stream, and from another when that is lost", .enabled(if: node != nil))
    func heart() async throws {
        try await withTemporaryFolder { folder in
            let script = #"""
                const view = { streams: [{ stream: "strap-ecg", kind: "ecg" }, { stream: "band-bvp", kind: "bvp" }], heart: null, heartTime: 0,
                  tachogram: { take() {}, draw() {}, points: [] } }, handlers = {}, longestSilence = 15;
                const feed = { on: (name, handler) => { handlers[name] = handler; } };
                const takeState = () => {}, size = String, clock = String, tellDisk = () => {};
                eval(["isHeart", "giveUpHeart", "endHeart", "takeRate", "listen"].map(take).join("\n") + "\n; listen();");
                const seen = [], look = () => seen.push(["rate", "heart-source", "heart-more"].map(id => $(id).textContent).join());
                const rate = (stream, t, heartRate) => handlers.heartRate({ stream, t, heartRate });
                const hrv = (stream, rmssd) => handlers.hrv({ stream, duration: 60, values: { rmssd } });
                const pulse = t => handlers.pulse({ t, written: 1, free: null, streams: [], problem: null });
                rate("band-bvp", 1, 70); rate("strap-ecg", 2, 61); rate("band-bvp", 3, 71);
                hrv("band-bvp", 90); hrv("strap-ecg", 40); hrv("band-bvp", 91); look();
                rate("band-bvp", 17, 72); look();
                rate("band-bvp", 19, 73); hrv("strap-ecg", 41); look();
                rate("strap-ecg", 20, 62); look();
                pulse(35); look();
                pulse(36); look();
                rate("band-bvp", 37, 74); look();
                handlers.heartRate({ stream: "strap-ecg", t: 38, heartRate: null, reason: "deviceLost" }); look();
                handlers.heartRate({ stream: "band-bvp", t: 38, heartRate: null, reason: "silent" }); look();
                told(seen);
                """#
            let seen = try await told(by: script, in: folder)
            let expected = [
                "61,from strap-ecg,RMSSD 40 ms, last 60", "61,from strap-ecg,RMSSD 40 ms, last 60", "73,from band-bvp,",
                "62,from strap-ecg,", "62,from strap-ecg,", "n/a,lost: strap-ecg,", "74,from band-bvp,",
                "74,from band-bvp,", "n/a,lost: band-bvp,",
            ]
            #expect(try JSONDecoder().decode([String].self, from: Data(seen.utf8)) == expected)
        }
    }

    @Test(
        "values that ended are shown as n/a, and a stream without a signal says since when", .enabled(if: node != nil))
    func endedValues() async throws {
        try await withTemporaryFolder { folder in
            let script = #"""
                const takeClass = name => page.match(new RegExp("class " + name + " \\{[\\s\\S]*?\\n\\}"))[0];
                const el = () => ({ textContent: "", className: "", style: {}, attributes: {}, setAttribute(key, value) { this.attributes[key] = value; } });
                const svg = el, unit = () => "", inWords = String, clock = seconds => "0:" + Math.floor(seconds), metricTitles = {};
                const made = ["Timeline", "Trace", "Metric", "Reading"].map(takeClass).join("\n");
                const { Trace, Metric, Reading, Timeline } = eval(made + "\n;({ Trace, Metric, Reading, Timeline })");
                const trace = new Trace({ stream: "muse-eeg", channels: [{ label: "AF7", unit: "1" }], quality: 1, reasons: [] });
                const dial = new Metric("focus", "Focus"), blinks = new Reading({ name: "blink", unit: "1", title: "Blinks", icon: "" });
                const seen = [], look = () => seen.push([trace.quality.textContent, dial.figure.textContent, blinks.figure.textContent].join());
                dial.take(9, 0.96); blinks.take(8, 1); look();
                trace.setSignal(10.5); dial.end(10); blinks.end(10); look();
                trace.setSignal(null); look();
                trace.setQuality(0.6, []); dial.take(20, 0.5); blinks.take(21, 1); look();
                // Values out of order draw no line back.
                const line = new Timeline(el(), { height: 1 });
                for (const t of [23.7, 21.3, 24.6, 22.1]) line.take(t, 70);
                told([seen, line.points.map(point => point[0])]);
                """#
            let seen = try await told(by: script, in: folder)
            #expect(
                seen
                    == #"[["signal good,0.96,1","no signal since 0:10,n/a,n/a",",n/a,n/a","signal fair,0.50,2"],[23.7,24.6]]"#
            )
        }
    }

    @Test("a device that is paused can go on, one that is disconnected be connected", .enabled(if: node != nil))
    func deviceTools() async throws {
        try await withTemporaryFolder { folder in
            let script = #"""
                eval(take("deviceTools") + "; globalThis.deviceTools = deviceTools");
                const tools = (phase, state, paused) => deviceTools({ device: "a", state, paused }, phase).map(tool => tool.words).join();
                told([tools("running", "connected", false), tools("running", "connected", true), tools("running", "disconnected", false),
                  tools("running", "disconnectedUponRequest", false), tools("checking", "connected", false),
                  tools("checking", "disconnectedUponRequest", false), tools("analyzing", "disconnectedUponRequest", false)]);
                """#
            let seen = try await told(by: script, in: folder)
            #expect(
                seen
                    == #"["Pause,Disconnect","Go on,Disconnect","Disconnect","Connect","Disconnect","Connect",""]"#)
        }
    }
}
