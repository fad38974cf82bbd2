/// Script: devices, the head with its electrodes, dials of metrics.
enum DashboardViews {
    static let source = #"""
        /** Where electrodes sit on a head seen from above, nose up, in a circle of radius 1 (international 10-20 and 10-10). */
        const electrodePlaces = { Fp1: [-.31, -.95], Fp2: [.31, -.95], Fpz: [0, -1], AF7: [-.59, -.81], AF8: [.59, -.81], F7: [-.81, -.59],
          F8: [.81, -.59], F3: [-.4, -.53], F4: [.4, -.53], Fz: [0, -.5], T7: [-1, 0], T8: [1, 0], C3: [-.5, 0], C4: [.5, 0], Cz: [0, 0],
          TP9: [-1.02, .36], TP10: [1.02, .36], P7: [-.81, .59], P8: [.81, .59], P3: [-.4, .53], P4: [.4, .53], Pz: [0, .5],
          PO7: [-.59, .81], PO8: [.59, .81], O1: [-.31, .95], O2: [.31, .95], Oz: [0, 1] };

        function svg(name, attributes, ...children) {
          const node = document.createElementNS("http://www.w3.org/2000/svg", name);
          for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
          node.append(...children);
          return node;
        }

        /** How an electrode sits, by its fit from 0 (perfect) to 1 (no signal); null where the device does not say. */
        function fitWord(fit) { return fit === null ? "n/a" : fit < 0.35 ? "good" : fit < 0.7 ? "fair" : "poor"; }

        /** A head with its electrodes; what a colour says is also said by a letter. */
        function headMap(electrodes) {
          const known = Object.entries(electrodes).filter(([label]) => electrodePlaces[label]);
          if (!known.length) return null;
          const words = known.map(([label, fit]) => label + " " + fitWord(fit)).join(", ");
          const head = svg("svg", { viewBox: "-1.35 -1.3 2.7 2.6", role: "img", "aria-label": "Electrodes: " + words },
            svg("path", { d: "M-.16 -1.07 L0 -1.25 L.16 -1.07", fill: "none", stroke: "currentColor", "stroke-width": .025 }),
            svg("circle", { r: 1.08, fill: "none", stroke: "currentColor", "stroke-width": .025 }));
          for (const [label, fit] of known) {
            const [x, y] = electrodePlaces[label], word = fitWord(fit);
            head.append(svg("circle", { cx: x, cy: y, r: .19, fill: colour("paper"), stroke: word === "n/a" ? colour("soft") : colour(word), "stroke-width": word === "fair" || word === "poor" ? .09 : .05,
              "stroke-dasharray": word === "fair" ? ".12 .06" : "none" }));
            const text = svg("text", { x, y: y + .05, "font-size": label.length > 3 ? .125 : .15, "text-anchor": "middle", fill: "currentColor" });
            text.textContent = word === "poor" ? "✕" : label;
            head.append(text);
            if (word === "poor") {
              const name = svg("text", { x, y: y + .33, "font-size": .13, "text-anchor": "middle", fill: "currentColor" });
              name.textContent = label;
              head.append(name);
            }
          }
          return head;
        }

        const stateWords = { connected: "connected", connecting: "connecting…", connectionFailed: "cannot be reached", disconnected: "connection lost",
          disconnectedUponRequest: "disconnected", unknown: "not connected yet" };

        /** One device: connection, battery, verdict, electrodes (of which `electrodes` are known from its streams). */
        function deviceCard(device, electrodes) {
          const battery = device.battery === null ? null : Math.round(device.battery * 100);
          const qa = device.qa;
          const word = !qa ? (device.state === "connected" ? "signals not judged yet" : "signals n/a") : qa.passed ? "signals pass" : "signals do not pass: " + qa.reasons.map(inWords).join(", ");
          return [
            el("p", {}, el("strong", {}, device.device), device.title ? el("span", { class: "soft" }, " " + device.title) : null),
            el("p", { class: battery !== null && battery < 15 ? "poor" : "" },
              battery !== null ? "battery " + battery + " %" : device.state !== "connected" && device.title ? "battery n/a" : ""),
            el("p", { class: device.state !== "connected" ? "poor" : device.paused ? "fair" : "good" },
              (device.state === "connected" ? "● " : "○ ") + (device.wait ? "again in " + device.wait + " s" : stateWords[device.state] || device.state)
                + (device.state === "connected" ? device.paused ? ", paused" : "" : device.reason ? ": " + device.reason : "")),
            el("p", { class: "soft" }, device.contact === false ? "no skin contact" : ""),
            el("p", { class: qa ? (qa.passed ? "good" : "poor") : "soft", style: "grid-column: 1 / -1" }, (qa ? (qa.passed ? "✓ " : "✕ ") : "") + word),
            qa && qa.warning ? el("p", { class: "fair", style: "grid-column: 1 / -1" }, "! " + qa.warning) : null,
            headMap({ ...electrodes, ...device.electrodes })].filter(Boolean);
        }

        /** What may be asked of a device now: words of the service and of people. Nothing is paused that is not recorded. */
        function deviceTools(device, phase) {
          const tools = [], isAway = device.state === "disconnectedUponRequest";
          if (phase === "running" && device.state === "connected") tools.push(device.paused ? ["resume", "Go on"] : ["pause", "Pause"]);
          if (["checking", "running"].includes(phase)) tools.push(isAway ? ["connect", "Connect"] : ["disconnect", "Disconnect"]);
          return tools.map(([command, words]) => ({ device: device.device, command, words }));
        }

        /** A button for one of them. */
        function deviceButton({ device, command, words }) {
          return el("button", { class: "small", type: "button", "aria-label": words + ": " + device, onclick: () => attempt(() => {
            if (["connect", "disconnect"].includes(command)) return service.call("POST", "/api/devices/" + command, { device });
            return service.call("POST", "/api/sessions/" + view.session.id + "/commands", { command, device });
          }) }, words);
        }

        /** How each electrode of a stream did in the last ten epochs: the share in which it could not be used. */
        function channelFits(stream) {
          const epochs = stream.epochs || [];
          return stream.channels.map((channel, i) => [channel.label,
            epochs.length ? epochs.filter(usable => !usable[i]).length / epochs.length : null]);
        }

        const metricTitles = { focus: "Focus", enjoyment: "Enjoyment", visualAttention: "Visual attention", auditoryAttention: "Auditory attention",
          cognitiveWorkload: "Cognitive workload", sleep: "Sleep", blink: "Blink" };

        /** A prediction without bounds: its last value and a timeline. */
        class Reading {
          constructor(prediction) {
            this.unit = unit(prediction.unit);
            this.figure = el("div", { class: "figure" }, "–");
            this.canvas = el("canvas", { role: "img", "aria-label": prediction.title + " over the last five minutes" });
            this.timeline = new Timeline(this.canvas, { height: 54 });
            this.count = 0;
            this.isBlink = prediction.name === "blink";
            this.node = el("figure", { class: "dial trace" }, el("figcaption", { style: "justify-content:center" }, prediction.title),
              el("div", { class: "icon", "aria-hidden": "true" }, prediction.icon), this.figure, this.isBlink ? null : this.canvas);
          }

          /** So many were told so far, those that the page did not see included. */
          catchUp(count) {
            this.count = count;
            if (this.isBlink) this.figure.textContent = count;
          }

          /** Nothing is known from `t` on. How many there were stays known. */
          end(t) {
            this.figure.textContent = "n/a";
            this.timeline.take(t, NaN);
          }

          take(t, value) {
            if (this.isBlink && !Number.isFinite(value)) return this.end(t);
            this.count += 1;
            if (this.isBlink) this.figure.textContent = this.count;
            else this.figure.textContent = Number.isFinite(value) ? Math.round(value) + " " + this.unit : "n/a";
            this.timeline.take(t, value);
          }
        }

        /** A metric: a dial and a timeline with the neutral line, both broken where nothing can be said. */
        class Metric {
          constructor(name, title) {
            this.needle = svg("line", { x1: 50, y1: 50, x2: 50, y2: 14, stroke: "currentColor", "stroke-width": 3, "stroke-linecap": "round" });
            this.figure = el("div", { class: "figure" }, "–");
            this.canvas = el("canvas", { role: "img", "aria-label": (title || metricTitles[name]) + " over the last five minutes" });
            this.timeline = new Timeline(this.canvas, { height: 54, range: [0, 1], line: 0.5 });
            const arc = svg("path", { d: "M10 50 A40 40 0 0 1 90 50", fill: "none", stroke: "var(--rule)", "stroke-width": 7 });
            const neutral = svg("line", { x1: 50, y1: 4, x2: 50, y2: 16, stroke: "var(--soft)", "stroke-width": 2 });
            const dial = svg("svg", { viewBox: "0 0 100 56", "aria-hidden": "true" }, arc, neutral, this.needle);
            this.node = el("figure", { class: "dial trace" }, el("figcaption", { style: "justify-content:center" }, title || metricTitles[name]), dial, this.figure, this.canvas);
          }

          /** Nothing is known from `t` on. */
          end(t) { this.take(t, NaN); }

          take(t, value) {
            const isThere = value >= 0 && value <= 1;
            this.timeline.take(t, isThere ? value : NaN);
            this.figure.textContent = isThere ? value.toFixed(2) : "n/a";
            this.needle.setAttribute("transform", "rotate(" + (isThere ? (Math.min(1, value) - 0.5) * 180 : 0) + " 50 50)");
            this.needle.setAttribute("opacity", isThere ? 1 : 0.2);
          }
        }
        """#
}
