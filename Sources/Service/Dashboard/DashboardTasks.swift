/// Script: the calibration tasks themselves.
enum DashboardTasks {
    static let source = #"""
        /** Blocks in turn of the two conditions, in an order that the seed decides. */
        function alternate(run, conditions, count) {
          const first = run.random() < 0.5 ? 0 : 1;
          return Array.from({ length: count }, (_, i) => conditions[(first + i) % 2]);
        }

        /** How well a block went: hits and false alarms. */
        class Score {
          constructor() { Object.assign(this, { targets: 0, hits: 0, others: 0, alarms: 0 }); }
          take(isTarget, didPress) {
            if (isTarget) { this.targets++; this.hits += didPress ? 1 : 0; } else { this.others++; this.alarms += didPress ? 1 : 0; }
          }
          get words() { return { targets: this.targets, hits: this.hits, falseAlarms: this.alarms }; }
          get share() { return (this.hits + this.others - this.alarms) / Math.max(1, this.targets + this.others); }
        }

        const calibrationTasks = [
          {
            id: "visualAttention", title: "Visual attention", minutes: 4,
            about: "Letters come one after another; press space for every letter but X. Between them, the letters only pass by.",
            instructions: "Letters will appear. In blocks that say ATTEND, press the space bar for every letter except X, as quickly as you can. In blocks that say WATCH, just let them pass.",
            async run(run) {
              for (const [index, condition] of alternate(run, ["attend", "watch"], 12).entries()) {
                const block = index + 1, score = new Score();
                await run.stimulus(condition === "attend" ? "ATTEND" : "WATCH");
                await run.until(performance.now() + run.seconds(3));
                run.begin(block, condition);
                for (let trial = 1; trial <= 12; trial++) {
                  const letter = run.random() < 0.2 ? "X" : "ABCDEFGHJKLM"[Math.floor(run.random() * 12)], isTarget = letter !== "X";
                  const onset = await run.stimulus(letter);
                  await run.until(onset + run.seconds(0.25));
                  await run.stimulus("");
                  await run.until(onset + run.seconds(1.2 + 0.3 * run.random()));
                  const press = run.pressesSince(onset, [" "])[0];
                  if (condition === "attend") score.take(isTarget, Boolean(press));
                  run.trial(block, trial, onset, press, { stimulus: letter, isTarget: condition === "attend" ? isTarget : "n/a" });
                }
                run.end(block, condition === "attend" ? score.words : {});
                await run.rest(2);
              }
            },
          },
          {
            id: "auditoryAttention", title: "Auditory attention", minutes: 4, usesSound: true,
            about: "Low tones, and now and then a high one; press space for the high ones. Wear headphones.",
            instructions: "You will hear tones. In blocks that say LISTEN, press the space bar for every high tone. In blocks that say REST, let the tones pass and keep your eyes on the cross.",
            async run(run) {
              for (const [index, condition] of alternate(run, ["listen", "rest"], 12).entries()) {
                const block = index + 1, score = new Score();
                let sinceTarget = 3;
                await run.stimulus(condition === "listen" ? "LISTEN" : "REST");
                await run.until(performance.now() + run.seconds(3));
                await run.stimulus("+");
                run.begin(block, condition);
                for (let trial = 1; trial <= 14; trial++) {
                  const isTarget = sinceTarget >= 2 && run.random() < 0.25;
                  sinceTarget = isTarget ? 0 : sinceTarget + 1;
                  const onset = run.tone(isTarget ? 2000 : 1000, 0.1);
                  await run.until(onset + run.seconds(1 + 0.2 * run.random()));
                  const press = run.pressesSince(onset, [" "])[0];
                  if (condition === "listen") score.take(isTarget, Boolean(press));
                  run.trial(block, trial, onset, press, { stimulus: isTarget ? "2000Hz" : "1000Hz", isTarget: condition === "listen" ? isTarget : "n/a" });
                }
                run.end(block, condition === "listen" ? score.words : {});
                await run.rest(2);
              }
            },
          },
          {
            id: "cognitiveWorkload", title: "Cognitive workload", minutes: 4,
            about: "Digits to remember, harder as you get better, with easy blocks and rests between.",
            instructions: "Digits will appear one after another. Press the space bar when a digit is the same as the one so many places before: each block says how many. In blocks that say 0 back, press for every 5.",
            async run(run) {
              let level = 2;
              for (const [index, condition] of alternate(run, ["high", "low"], 12).entries()) {
                const block = index + 1, back = condition === "high" ? level : 0, score = new Score(), digits = [];
                await run.stimulus(back + " back");
                await run.until(performance.now() + run.seconds(3));
                run.begin(block, condition, { level: back });
                for (let trial = 1; trial <= 8; trial++) {
                  const wanted = back ? digits[digits.length - back] : 5;
                  const digit = wanted !== undefined && run.random() < 0.33 ? wanted : 1 + Math.floor(run.random() * 9);
                  const isTarget = digit === wanted;
                  digits.push(digit);
                  const onset = await run.stimulus(String(digit));
                  await run.until(onset + run.seconds(0.6));
                  await run.stimulus("");
                  await run.until(onset + run.seconds(2));
                  const press = run.pressesSince(onset, [" "])[0];
                  score.take(isTarget, Boolean(press));
                  run.trial(block, trial, onset, press, { stimulus: digit, isTarget });
                }
                run.end(block, { level: back, ...score.words });
                if (back) level = Math.min(4, Math.max(1, level + (score.share > 0.9 ? 1 : score.share < 0.7 ? -1 : 0)));
                await run.rest(2);
              }
            },
          },
          {
            id: "enjoyment", title: "Enjoyment", minutes: 4,
            usesSound: true,
            about: "Pictures and sounds of the study's folder stimuli/enjoyment, or moving patterns where it has none; after each, say how much you enjoyed it. Use the whole scale.",
            instructions: "You will see or hear fourteen things, one after another. Just look and listen. After each one, press a key from 1 (not at all) to 9 (very much) to say how much you enjoyed it. Use the whole scale.",
            async run(run) {
              const stimuli = await enjoymentStimuli(run);
              for (let block = 1; block <= 14; block++) {
                const stimulus = stimuli[(block - 1) % stimuli.length];
                const { onset, stop } = await stimulus.show(run, block);
                run.mark(onset, { event: "blockBegin", block, condition: "look", stimulus: stimulus.name });
                await run.until(onset + run.seconds(12));
                stop();
                run.end(block);
                const asked = await run.show(el("p", {}, "How much did you enjoy it?"), ratingButtons(run));
                const press = await rating(run, asked);
                run.mark(press.at, { event: "rating", block, rating: press.key, latency: ((press.at - asked) / 1000).toFixed(4) });
                await run.rest(2);
              }
            },
          },
        ];

        function ratingButtons(run) {
          return el("div", { class: "row", role: "group", "aria-label": "1 not at all, 9 very much" }, ...Array.from({ length: 9 }, (_, i) =>
            el("button", { type: "button", onclick: event => { run.presses.push({ key: String(i + 1), at: event.timeStamp }); run.wake(); } }, String(i + 1))));
        }

        async function rating(run, asked) {
          for (;;) {
            const press = run.pressesSince(asked, "123456789".split(""))[0];
            if (press) return press;
            await run.until(performance.now() + 60000, true);
          }
        }

        /** A built-in neutral picture: rings, stripes or dots that move slowly. */
        function pattern(kind, hue, random) {
          const picture = svg("svg", { viewBox: "-100 -100 200 200", role: "img", "aria-label": "A moving pattern" });
          for (let i = 0; i < 14; i++) {
            const paint = "hsl(" + (hue + i * 6) + " 45% " + (35 + (i % 5) * 9) + "%)";
            const shape = kind === 0 ? svg("circle", { r: 96 - i * 6.6, fill: "none", stroke: paint, "stroke-width": 3.2 })
              : kind === 1 ? svg("rect", { x: -100 + i * 14.3, y: -100, width: 8, height: 200, fill: paint })
              : svg("circle", { cx: random() * 180 - 90, cy: random() * 180 - 90, r: 6 + random() * 10, fill: paint });
            const turn = svg("animateTransform", { attributeName: "transform", type: kind === 1 ? "translate" : "rotate", dur: 9 + i + "s",
              values: kind === 1 ? "0 0; 6 0; 0 0" : "0; " + (i % 2 ? 360 : -360), repeatCount: "indefinite" });
            shape.append(turn);
            picture.append(shape);
          }
          return picture;
        }
        """#
}
