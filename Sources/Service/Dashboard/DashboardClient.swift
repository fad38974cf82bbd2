/// Script: the key, calls to the service, and live events while somebody looks.
enum DashboardClient {
    static let source = #"""
        "use strict";
        const $ = id => document.getElementById(id);

        /** An element with attributes and children; texts are never read as markup. */
        function el(name, attributes = {}, ...children) {
          const node = document.createElement(name);
          for (const [key, value] of Object.entries(attributes)) {
            if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
            else if (value !== undefined && value !== null && value !== false) node.setAttribute(key, value === true ? "" : value);
          }
          node.append(...children.filter(child => child !== null && child !== undefined));
          return node;
        }

        /** Shows items in a list, with nodes that stay as long as their items are the same: one that is made again loses the
         *  focus, and a press that has begun on it. The focus of one that goes moves to the one in its place. */
        function showItems(list, items, make) {
          const known = new Map([...list.children].map(node => [node.item, node]));
          const focused = [...list.children].findIndex(node => node.contains(document.activeElement));
          const nodes = items.map(item => {
            const text = JSON.stringify(item), node = known.get(text) || make(item);
            node.item = text;
            return node;
          });
          const stays = new Set(nodes);
          for (const node of [...list.children]) if (!stays.has(node)) node.remove();
          nodes.forEach((node, i) => { if (list.children[i] !== node) list.insertBefore(node, list.children[i] || null); });
          if (focused < 0 || list.contains(document.activeElement) || !nodes.length) return;
          const node = nodes[Math.min(focused, nodes.length - 1)], next = node.matches("button, input") ? node : node.querySelector("button, input");
          if (next) next.focus();
        }

        /** The service behind the page: calls with the key, and live events while somebody looks. */
        const service = {
          key: null,

          /** Exchanges the code of the link, which works once, for a key of this window alone. */
          async takeCode() {
            if (!location.hash.startsWith("#code_")) return;
            const code = location.hash.slice(1);
            history.replaceState(null, "", location.pathname + location.search);
            const answer = await fetch("/open/" + encodeURIComponent(code), { method: "POST" });
            const value = await answer.json();
            if (!answer.ok) throw new Error(value.detail);
            sessionStorage.setItem("key", value.key);
          },

          /** The key that this window keeps. */
          takeKey() {
            this.key = sessionStorage.getItem("key");
            return this.key !== null;
          },

          async call(method, path, body, options = {}) {
            const headers = { Authorization: "Bearer " + this.key };
            if (body !== undefined) headers["Content-Type"] = "application/json";
            const answer = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body), ...options });
            const type = answer.headers.get("Content-Type") || "";
            const value = type.includes("json") ? await answer.json() : null;
            if (!answer.ok) {
              const error = new Error((value && value.detail) || "the service answers " + answer.status);
              error.status = answer.status;
              throw error;
            }
            return value;
          },

          async blob(path) {
            const answer = await fetch(path, { headers: { Authorization: "Bearer " + this.key } });
            if (!answer.ok) throw new Error("the file cannot be fetched");
            return answer.blob();
          },

          async download(path, name) {
            const link = el("a", { href: URL.createObjectURL(await this.blob(path)), download: name });
            link.click();
            setTimeout(() => URL.revokeObjectURL(link.href), 10000);
          },
        };

        /** Live events: followed while the page is visible, let go while it is hidden. */
        const feed = {
          handlers: {},
          onlink: () => {},
          control: null,
          wait: 1000,

          on(name, handler) { this.handlers[name] = handler; },

          start() {
            document.addEventListener("visibilitychange", () => document.hidden ? this.stop() : this.follow());
            if (!document.hidden) this.follow();
          },

          stop() {
            if (this.control) this.control.abort();
            this.control = null;
          },

          async follow() {
            if (this.control) return;
            const control = this.control = new AbortController();
            try {
              const answer = await fetch("/api/live/events?detail=display", {
                headers: { Authorization: "Bearer " + service.key }, signal: control.signal });
              if (!answer.ok) throw new Error("the service answers " + answer.status);
              this.wait = 1000;
              this.onlink(true, "live");
              await this.read(answer.body.pipeThrough(new TextDecoderStream()).getReader());
              throw new Error("the service ended the connection");
            } catch (error) {
              if (control.signal.aborted) return;
              this.onlink(false, error.message);
              this.control = null;
              setTimeout(() => { if (!document.hidden) this.follow(); }, this.wait);
              this.wait = Math.min(10000, this.wait * 2);
            }
          },

          async read(reader) {
            let text = "";
            for (;;) {
              const { value, done } = await reader.read();
              if (done) return;
              text += value;
              let end;
              while ((end = text.indexOf("\n\n")) >= 0) {
                this.take(text.slice(0, end));
                text = text.slice(end + 2);
              }
            }
          },

          take(event) {
            let name = "", data = "";
            for (const line of event.split("\n")) {
              if (line.startsWith("event: ")) name = line.slice(7);
              else if (line.startsWith("data: ")) data += line.slice(6);
            }
            if (!data) return;
            const value = JSON.parse(data);
            if (name === "dropped") throw new Error(value.reason);
            const handler = this.handlers[name === "update" ? value.event : name];
            if (handler) handler(value);
          },
        };

        /** The page's clock against the recording's: several asked, the quickest answer believed. */
        async function measureClock(session) {
          let best = null;
          for (let i = 0; i < 9; i++) {
            const before = performance.now();
            const { t } = await service.call("GET", "/api/sessions/" + session + "/time");
            const after = performance.now();
            const offset = { add: t - (before + after) / 2000, uncertainty: (after - before) / 2000 };
            if (!best || offset.uncertainty < best.uncertainty) best = offset;
          }
          return best;
        }

        /** The time between two frames, seconds: the median of thirty. */
        async function measureFrame() {
          const times = [];
          let last = await new Promise(requestAnimationFrame);
          for (let i = 0; i < 30; i++) {
            const now = await new Promise(requestAnimationFrame);
            times.push(now - last);
            last = now;
          }
          return times.sort((a, b) => a - b)[15] / 1000;
        }

        /** Seconds as 1:02:03 or 2:03. */
        function clock(seconds) {
          const s = Math.max(0, Math.floor(seconds)), two = n => String(n).padStart(2, "0");
          const hours = Math.floor(s / 3600), minutes = Math.floor(s / 60) % 60;
          return hours ? hours + ":" + two(minutes) + ":" + two(s % 60) : minutes + ":" + two(s % 60);
        }

        /** Bytes in words. */
        function size(bytes) {
          if (bytes < 1e3) return bytes + " B";
          if (bytes < 1e6) return (bytes / 1e3).toFixed(1) + " kB";
          return bytes < 1e9 ? (bytes / 1e6).toFixed(1) + " MB" : (bytes / 1e9).toFixed(1) + " GB";
        }

        function colour(name) { return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim(); }
        """#
}
