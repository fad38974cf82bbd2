import Foundation
import Service
import TestSupport
import Testing

/// How the page's task hands its markers over, run in JavaScript beside a service that fails.
@Suite(.timeLimit(.minutes(1))) struct TaskMarkersTests {
    static let node = OutsideProgram.found("node", in: ["/usr/bin", "/usr/local/bin"])

    /// The task of the page beside a service that does with each batch as `refuse` says, and a clock that is always due.
    private static let stage = #"""
        const page = require("fs").readFileSync(process.argv[1], "utf8");
        const source = page.match(/class TaskRun \{[\s\S]*?\n\}/)[0];
        const sent = [], listeners = {};
        let refuse = () => {};
        const nothing = () => {};
        const stage = { hidden: true, replaceChildren: nothing };
        Object.assign(globalThis, {
          view: {}, $: () => stage, el: nothing, generator: () => Math.random, showProblem: text => sent.push(text), askForKey: () => sent.push("asks for a key"),
          document: { activeElement: null, body: { children: [] }, addEventListener: nothing, removeEventListener: nothing },
          addEventListener: (name, listener) => { listeners[name] = listener; }, removeEventListener: nothing,
          setTimeout: action => setImmediate(action),
          service: { call: async (method, path, body, options) => {
            const words = body.tags.map(tag => tag.label.replace("task=t event=", "")).join();
            refuse(words);
            sent.push(words + " " + options.keepalive);
          } },
        });
        const TaskRun = eval("(" + source + ")");
        const run = new TaskRun({ id: "t" }, 1, 1);
        const told = async () => {
          for (let i = 0; i < 20; i++) await new Promise(setImmediate);
          console.log(JSON.stringify(sent));
        };

        """#

    /// A service that cannot be reached twice, and a page that is closed in the middle.
    private static let closing = #"""
        (async () => {
          let failures = 2;
          refuse = () => { if (failures-- > 0) throw new TypeError("Failed to fetch"); };
          run.open();
          run.mark(0, { event: "taskBegin" });
          run.mark(0, { event: "rest" });
          await run.deliver();
          run.mark(0, { event: "trial" });
          listeners.pagehide();
          await told();
        })();
        """#

    /// A service that takes nothing any more from a marker on, for the reason of a status.
    private static let refusing = #"""
        (async () => {
          const [first, status] = process.argv.slice(2);
          let isRefusing = false;
          refuse = words => {
            isRefusing = isRefusing || words === first;
            if (!isRefusing) return;
            sent.push(words + " " + status);
            throw Object.assign(new Error("no"), { status: Number(status) });
          };
          run.work = async () => {
            for (const event of ["taskBegin", "trial"]) {
              run.mark(0, { event });
              await run.deliver();
            }
          };
          await run.run();
          await told();
        })();
        """#

    /// A service that says that another task was begun while nothing was heard of this one.
    private static let beating = #"""
        (async () => {
          service.call = async (method, path, body) => {
            sent.push([method, path, body.task, body.seed === run.seed].join(" "));
            throw Object.assign(new Error("another was begun"), { status: 409 });
          };
          run.work = async () => {
            run.isBegun = true;
            await run.beat();
            await new Promise(() => {});
          };
          await run.run();
          await told();
        })();
        """#

    /// What was sent and said when the page's task is run so in `folder`.
    private func told(by script: String, _ arguments: [String] = [], in folder: URL) async throws -> [String] {
        let node = try #require(Self.node)
        let test = try TestService(in: folder)
        let page = folder.appendingPathComponent("page.html")
        try await test.ask("GET", "/", key: nil).data.write(to: page)
        let outcome = try await OutsideProgram.run(node, ["-e", Self.stage + script, page.path] + arguments)
        return try JSONDecoder().decode([String].self, from: Data(outcome.output.utf8))
    }

    @Test(
        "markers wait for a service that cannot be reached, and leave with a page that is closed",
        .enabled(if: node != nil))
    func markersAreNotLost() async throws {
        try await withTemporaryFolder { folder in
            let sent = try await told(by: Self.closing, in: folder)
            #expect(sent == ["taskBegin,rest true", "trial,taskAborted true"])
        }
    }

    @Test("a task whose begin is refused, as another page's runs, ends and writes nothing", .enabled(if: node != nil))
    func secondTask() async throws {
        try await withTemporaryFolder { folder in
            let sent = try await told(by: Self.refusing, ["taskBegin", "409"], in: folder)
            #expect(sent == ["taskBegin 409", "The task ended: no"])
        }
    }

    @Test("a page whose task made way for another learns it from its next beat", .enabled(if: node != nil))
    func beaten() async throws {
        try await withTemporaryFolder { folder in
            let sent = try await told(by: Self.beating, in: folder)
            #expect(sent == ["POST /api/tasks/beat t true", "The task ended: another was begun"])
        }
    }

    @Test("a task whose key is revoked ends, and the page asks for a key", .enabled(if: node != nil))
    func revokedKey() async throws {
        try await withTemporaryFolder { folder in
            let sent = try await told(by: Self.refusing, ["trial", "401"], in: folder)
            #expect(
                sent == ["taskBegin true", "trial 401", "asks for a key", "The task ended: no", "taskAborted 401"])
        }
    }
}
