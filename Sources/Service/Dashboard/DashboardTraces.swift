/// Script: signals on canvas, and timelines.
enum DashboardTraces {
    static let source = #"""
        /** One stream's last seconds: least and greatest per bin, in rings that are written by time. */
        class Trace {
          static seconds = 10;

          constructor(stream) {
            this.stream = stream;
            this.rings = null;
            this.last = -1;
            this.scales = stream.channels.map(() => ({ low: NaN, high: NaN }));
            this.canvas = el("canvas", { role: "img" });
            this.quality = el("span", {}, "");
            this.figure = el("figure", { class: "trace" },
              el("figcaption", {}, el("strong", {}, stream.stream + (unit(stream.channels[0].unit) ? " (" + unit(stream.channels[0].unit) + ")" : "")),
                this.quality), this.canvas);
            this.height = Math.min(260, 46 + 44 * Math.min(stream.channels.length, 8));
            // Until it is drawn, which is when it is first seen.
            this.canvas.style.height = this.height + "px";
            this.noSignalSince = stream.noSignalSince ?? null;
            this.setQuality(stream.quality, stream.reasons || []);
          }

          /** Bins of `duration` seconds each; their number in the ring follows from their time alone. */
          take(message) {
            const bytes = Uint8Array.from(atob(message.data), c => c.charCodeAt(0));
            const values = new Float32Array(bytes.buffer);
            const duration = (message.bin || 1) / message.rate, paired = message.bin ? 2 : 1;
            if (!this.rings || Math.abs(duration - this.duration) > duration * 0.2) {
              this.duration = duration;
              this.length = Math.ceil((Trace.seconds + 3) / duration);
              this.rings = this.stream.channels.map(() => new Float32Array(2 * this.length));
              this.numbers = new Int32Array(this.length).fill(-1);
            }
            const first = Math.round(message.t / this.duration);
            for (let i = 0; i < message.count; i++) {
              const number = first + i, slot = number % this.length;
              if (number < 0) continue;
              this.numbers[slot] = number;
              for (let channel = 0; channel < this.rings.length; channel++) {
                const at = (channel * message.count + i) * paired;
                this.rings[channel][2 * slot] = values[at];
                this.rings[channel][2 * slot + 1] = values[at + paired - 1];
              }
            }
            this.last = Math.max(this.last, message.t + message.count * duration);
          }

          setQuality(quality, reasons) {
            this.judged = { quality, reasons };
            this.showQuality();
          }

          /** Since when no samples come; null: they come. What was judged before says nothing of those to come. */
          setSignal(noSignalSince) {
            this.noSignalSince = noSignalSince;
            this.judged = { quality: null, reasons: [] };
            this.showQuality();
          }

          showQuality() {
            const { quality, reasons } = this.judged, isSilent = this.noSignalSince !== null;
            const name = isSilent ? "poor" : quality === null || quality === undefined ? "" : quality >= 0.8 ? "good" : quality >= 0.5 ? "fair" : "poor";
            const words = isSilent ? "no signal since " + clock(this.noSignalSince)
              : name ? "signal " + name + (reasons.length ? ": " + reasons.map(inWords).join(", ") : "") : "";
            this.quality.className = name;
            this.quality.textContent = words;
            this.canvas.setAttribute("aria-label", this.stream.stream + ", last " + Trace.seconds + " seconds" + (words ? ", " + words : ""));
          }

          draw(now, ink) {
            const ratio = window.devicePixelRatio || 1, width = this.canvas.clientWidth;
            if (!this.rings || !width) return;
            if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(this.height * ratio)) {
              this.canvas.width = Math.round(width * ratio);
              this.canvas.height = Math.round(this.height * ratio);
            }
            const context = this.canvas.getContext("2d");
            context.setTransform(ratio, 0, 0, ratio, 0, 0);
            context.clearRect(0, 0, width, this.height);
            const lane = this.height / this.rings.length;
            for (let channel = 0; channel < this.rings.length; channel++) {
              this.lane(context, channel, now, width, lane * channel, lane, ink);
            }
          }

          lane(context, channel, now, width, top, height, ink) {
            const ring = this.rings[channel], from = now - Trace.seconds;
            const first = Math.max(0, Math.ceil(from / this.duration)), last = Math.floor(now / this.duration);
            const scale = this.scale(channel, ring, first, last);
            context.fillStyle = ink.soft;
            context.font = "11px system-ui, sans-serif";
            const label = this.stream.channels[channel].label;
            if (this.rings.length > 1 || label !== this.stream.stream) context.fillText(label, 4, top + 12);
            if (!scale) return;
            const y = value => top + height - 3 - (value - scale.low) / (scale.high - scale.low) * (height - 6);
            const step = width / Trace.seconds;
            context.strokeStyle = ink.trace;
            // Without a graphics processor a wider line, or a rounder one, takes five times as long.
            context.lineWidth = 1;
            context.lineJoin = "bevel";
            context.beginPath();
            let isOpen = false, column = -1, low = 0, high = 0;
            // Bins of one pixel are drawn as one stroke.
            const flush = () => { context.lineTo(column, y(low)); context.lineTo(column, y(high)); };
            for (let number = first; number <= last; number++) {
              const slot = number % this.length, a = ring[2 * slot], b = ring[2 * slot + 1];
              if (this.numbers[slot] !== number || Number.isNaN(a)) { if (isOpen) flush(); isOpen = false; continue; }
              const x = Math.round((number * this.duration - from) * step * 2) / 2;
              if (!isOpen) { context.moveTo(x, y(a)); isOpen = true; column = x; low = a; high = b; continue; }
              if (x === column) { low = Math.min(low, a); high = Math.max(high, b); continue; }
              flush();
              column = x; low = a; high = b;
            }
            if (isOpen) flush();
            context.stroke();
          }

          /** The range on show, following slowly when it shrinks. */
          scale(channel, ring, first, last) {
            let low = Infinity, high = -Infinity;
            for (let number = first; number <= last; number++) {
              const slot = number % this.length;
              if (this.numbers[slot] !== number) continue;
              if (ring[2 * slot] < low) low = ring[2 * slot];
              if (ring[2 * slot + 1] > high) high = ring[2 * slot + 1];
            }
            if (!(high >= low)) return null;
            const room = Math.max((high - low) * 0.06, Math.abs(high) * 1e-4, 1e-6), scale = this.scales[channel];
            low -= room; high += room;
            scale.low = Number.isNaN(scale.low) || low < scale.low ? low : scale.low + (low - scale.low) * 0.03;
            scale.high = Number.isNaN(scale.high) || high > scale.high ? high : scale.high + (high - scale.high) * 0.03;
            return scale;
          }
        }

        /** A unit as it is written beside a number; nothing for a plain number. */
        function unit(name) { return { "1": "", "n/a": "", deg: "°", "deg/s": "°/s" }[name] ?? name; }

        /** A word of the service, such as detectorsDisagree, for people. */
        function inWords(name) { return name.replace(/([a-z])([A-Z])/g, (_, a, b) => a + " " + b.toLowerCase()); }

        /** Values at moments of their own over the last minutes. */
        class Timeline {
          static seconds = 300;

          constructor(canvas, options) {
            this.canvas = canvas;
            this.options = options;
            this.points = [];
            canvas.style.height = options.height + "px";
          }

          /** Values come in order of time; one that does not would draw a line back. */
          take(t, value) {
            const last = this.points.length ? this.points[this.points.length - 1][0] : -Infinity;
            if (t < last) return;
            this.points.push([t, value]);
            while (this.points.length && this.points[0][0] < t - Timeline.seconds) this.points.shift();
          }

          draw(ink) {
            const ratio = window.devicePixelRatio || 1, width = this.canvas.clientWidth, height = this.options.height;
            if (!width) return;
            this.canvas.width = Math.round(width * ratio);
            this.canvas.height = Math.round(height * ratio);
            const context = this.canvas.getContext("2d");
            context.setTransform(ratio, 0, 0, ratio, 0, 0);
            const numbers = this.points.map(p => p[1]).filter(Number.isFinite);
            if (!numbers.length) return;
            let [low, high] = this.options.range || [Math.min(...numbers) - 2, Math.max(...numbers) + 2];
            const end = this.points[this.points.length - 1][0], begin = Math.min(this.points[0][0], end - 60);
            const x = t => 2 + (t - begin) / (end - begin) * (width - 4), y = v => height - 2 - (v - low) / (high - low) * (height - 4);
            if (this.options.line !== undefined) {
              context.strokeStyle = ink.soft;
              context.setLineDash([4, 4]);
              context.beginPath();
              context.moveTo(0, y(this.options.line));
              context.lineTo(width, y(this.options.line));
              context.stroke();
              context.setLineDash([]);
            }
            context.strokeStyle = ink[this.options.ink || "trace"];
            context.lineWidth = 1.5;
            context.beginPath();
            let before = null;
            for (const [t, value] of this.points) {
              // A missing value breaks the line; so does a long silence.
              if (!Number.isFinite(value)) { before = null; continue; }
              if (before === null || t - before > 15) context.moveTo(x(t), y(value)); else context.lineTo(x(t), y(value));
              before = t;
            }
            context.stroke();
          }
        }
        """#
}
