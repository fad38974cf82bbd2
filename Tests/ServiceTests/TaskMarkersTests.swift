import Foundation
import Service
import TestSupport
import Testing

/// How the page's task hands its markers over, run in JavaScript beside a service that fails.
@Suite(.timeLimit(.minutes(1))) struct TaskMarkersTests {
    static let node = OutsideProgram.found("node", in: ["/usr/bin", "/usr/local/bin"])

    /// The task of the page, with a service that cannot be reached twice and a clock that is always due.
    private static let script = #"""
        const page = require("fs").readFileSync(process.argv[1], "utf8");
        const source = page.match(/class TaskRun \{[\s\S]*?\n\}/)[0];
        const sent = [], listeners = {};
        let failures = 2;
        const nothing = () => {};
        const stage = { hidden: true, replaceChildren: nothing };
        Object.assign(globalThis, {
          view: {}, $: () => stage, el: nothing, generator: () => Math.random, showProblem: text => sent.push(text),
          document: { activeElement: null, body: { children: [] }, addEventListener: nothing, removeEventListener: nothing },
          addEventListener: (name, listener) => { listeners[name] = listener; }, removeEventListener: nothing,
          setTimeout: action => setImmediate(action),
          service: { call: async (method, path, body, options) => {
            if (failures-- > 0) throw new TypeError("Failed to fetch");
            sent.push(body.tags.map(tag => tag.label.replace("task=t event=", "")).join() + " " + options.keepalive);
          } },
        });
        const TaskRun = eval("(" + source + ")");
        (async () => {
          const run = new TaskRun({ id: "t" }, 1, 1);
          run.open();
          run.mark(0, { event: "taskBegin" });
          run.mark(0, { event: "rest" });
          await run.deliver();
          run.mark(0, { event: "trial" });
          listeners.pagehide();
          for (let i = 0; i < 10; i++) await new Promise(setImmediate);
          console.log(JSON.stringify(sent));
        })();
        """#

    @Test(
        "markers wait for a service that cannot be reached, and leave with a page that is closed",
        .enabled(if: node != nil))
    func markersAreNotLost() async throws {
        let node = try #require(Self.node)
        try await withTemporaryFolder { folder in
            let test = try TestService(in: folder)
            let page = folder.appendingPathComponent("page.html")
            try await test.ask("GET", "/", key: nil).data.write(to: page)
            let outcome = try await OutsideProgram.run(node, ["-e", Self.script, page.path])
            let sent = try JSONDecoder().decode([String].self, from: Data(outcome.output.utf8))
            #expect(sent == ["taskBegin,rest true", "trial,taskAborted true"], "\(outcome.output)")
        }
    }
}
