/// Script: what the page knows of the session that runs, and what it shows of it.
enum DashboardBoard {
    static let source = #"""
        /** What the page knows of the session that runs, and what it shows of it. */
        const view = { session: null, traces: [], streams: [], devices: new Map(), metrics: new Map(), predictions: new Map(), rhythms: [], tags: [], time: 0, arrived: 0,
          ahead: null, heart: null, heartTime: 0, rhythm: null, rights: [], tachogram: null, ink: null, run: null, disk: null, notes: [] };

        function showProblem(text) {
          $("problem").textContent = text;
          $("problem").hidden = !text;
        }

        /** What is wrong with the disk; null takes back what was said of it, and nothing else. */
        function tellDisk(problem) {
          if (problem) showProblem(problem); else if (view.disk && $("problem").textContent === view.disk) showProblem("");
          view.disk = problem;
        }

        /** Does something that may fail, and says why when it does. */
        async function attempt(body) {
          showProblem("");
          try { return await body(); } catch (error) {
            if (error.status === 401) askForKey();
            showProblem(error.message);
          }
        }

        /** The key that is known allows nothing here. */
        function askForKey() {
          sessionStorage.removeItem("key");
          feed.stop();
          openPage("key");
        }

        function openPage(name) {
          for (const page of ["key", "session", "tasks", "history"]) $("page-" + page).hidden = page !== name;
          for (const button of document.querySelectorAll("nav button")) {
            if (button.dataset.page === name) button.setAttribute("aria-current", "page"); else button.removeAttribute("aria-current");
          }
          if (name === "history") attempt(listSessions);
          if (name === "tasks" || name === "session") attempt(listStandings);
        }

        // MARK: - The state and what changes it

        function takeState(state) {
          const previous = view.session && view.session.id, isRunning = state.session && state.session.phase === "running";
          if (view.run && !view.run.isDone && !(isRunning && state.session.id === view.run.session)) view.run.fail(new Error("the session is over"));
          view.session = state.session;
          const isNew = !state.session || previous !== state.session.id || view.streams.length !== state.streams.length;
          if (isNew) {
            Object.assign(view, { traces: [], streams: [], devices: new Map(), metrics: new Map(), predictions: new Map(), rhythms: [],
              tags: [], ahead: null, heart: null, heartTime: 0, rhythm: null, time: 0 });
            $("heart-source").textContent = $("heart-more").textContent = "";
            $("traces").replaceChildren();
            $("more-traces").replaceChildren();
            $("metrics").replaceChildren();
            $("metrics-panel").hidden = true;
            $("words").replaceChildren();
            $("rate").textContent = "–";
            view.tachogram.points = [];
            for (const stream of state.streams) addStream(stream);
          }
          for (const prediction of state.predictions) addPrediction(prediction);
          view.notes = state.notes;
          view.rhythms = state.rhythmEvents;
          view.tags = state.markers;
          for (const device of state.devices) view.devices.set(device.device, device);
          if (state.t) { view.time = state.t; view.arrived = performance.now(); } else view.arrived = 0;
          drawSession();
        }

        function drawSession() {
          const session = view.session;
          $("idle").hidden = session !== null;
          $("notes").hidden = !view.notes.length;
          showItems($("notes"), view.notes, note => el("p", {}, note));
          $("live").hidden = session === null;
          if (session) {
            const isCheck = session.phase === "checking";
            $("who").textContent = isCheck ? "checking, nothing is recorded" : "sub-" + session.participant
              + (session.task ? ", " + session.task : "") + (session.planned ? ", of " + clock(session.planned) : "");
            $("timer").classList.toggle("rec", !isCheck);
            $("written-figure").hidden = isCheck;
            $("check-tools").hidden = !isCheck;
            $("session-tools").hidden = isCheck;
            $("add-device").hidden = !isCheck;
            $("finish").disabled = $("tag").disabled = session.phase !== "running";
            $("finish").textContent = session.phase === "running" ? "Finish" : "computing…";
          }
          drawDevices();
          drawRhythms();
          drawTags();
          drawTasks();
        }

        function addStream(stream) {
          view.streams[stream.index] = stream;
          if (stream.sampleRate > 0) {
            const trace = new Trace(stream);
            view.traces[stream.index] = trace;
            const order = ["ecg", "bvp", "eeg", "eda", "respiration"];
            const rank = kind => order.includes(kind) ? order.indexOf(kind) : order.length;
            const place = rank(stream.kind) < order.length ? $("traces") : $("more-traces");
            const later = view.traces.find(other => other && other.figure.parentNode === place && rank(other.stream.kind) > rank(stream.kind));
            place.insertBefore(trace.figure, later ? later.figure : null);
            $("more").hidden = !$("more-traces").children.length;
          }
          const metric = stream.stream.split("-").pop();
          if (metricTitles[metric]) {
            view.metrics.set(stream.index, new Metric(metric));
            $("metrics").append(view.metrics.get(stream.index).node);
            $("metrics-panel").hidden = false;
          }
          $("no-traces").hidden = view.traces.length > 0;
          drawDevices();
          drawTasks();
        }

        /** A dial or reading for a prediction of the session. */
        function addPrediction(prediction) {
          const known = view.predictions.get(prediction.name), hasEnded = prediction.t !== null && prediction.value === null;
          if (known) {
            if (known.catchUp) known.catchUp(prediction.count);
            if (hasEnded) known.end(prediction.t + (prediction.duration || 0));
            return;
          }
          const shown = prediction.isMetric || prediction.name === "sleep" ? new Metric(prediction.name, prediction.title) : new Reading(prediction);
          view.predictions.set(prediction.name, shown);
          $("metrics").append(shown.node);
          $("metrics-panel").hidden = false;
          if (prediction.t !== null && !hasEnded) shown.take(prediction.t + (prediction.duration || 0), prediction.value);
          if (shown.catchUp && prediction.count) shown.catchUp(prediction.count);
          if (hasEnded) shown.end(prediction.t + (prediction.duration || 0));
        }

        function device(name) {
          if (!view.devices.has(name)) view.devices.set(name, { device: name, state: "unknown", battery: null, title: "", electrodes: {}, qa: null, paused: false });
          return view.devices.get(name);
        }

        /** A row per device. What it tells is drawn again each time; its buttons stay as long as they mean the same. */
        function drawDevices() {
          const devices = [...view.devices.values()];
          showItems($("device-list"), devices.map(device => device.device), name =>
            el("div", { class: "device-row" }, el("div", { class: "device" }), el("div", { class: "row", "data-right": "record", role: "group", "aria-label": "What to do with " + name })));
          devices.forEach((device, i) => {
            const [card, tools] = $("device-list").children[i].children;
            const eeg = view.streams.filter(stream => stream && stream.device === device.device && stream.kind === "eeg");
            card.replaceChildren(...deviceCard(device, Object.fromEntries(eeg.flatMap(channelFits))));
            showItems(tools, deviceTools(device, view.session && view.session.phase), deviceButton);
          });
        }

        function drawRhythms() {
          $("rhythm-count").textContent = view.rhythms.length || "";
          showItems($("rhythms"), view.rhythms.slice().reverse(), event => el("li", {}, el("span", {}, clock(event.t)),
            el("span", {}, event.rhythm), el("button", { class: "small", type: "button", "data-right": "record", "aria-label": "Delete " + event.rhythm + " at " + clock(event.t),
              onclick: () => attempt(() => service.call("DELETE", "/api/live/rhythm-events/" + event.id)) }, "Delete")));
        }

        function drawTags() {
          const tags = view.tags.filter(tag => tag.stream !== "calibration");
          $("tag-count").textContent = tags.length || "";
          $("tags").replaceChildren(...tags.slice(-100).reverse().map(tag => el("li", {}, el("span", {}, clock(tag.t)), el("span", {}, tag.label))));
        }

        function say(t, text) {
          $("words").prepend(el("li", {}, el("span", {}, clock(t)), el("span", {}, text)));
          while ($("words").children.length > 50) $("words").lastChild.remove();
        }

        function listen() {
          const streamNamed = name => view.streams.find(stream => stream && stream.stream === name);
          feed.onlink = (isThere, words) => {
            $("link").textContent = isThere ? "● live" : "○ " + words + "; trying again";
            $("link").className = isThere ? "" : "lost";
          };
          feed.on("state", takeState);
          feed.on("stream", event => { addStream({ ...event, heartRate: null, quality: null, reasons: [] }); });
          feed.on("connection", event => {
            Object.assign(device(event.device), { state: event.state, reason: event.reason, wait: null });
            // Earlier reports of a lost device are out of date.
            if (event.state !== "connected") Object.assign(device(event.device), { qa: null, paused: false, battery: null, contact: null, electrodes: {} });
            drawDevices();
            say(event.t, event.device + " " + (stateWords[event.state] || event.state));
          });
          feed.on("retrying", event => { device(event.device).wait = event.in; drawDevices(); });
          feed.on("identity", event => { device(event.device).title = [event.manufacturer, event.model].filter(Boolean).join(" "); drawDevices(); });
          feed.on("status", event => {
            const known = device(event.device);
            if (event.battery !== undefined) known.battery = event.battery;
            if (event.contact !== undefined) known.contact = event.contact;
            if (event.paused !== undefined) known.paused = event.paused;
            if (event.electrodes) Object.assign(known.electrodes, event.electrodes);
            drawDevices();
          });
          feed.on("qa", event => { device(event.device).qa = event; drawDevices(); });
          feed.on("remark", event => say(event.t, event.device + ": " + event.text));
          feed.on("samples", event => {
            const trace = view.traces[event.stream];
            if (!trace) return;
            trace.take(event);
            // How far the newest sample is ahead of the page's clock; what is shown follows smoothly behind it.
            const ahead = trace.last - performance.now() / 1000;
            view.ahead = view.ahead === null || ahead > view.ahead + 2 || ahead < view.ahead - 3 ? ahead : Math.max(ahead, view.ahead - 0.002);
          });
          feed.on("values", event => {
            const metric = view.metrics.get(event.stream), stream = view.streams[event.stream];
            for (const [t, value] of event.rows) {
              if (metric) metric.take(t, value === null ? NaN : value);
              else if (stream && stream.kind === "heartRate" && value > 0) takeRate(stream, t, value);
            }
            if (metric) metric.timeline.draw(view.ink);
          });
          feed.on("prediction", event => {
            const shown = view.predictions.get(event.prediction);
            if (!shown) return;
            // A value that ended is no value of its own.
            if (event.reason) shown.end(event.t + (event.duration || 0));
            else shown.take(event.t + (event.duration || 0), event.value === null ? NaN : event.value);
            shown.timeline.draw(view.ink);
          });
          feed.on("signal", event => takeSignal(streamNamed(event.stream), event));
          feed.on("epoch", event => {
            const stream = streamNamed(event.stream);
            if (!stream) return;
            stream.epochs = event.usable ? [...(stream.epochs || []), event.usable].slice(-10) : [];
            drawDevices();
          });
          feed.on("task", event => beginTask(event.task));
          feed.on("failure", event => { say(event.t, event.device + ": " + event.text); });
          feed.on("beat", event => {
            if (!isHeart(streamNamed(event.stream), event.t)) return;
            $("heart").classList.remove("beat");
            void $("heart").offsetWidth;
            $("heart").classList.add("beat");
          });
          feed.on("heartRate", event => event.heartRate === null ? endHeart(streamNamed(event.stream)) : takeRate(streamNamed(event.stream), event.t, event.heartRate));
          feed.on("quality", event => {
            const stream = streamNamed(event.stream);
            if (stream && view.traces[stream.index]) view.traces[stream.index].setQuality(event.coverage > 0 ? event.quality : null, event.reasons);
          });
          feed.on("hrv", event => {
            if (view.heart !== streamNamed(event.stream)) return;
            $("heart-more").textContent = event.values.rmssd ? "RMSSD " + Math.round(event.values.rmssd) + " ms, last " + clock(event.duration)
              : event.reason ? "RMSSD n/a" : "";
          });
          feed.on("rhythm", event => {
            if (event.rhythm === null) { if (view.heart === streamNamed(event.stream)) view.rhythm = null; return; }
            // Channels of one stream, and all other streams, see the same heart.
            if (!isHeart(streamNamed(event.stream), event.t) || view.rhythm === event.rhythm) return;
            view.rhythm = event.rhythm;
            say(event.t, "rhythm: " + event.rhythm);
            if (["regular", "unreadable", "undetermined"].includes(event.rhythm)) return;
            const id = view.session && view.session.id;
            service.call("GET", "/api/live/rhythm-events").then(list => {
              // The answer may come when another session has begun.
              if (!view.session || view.session.id !== id) return;
              view.rhythms = list.items;
              drawRhythms();
            }, () => {});
          });
          feed.on("rhythmDeleted", event => { view.rhythms = view.rhythms.filter(known => known.id !== event.id); drawRhythms(); });
          feed.on("marker", event => { view.tags.push(event); drawTags(); });
          feed.on("pulse", event => {
            view.time = event.t;
            view.arrived = performance.now();
            giveUpHeart();
            $("written").textContent = size(event.written);
            $("free").textContent = "written" + (event.free === null ? "" : ", " + size(event.free) + " free");
            // A lost frame is lost on each of its channels.
            const losses = event.streams.map(stream => [stream.stream, stream.lost * stream.last.length + stream.missing]).filter(loss => loss[1]);
            $("lost").textContent = losses.reduce((sum, loss) => sum + loss[1], 0);
            $("lost").className = "figure" + (losses.length ? " poor" : "");
            $("lost-where").textContent = "samples lost" + (losses.length ? ": " + losses.map(loss => loss.join(" ")).join(", ") : "");
            // A page that was hidden did not hear of it when it came, or went.
            tellDisk(event.problem);
          });
          feed.on("disk", event => {
            tellDisk(event.problem);
            say(event.t, event.problem || "the recording is written again");
          });
        }

        /** Seconds after which a heart that nothing was told of is lost: a beat detector looks ahead by a few. */
        const longestSilence = 15;

        /**
         * Whether a stream that tells something is the one the heart is told from: an ECG rather than a pulse, the device's own
         * figure last, of those that still beat.
         */
        function isHeart(stream, t) {
          const order = ["ecg", "ibi", "bvp", "heartRate"], rank = known => order.indexOf(known.kind);
          if (!stream || rank(stream) < 0) return false;
          const isLost = t - view.heartTime > longestSilence;
          if (view.heart && view.heart !== stream && rank(view.heart) <= rank(stream) && !isLost) return false;
          if (view.heart !== stream) {
            view.heart = stream;
            view.tachogram.points = [];
            $("heart-source").textContent = "from " + stream.stream;
            $("heart-more").textContent = "";
          }
          view.heartTime = Math.max(view.heartTime, t);
          return true;
        }

        /** A rate that is no longer told is not shown. */
        function giveUpHeart() {
          if (view.heart && view.time - view.heartTime > longestSilence) endHeart(view.heart);
        }

        /** The heart rate of a stream ended; that of another stream may follow at once. */
        function endHeart(stream) {
          if (!view.heart || view.heart !== stream) return;
          $("rate").textContent = "n/a";
          $("heart-source").textContent = "lost: " + view.heart.stream;
          $("heart-more").textContent = "";
          view.heart = null;
        }

        /** Samples of a stream ended, or came again. */
        function takeSignal(stream, event) {
          if (!stream) return;
          stream.noSignalSince = event.present ? null : event.since;
          const trace = view.traces[stream.index], metric = view.metrics.get(stream.index);
          if (trace) trace.setSignal(stream.noSignalSince);
          if (event.present) return;
          if (metric) { metric.end(event.since); metric.timeline.draw(view.ink); }
          endHeart(stream);
          if (stream.kind === "eeg") { stream.epochs = []; device(stream.device).electrodes = {}; }
          const regular = view.streams.filter(other => other && other.device === stream.device && other.sampleRate > 0);
          if (regular.length && regular.every(other => (other.noSignalSince ?? null) !== null)) device(stream.device).battery = null;
          drawDevices();
        }

        function takeRate(stream, t, rate) {
          if (!isHeart(stream, t)) return;
          $("rate").textContent = Math.round(rate);
          view.tachogram.take(t, rate);
          view.tachogram.draw(view.ink);
        }

        /** Sixty times a second: the traces; once a second the rest. */
        function drawFrame() {
          if (!$("live").hidden && !$("page-session").hidden) {
            if (view.ahead !== null) {
              const now = performance.now() / 1000 + view.ahead - 0.35;
              for (const trace of view.traces) if (trace && isVisible(trace.canvas)) trace.draw(now, view.ink);
            }
            const seconds = view.arrived ? view.time + (performance.now() - view.arrived) / 1000 : 0;
            const text = clock(view.session && view.session.phase !== "analyzing" ? seconds : view.time);
            if ($("timer").textContent !== text) $("timer").textContent = text;
          }
          requestAnimationFrame(drawFrame);
        }

        function isVisible(node) {
          const box = node.getBoundingClientRect();
          return box.bottom > 0 && box.top < innerHeight;
        }

        function readInk() { view.ink = { trace: colour("trace"), soft: colour("soft"), beat: colour("beat") }; }
        """#
}
