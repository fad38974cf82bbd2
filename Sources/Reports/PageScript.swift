/// The page's script: zoom, pan and a cursor for tachograms and strips. Without it the page shows the same pictures,
/// still.
enum PageScript {
    static let source = #"""
        (function () {
          "use strict";
          var steps = [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800,
            21600, 43200, 86400];
          function two(n) { return (n < 10 ? "0" : "") + n; }
          function clock(s, decimals) {
            var scale = Math.pow(10, decimals), total = Math.round(Math.abs(s) * scale);
            var whole = Math.floor(total / scale), rest = String(total % scale);
            while (decimals > rest.length) { rest = "0" + rest; }
            var tail = two(whole % 60) + (decimals ? "." + rest : "");
            var head = whole >= 3600 ? Math.floor(whole / 3600) + ":" + two(Math.floor(whole / 60) % 60)
              : String(Math.floor(whole / 60));
            return (s < 0 && total > 0 ? "-" : "") + head + ":" + tail;
          }
          var alphabet = "ABCDEFGHIJKLM.OPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", none = 262143;
          function unpack(text) {
            var list = [], k;
            for (k = 0; k + 2 < text.length; k += 3) {
              list.push(alphabet.indexOf(text[k]) * 4096 + alphabet.indexOf(text[k + 1]) * 64 + alphabet.indexOf(text[k + 2]));
            }
            return list;
          }
          function numbers(text) { return text.split(" ").map(Number); }

          // The series behind a figure: t in s, v in the unit of the axis, breaks before points, marked points.
          function read(json) {
            var s = { kind: json.kind, t: [], v: [], cut: [], corrected: [], removed: [], beats: json.b || [],
              unit: json.unit || "ms", isWhole: json.whole === 1 };
            var i, onset = 0, gone = true, list = unpack(json.d || json.v);
            if (json.kind === "ibi") {
              var lengths = unpack(json.w);
              for (i = 0; i < json.j.length; i += 2) { list[json.j[i]] = json.j[i + 1]; }
              for (i = 0; i < list.length; i++) {
                onset += list[i];
                s.t.push(onset / 1e4);
                s.v.push((lengths.length ? lengths[i] : list[i]) / 10);
                s.cut.push(false);
              }
              for (i = 0; i < json.v.length; i += 2) {
                s.v[json.v[i]] = Math.abs(json.v[i + 1]) / 10;
                s.cut[json.v[i]] = json.v[i + 1] > 0;
              }
              s.corrected = json.c;
              for (i = 0; i < json.r.length; i += 2) { s.removed.push([json.r[i] / 1e4, json.r[i + 1] / 10]); }
            } else {
              for (i = 0; i < list.length; i++) {
                if (list[i] === none) { gone = true; continue; }
                s.t.push(json.onset + i / json.rate);
                s.v.push(json.lower + json.step * list[i]);
                s.cut.push(gone);
                gone = false;
              }
            }
            return s;
          }
          // The first place whose time is not before the given one.
          function place(t, time) {
            var a = 0, b = t.length;
            while (b > a) { var m = (a + b) >> 1; if (time > t[m]) { a = m + 1; } else { b = m; } }
            return a;
          }

          function plot(svg, s) {
            var f = numbers(svg.dataset.frame), dom = numbers(svg.dataset.domain);
            var left = f[0], top = f[1], width = f[2], height = f[3], a = dom[0], b = dom[1];
            var output = document.createElement("output"), least = s.kind === "ibi" ? 5 : 0.25;
            function x(t) { return left + (t - a) / (b - a) * width; }
            function y(v) { return top + height - Math.min(1, Math.max(0, (v - dom[2]) / (dom[3] - dom[2]))) * height; }
            function at(t, v) { return x(t).toFixed(1) + " " + y(v).toFixed(1); }
            function find(name) { return svg.querySelector("." + name); }
            function set(name, d) { var e = find(name); if (e) { e.setAttribute("d", d); } }
            function make(name, attributes, parent) {
              var e = document.createElementNS(svg.namespaceURI, name);
              Object.keys(attributes).forEach(function (k) { e.setAttribute(k, attributes[k]); });
              return parent.appendChild(e);
            }
            // The picture's title would cover what the cursor shows.
            var title = svg.querySelector("title");
            svg.setAttribute("aria-label", title.textContent);
            svg.removeAttribute("aria-labelledby");
            svg.setAttribute("aria-describedby", svg.querySelector("desc").id);
            title.remove();
            var cursor = make("path", { stroke: "#6b6b6b", fill: "none" }, svg);

            // Per column of the picture the first, lowest, highest and last point are drawn.
            function line(first, last) {
              var d = "", i = first, fresh = true;
              function add(k) { d += (fresh || s.cut[k] ? "M" : "L") + at(s.t[k], s.v[k]); fresh = false; }
              if (last - first <= 3 * width) { for (; i < last; i++) { add(i); } return d; }
              while (i < last) {
                var column = Math.floor(x(s.t[i])), from = i, low = i, high = i, broken = false;
                for (; i < last && Math.floor(x(s.t[i])) === column; i++) {
                  if (s.v[low] > s.v[i]) { low = i; }
                  if (s.v[i] > s.v[high]) { high = i; }
                  broken = broken || s.cut[i];
                }
                if (broken) { fresh = true; }
                [from, Math.min(low, high), Math.max(low, high), i - 1].forEach(function (k, n, all) {
                  if (n === 0 || k > all[n - 1]) { add(k); }
                });
              }
              return d;
            }
            function ticks() {
              var g = find("x-ticks"), rough = (b - a) / (width / 85), free = -1e9, value;
              var step = steps.find(function (n) { return n >= rough; }) || Math.ceil(rough / 86400) * 86400;
              while (g.firstChild) { g.removeChild(g.firstChild); }
              for (value = Math.ceil(a / step - 1e-9) * step; b >= value; value += step) {
                var text = step >= 60 && b >= 3600 ? clock(value, 0).slice(0, -3)
                  : clock(value, step >= 1 ? 0 : step >= 0.1 ? 1 : 2);
                make("path", { d: "M" + x(value).toFixed(1) + " " + (top + height) + "v4", stroke: "#6b6b6b" }, g);
                if (x(value) - text.length * 3.7 > free) {
                  var centre = Math.min(x(value), svg.viewBox.baseVal.width - text.length * 3.7 - 1);
                  make("text", { x: centre.toFixed(1), y: top + height + 18, "text-anchor": "middle", fill: "#222222" }, g)
                    .textContent = text;
                  free = x(value) + text.length * 3.7 + 6;
                }
              }
            }
            function within(t) { return t >= a && b >= t; }
            function triangle(p, r) { return "M" + p[0] + " " + (p[1] - r * 1.2).toFixed(1) + "l" + r + " " + 2 * r + "h" + -2 * r + "Z"; }
            function cross(p, r) {
              return "M" + (p[0] - r) + " " + (p[1] - r) + "l" + 2 * r + " " + 2 * r + "m0 " + -2 * r + "l" + -2 * r + " " + 2 * r;
            }
            function marks(name, points, shape) {
              var r = points.length > width / 8 ? 2 : 4;
              set(name, points.map(function (p) { return shape(p, r); }).join(""));
              if (find(name)) { find(name).setAttribute("stroke-width", shape === cross ? 0.1 + 0.38 * r : 0.15 * r); }
            }
            function point(t, v) { return [+x(t).toFixed(1), +y(v).toFixed(1)]; }
            // The rising lines of what is missing.
            function hatch(left, right) {
              var d = "", sum = Math.ceil((left + top) / 6) * 6, from, to;
              for (; right + top + height > sum; sum += 6) {
                from = Math.max(left, sum - top - height);
                to = Math.min(right, sum - top);
                d += "M" + from.toFixed(1) + " " + (sum - from).toFixed(1);
                d += "L" + to.toFixed(1) + " " + (sum - to).toFixed(1);
              }
              return d;
            }
            function draw() {
              var first = Math.max(0, place(s.t, a) - 1), last = Math.min(s.t.length, place(s.t, b) + 1), dots = "", i;
              var isWhole = a === dom[0] && b === dom[1], marked = new Set(s.corrected);
              set("line", line(first, last));
              if (width / 2 > last - first) {
                for (i = first; i < last; i++) { if (!marked.has(i)) { dots += "M" + at(s.t[i], s.v[i]) + "h0"; } }
              }
              set("kept", dots);
              marks("corrected", s.corrected.filter(function (k) { return within(s.t[k]); })
                .map(function (k) { return point(s.t[k], s.v[k]); }), triangle);
              marks("removed", s.removed.filter(function (r) { return within(r[0]); })
                .map(function (r) { return point(r[0], r[1]); }), cross);
              var beats = s.beats.filter(within).map(function (t) { return x(t).toFixed(1); });
              set("beat-lines", beats.map(function (p) { return "M" + p + " " + top + "v" + height; }).join(""));
              set("beat-marks", beats.map(function (p) { return "M" + p + " " + (top - 2) + "l-5 -9h10Z"; }).join(""));
              var lines = "";
              svg.querySelectorAll(".span").forEach(function (e) {
                var from = Math.max(a, +e.dataset.a), to = Math.min(b, +e.dataset.b);
                var wide = to > from ? Math.max(1.5, x(to) - x(from)) : 0;
                e.setAttribute("x", x(from).toFixed(1));
                e.setAttribute("width", wide.toFixed(1));
                if (wide > 0) { lines += hatch(x(from), x(from) + wide); }
              });
              set("span-lines", lines);
              svg.querySelectorAll(".event").forEach(function (e) {
                var t = +e.dataset.a;
                e.style.display = within(t) ? "" : "none";
                e.setAttribute("transform", "translate(" + (x(Math.min(b, Math.max(a, t))) - e.dataset.x).toFixed(1) + " 0)");
              });
              svg.querySelectorAll(".span-label").forEach(function (e) { e.style.display = isWhole ? "" : "none"; });
              ticks();
              cursor.setAttribute("d", "");
            }
            function show(from, to) {
              var length = Math.min(Math.max(to - from, least), dom[1] - dom[0]);
              a = Math.min(Math.max((from + to - length) / 2, dom[0]), dom[1] - length);
              b = a + length;
              draw();
            }
            function zoom(factor, centre) { show(centre - (centre - a) * factor, centre + (b - centre) * factor); }
            function pan(share) { var by = (b - a) * share; by = Math.min(Math.max(by, dom[0] - a), dom[1] - b); show(a + by, b + by); }
            function reset() { a = dom[0]; b = dom[1]; draw(); }
            function time(event) {
              var box = svg.getBoundingClientRect();
              var px = (event.clientX - box.left) / box.width * svg.viewBox.baseVal.width;
              return a + (px - left) / width * (b - a);
            }
            function read_out(event) {
              var t = time(event), k = place(s.t, t), v, note = "";
              if (k > 0 && (k === s.t.length || t - s.t[k - 1] < s.t[k] - t)) { k--; }
              if (!s.t.length || !within(s.t[k])) { return; }
              v = s.v[k];
              if (s.kind === "ibi") { note = " (" + (60000 / v).toFixed(1) + " bpm)" + (s.corrected.indexOf(k) >= 0 ? ", corrected" : ""); }
              output.textContent = clock(s.t[k], s.kind === "ibi" ? 1 : 3) + "   " + Number(v.toPrecision(5)) + " " + s.unit + note;
              cursor.setAttribute("d", "M" + x(s.t[k]).toFixed(1) + " " + top + "v" + height);
            }

            var bar = document.createElement("div");
            bar.className = "tools";
            [["−", "Zoom out", function () { zoom(2, (a + b) / 2); }], ["+", "Zoom in", function () { zoom(0.5, (a + b) / 2); }],
              ["◀", "Earlier", function () { pan(-0.5); }], ["▶", "Later", function () { pan(0.5); }],
              ["All", "Show all", reset]].forEach(function (item) {
              var button = document.createElement("button");
              button.type = "button";
              button.textContent = item[0];
              button.title = item[1];
              button.setAttribute("aria-label", item[1]);
              button.addEventListener("click", item[2]);
              bar.appendChild(button);
            });
            bar.appendChild(output);
            svg.parentNode.appendChild(bar);
            svg.setAttribute("tabindex", "0");
            svg.addEventListener("wheel", function (event) {
              // The page scrolls on unless the figure was chosen by a click or the key is held.
              if (!event.ctrlKey && document.activeElement !== svg) { return; }
              event.preventDefault();
              zoom(event.deltaY > 0 ? 1.25 : 0.8, time(event));
            }, { passive: false });
            var held = null;
            svg.addEventListener("pointerdown", function (event) {
              if (b - a < dom[1] - dom[0]) { held = time(event); svg.setPointerCapture(event.pointerId); }
            });
            svg.addEventListener("pointermove", function (event) {
              if (held === null) { read_out(event); } else { pan((held - time(event)) / (b - a)); }
            });
            ["pointerup", "pointercancel"].forEach(function (name) { svg.addEventListener(name, function () { held = null; }); });
            svg.addEventListener("pointerleave", function () { cursor.setAttribute("d", ""); output.textContent = ""; });
            svg.addEventListener("dblclick", reset);
            svg.addEventListener("keydown", function (event) {
              var keys = { "+": function () { zoom(0.5, (a + b) / 2); }, "=": function () { zoom(0.5, (a + b) / 2); },
                "-": function () { zoom(2, (a + b) / 2); }, ArrowLeft: function () { pan(-0.2); },
                ArrowRight: function () { pan(0.2); }, "0": reset, Home: reset, Escape: reset };
              if (keys[event.key]) { event.preventDefault(); keys[event.key](); }
            });
          }

          // Where the link holds only a part of the rows, the script makes one with all of them.
          function complete(link, s) {
            link.textContent = "Data (TSV, " + (s.t.length + s.removed.length) + " rows)";
            link.addEventListener("click", function () {
              var marked = new Set(s.corrected), isIBI = s.kind === "ibi", rows = s.t.map(function (t, i) {
                return isIBI ? [t, (s.v[i] / 1000).toFixed(4), marked.has(i) ? "corrected" : "kept", s.cut[i] ? 0 : 1]
                  : [t, Number(s.v[i].toPrecision(5))];
              }).concat(s.removed.map(function (r) { return [r[0], (r[1] / 1000).toFixed(4), "removed", 0]; }));
              rows.sort(function (p, q) { return p[0] - q[0]; });
              var text = (isIBI ? "onset\tibi\tstatus\tcontiguous\n" : "onset\tvalue\n") + rows.map(function (r) {
                return [r[0].toFixed(4)].concat(r.slice(1)).join("\t") + "\n";
              }).join("");
              link.href = URL.createObjectURL(new Blob([text], { type: "text/tab-separated-values" }));
            });
          }
          document.querySelectorAll("figure").forEach(function (figure) {
            var svgs = figure.querySelectorAll("svg.live"), link = figure.querySelector("a.data");
            if (!svgs.length) { return; }
            var s = read(JSON.parse(document.getElementById(svgs[0].dataset.live).textContent));
            svgs.forEach(function (svg) { plot(svg, s); });
            if (link && link.dataset.whole === "no" && s.isWhole) { complete(link, s); }
          });
          var opened = [];
          window.addEventListener("beforeprint", function () {
            opened = Array.from(document.querySelectorAll("details.print:not([open])"));
            opened.forEach(function (e) { e.open = true; });
          });
          window.addEventListener("afterprint", function () { opened.forEach(function (e) { e.open = false; }); });
        })();
        """#
}
