/// Script: what people do on the page.
enum DashboardMain {
    static let source = #"""
        function wish() {
          const minutes = Number($("minutes").value);
          const body = { participant: $("participant").value.trim(), devices: $("devices").value.split("\n").map(line => line.trim()).filter(Boolean) };
          if ($("task").value.trim()) body.task = $("task").value.trim();
          if ($("session-label").value.trim()) body.session = $("session-label").value.trim();
          if (minutes > 0) body.duration = minutes * 60;
          body.predictions = [...document.querySelectorAll("#prediction-list input:checked")].map(box => box.value);
          return body;
        }

        /** Devices without the keys of accounts (key=…), which are not kept in the browser. */
        function withoutKeys(lines) {
          return lines.replace(/,[ \t]*key[ \t]*=[^,\n]*(,[^,=\n]*(?=,|$))*/gm, "");
        }

        /** The devices in the field, for the next time. */
        function keepDevices() { localStorage.setItem("devices", withoutKeys($("devices").value)); }

        /** A session, with the devices of the check that runs or of the field. */
        async function startSession(event) {
          event.preventDefault();
          for (const id of ["start", "check", "start-checked"]) $(id).disabled = true;
          keepDevices();
          const body = wish();
          // Devices may have been added to the check, or taken away from it: the service knows which it has.
          if (view.session && view.session.phase === "checking") delete body.devices;
          await attempt(() => service.call("POST", "/api/sessions", body));
          for (const id of ["start", "check", "start-checked"]) $(id).disabled = false;
        }

        /** The devices' signals without a recording. */
        async function checkSignals() {
          if (!$("start-form").reportValidity()) return;
          $("check").disabled = true;
          keepDevices();
          await attempt(() => service.call("POST", "/api/check", { devices: wish().devices }));
          $("check").disabled = false;
        }

        /** One more device for the check that runs. */
        async function addDevice(event) {
          event.preventDefault();
          await attempt(async () => {
            await service.call("POST", "/api/devices/connect", { device: $("new-device").value.trim() });
            $("new-device").value = "";
          });
        }

        async function scan() {
          $("scan").disabled = true;
          $("found").textContent = "Listening…";
          const answer = await attempt(() => service.call("POST", "/api/devices/scan", { duration: 6 }));
          $("scan").disabled = false;
          const items = answer ? answer.items : [];
          $("found").replaceChildren(...items.map(found => el("button", { class: "small", type: "button", onclick: () => {
            $("devices").value = ($("devices").value.trim() + "\n" + found.device).trim();
          } }, "+ " + (found.name || found.device))));
          if (!items.length && answer) $("found").textContent = "No device was heard: switch it on, wear it, come nearer.";
        }

        /** Where everybody stands; what the participant in the form may be told of. */
        async function listStandings() {
          const [{ items }, predictions] = await Promise.all([service.call("GET", "/api/calibrations"), service.call("GET", "/api/predictions")]);
          view.standings = items;
          view.offered = predictions.items;
          const words = { unknown: "not begun", blocked: "blocked", needsCalibration: "needs calibration", calibrationDone: "calibrated, no model yet", modelsAvailable: "model available" };
          // One that rests on others stands where they do, without a cause of its own.
          const needs = name => (view.offered.find(known => known.name === name) || { calibrations: [] }).calibrations;
          const why = known => known.cause || "rests on " + needs(known.name).map(name => inWords(name).toLowerCase()).join(" and ");
          const rows = items.flatMap(person => person.predictions.filter(known => known.status > -100 && (known.cause || needs(known.name).length))
            .map(known => ({ ...known, participant: person.participant, why: why(known) })));
          showItems($("standings"), rows, known => el("tr", {},
            el("td", {}, "sub-" + known.participant), el("td", {}, known.icon + " " + known.title),
            el("td", { class: known.status === 2 ? "good" : known.status < 0 ? "poor" : "" }, words[known.statusName] || known.statusName),
            el("td", { class: "soft" }, known.why), el("td", {}, known.model && known.status === 2
              ? el("button", { class: "small", type: "button", onclick: () => openTicket("/api/models/" + known.model + "/ticket") }, "Model card") : "")));
          if (!rows.length) $("standings").replaceChildren(el("tr", {}, el("td", { colspan: 5, class: "soft" }, "Nobody has been calibrated yet.")));
          drawChoice();
          drawTasks();
        }

        /** The predictions that the participant in the form can have. */
        function drawChoice() {
          if (!view.offered) return;
          const person = (view.standings || []).find(known => known.participant === $("participant").value.trim());
          const chosen = new Set([...document.querySelectorAll("#prediction-list input:checked")].map(box => box.value));
          $("prediction-choice").hidden = !view.offered.length;
          const choices = view.offered.map(prediction => {
            const standing = person && person.predictions.find(known => known.name === prediction.name);
            const isReady = !prediction.calibrations.length ? !standing || standing.status === 2 : Boolean(standing && standing.status === 2);
            return { ...prediction, isReady };
          });
          showItems($("prediction-list"), choices, ({ name, icon, title, isReady }) => el("label", { class: isReady ? "" : "soft" },
            el("input", { type: "checkbox", value: name, disabled: !isReady, checked: isReady && chosen.has(name) }), icon + " " + title));
        }

        /** A task that was asked for from elsewhere. */
        function beginTask(id) {
          const task = calibrationTasks.find(known => known.id === id);
          if (!task || !view.session || view.session.phase !== "running" || !$("stage").hidden) return;
          new TaskRun(task, view.session.id, taskScale()).run();
        }

        /** ?taskScale=0.05 makes a task twenty times as quick, to try it. */
        function taskScale() { return Number(new URLSearchParams(location.search).get("taskScale")) || 1; }

        function tag(label) {
          if (!view.rights.includes("record") || !view.session || view.session.phase !== "running") return;
          attempt(() => service.call("POST", "/api/sessions/" + view.session.id + "/tags", { tags: [{ label }] }));
        }

        async function listSessions() {
          const { items } = await service.call("GET", "/api/sessions");
          const when = start => new Date(start * 1000).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
          items.sort((a, b) => b.start - a.start || b.id - a.id);
          showItems($("sessions"), items, session => el("tr", {}, el("td", {}, when(session.start)), el("td", {}, "sub-" + session.participant),
            el("td", {}, session.session || ""), el("td", {}, session.task || ""), el("td", { class: "n" }, session.run || ""),
            el("td", {}, session.isRunning ? "running" : session.isInterrupted ? "interrupted; see marey recover" : session.status === "running" ? "recorded by another program" : session.status + (session.message ? ": " + session.message : "")),
            el("td", {}, el("div", { class: "row" },
              session.hasReport ? el("button", { class: "small", type: "button", onclick: () => openFile(session.id, "report.html") }, "Report") : null,
              el("button", { class: "small", type: "button", onclick: () => attempt(() => listFiles(session)) }, "Files")))));
          if (!items.length) $("sessions").replaceChildren(el("tr", {}, el("td", { colspan: 7, class: "soft" }, "None yet.")));
        }

        async function listFiles(session) {
          const path = "/api/sessions/" + session.id + "/files", { items } = await service.call("GET", path);
          const name = ["sub-" + session.participant, session.session && "ses-" + session.session, session.task && "task-" + session.task,
            session.run && "run-" + session.run].filter(Boolean).join("_");
          const list = files => el("ul", { class: "plain" }, ...files.map(file => el("li", {}, el("span", {}, size(file.size)), el("span", {}, file.name),
            el("button", { class: "small", type: "button", "aria-label": "Download " + file.name,
              onclick: () => attempt(() => service.download(path + "/" + encodeURIComponent(file.name), name + "_" + file.name)) }, "Download"))));
          // What is of one stream is much, and seldom looked at here.
          const ofStreams = items.filter(file => file.name.startsWith("recording-")), main = items.filter(file => !ofStreams.includes(file));
          $("files").replaceChildren(el("h3", {}, "Files of " + name), list(main),
            ofStreams.length ? el("details", {}, el("summary", {}, "Tables of single streams (" + ofStreams.length + ")"), list(ofStreams)) : "");
          $("files").hidden = false;
          $("files").focus();
        }

        /** A file in a window of its own, through a link that works once. */
        function openFile(session, name) { openTicket("/api/sessions/" + session + "/files/" + encodeURIComponent(name) + "/ticket"); }

        function openTicket(path) {
          const page = window.open("", "_blank");
          attempt(async () => {
            const { url } = await service.call("POST", path);
            if (page) { page.opener = null; page.location = url; } else location.href = url;
          });
        }

        function drawTasks() {
          const isRunning = view.session !== null && view.session.phase === "running";
          const hasEEG = view.streams.some(stream => stream && stream.kind === "eeg");
          const person = isRunning && (view.standings || []).find(known => known.participant === view.session.participant);
          const isBlocked = id => Boolean(person) && person.predictions.some(known => known.name === id && known.status === -1);
          $("tasks-need").hidden = isRunning && hasEEG;
          const items = calibrationTasks.map(task => ({ id: task.id, isBlocked: isBlocked(task.id), isReady: isRunning && hasEEG && !isBlocked(task.id) }));
          showItems($("task-list"), items, ({ id, isBlocked, isReady }) => {
            const task = calibrationTasks.find(known => known.id === id);
            return el("div", { class: "panel row" },
              el("div", { style: "flex: 1 1 16rem" }, el("h3", {}, task.title + " ", el("small", { class: "soft" }, "about " + task.minutes + " min")), task.about),
              isBlocked ? el("p", { class: "poor" }, "blocked for this participant") : null,
              el("button", { type: "button", class: "main", "data-right": "record", disabled: !isReady, "aria-label": "Run " + task.title,
                onclick: () => new TaskRun(task, view.session.id, taskScale()).run() }, "Run"));
          });
        }

        async function open() {
          const about = await service.call("GET", "/api/service");
          $("study").textContent = about.study;
          document.title = about.study + " – Marey";
          view.rights = about.rights;
          document.body.classList.toggle("reader", !about.rights.includes("record"));
          const [participants, devices] = await Promise.all([service.call("GET", "/api/participants"), service.call("GET", "/api/devices")]);
          $("participants").replaceChildren(...participants.items.map(known => el("option", { value: known.participant })));
          $("models").textContent = "Kinds: " + devices.models.map(model => model.id).join(", ")
            + (devices.serialPorts.length ? "; serial ports: " + devices.serialPorts.join(", ") : "");
          openPage("session");
          feed.start();
        }

        /** Opens the page, or asks for a key that may see it. */
        function enter() {
          return attempt(async () => {
            try { await open(); } catch (error) {
              if (error.status === 403) askForKey();
              throw error;
            }
          });
        }

        function main() {
          readInk();
          matchMedia("(prefers-color-scheme: dark)").addEventListener("change", readInk);
          view.tachogram = new Timeline($("tachogram"), { height: 70, ink: "beat" });
          $("devices").value = withoutKeys(localStorage.getItem("devices") || "");
          // Older versions kept keys as well.
          keepDevices();
          for (const button of document.querySelectorAll("nav button")) button.addEventListener("click", () => openPage(button.dataset.page));
          $("key-form").addEventListener("submit", event => {
            event.preventDefault();
            sessionStorage.setItem("key", $("key").value.trim());
            service.takeKey();
            enter();
          });
          $("participant").addEventListener("input", drawChoice);
          $("start-form").addEventListener("submit", startSession);
          $("start-checked").addEventListener("click", startSession);
          $("check").addEventListener("click", checkSignals);
          $("end-check").addEventListener("click", () => attempt(() => service.call("DELETE", "/api/check")));
          $("scan").addEventListener("click", scan);
          $("add-device").addEventListener("submit", addDevice);
          $("tag").addEventListener("click", () => tag($("tag-label").value.trim() || "tag"));
          $("finish").addEventListener("click", () => attempt(() => service.call("POST", "/api/sessions/" + view.session.id + "/finish")));
          document.addEventListener("keydown", event => {
            const isTyping = ["INPUT", "TEXTAREA", "SELECT"].includes(event.target.tagName);
            if (isTyping || event.ctrlKey || event.metaKey || event.altKey || event.repeat || !$("stage").hidden) return;
            if (event.key === "t" || event.key === "T") tag($("tag-label").value.trim() || "tag");
            else if (/^[1-9]$/.test(event.key)) tag(event.key);
          });
          listen();
          drawTasks();
          requestAnimationFrame(drawFrame);
          attempt(() => service.takeCode()).then(() => service.takeKey() ? enter() : openPage("key"));
        }

        main();
        """#
}
