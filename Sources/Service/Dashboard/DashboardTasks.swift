/// Script: the calibration tasks themselves.
enum DashboardTasks {
    static let source = #"""
        /** Twelve blocks in turn of the two conditions, in an order that the seed decides, and before every third a quiet one:
         *  neither of the two, spread over the task so that getting tired counts for all alike. */
        function alternate(run, conditions) {
          const first = run.random() < 0.5 ? 0 : 1;
          return withQuiet(Array.from({ length: 12 }, (_, i) => conditions[(first + i) % 2]));
        }

        function withQuiet(blocks) { return blocks.flatMap((block, i) => i % 3 === 1 ? ["neutral", block] : [block]); }

        /** Random numbers that can be had again from the seed that is in the recording (mulberry32). */
        function generator(seed) {
          return () => {
            seed = (seed + 0x6D2B79F5) | 0;
            let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
            t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
            return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
          };
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
            about: "Letters come one after another; press space, click or tap for every letter but X. Between them, the letters only pass by.",
            instructions: "Letters will appear. In blocks that say ATTEND, press the space bar, or click or tap anywhere, for every letter except X, as quickly as you can. In blocks that say WATCH, just let them pass. In those that say QUIET, look at the cross.",
            async run(run) {
              for (const [index, condition] of alternate(run, ["attend", "watch"]).entries()) {
                const block = index + 1, score = new Score();
                if (condition === "neutral") { await run.quiet(block); continue; }
                await run.cue(condition === "attend" ? "ATTEND" : "WATCH");
                run.begin(block, condition);
                for (let trial = 1; trial <= 10; trial++) {
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
                await run.rest();
              }
            },
          },
          {
            id: "auditoryAttention", title: "Auditory attention", minutes: 4, usesSound: true,
            about: "Low tones, and now and then a high one; press space, click or tap for the high ones. Wear headphones.",
            instructions: "You will hear tones. In blocks that say LISTEN, press the space bar, or click or tap anywhere, for every high tone. In blocks that say REST, let the tones pass and keep your eyes on the cross. In those that say QUIET, there are none.",
            async run(run) {
              for (const [index, condition] of alternate(run, ["listen", "rest"]).entries()) {
                const block = index + 1, score = new Score();
                if (condition === "neutral") { await run.quiet(block); continue; }
                let sinceTarget = 3;
                await run.cue(condition === "listen" ? "LISTEN" : "REST");
                await run.stimulus("+");
                run.begin(block, condition);
                for (let trial = 1; trial <= 12; trial++) {
                  const isTarget = sinceTarget >= 2 && run.random() < 0.25;
                  sinceTarget = isTarget ? 0 : sinceTarget + 1;
                  const onset = run.tone(isTarget ? 2000 : 1000, 0.1);
                  await run.until(onset + run.seconds(1 + 0.2 * run.random()));
                  const press = run.pressesSince(onset, [" "])[0];
                  if (condition === "listen") score.take(isTarget, Boolean(press));
                  run.trial(block, trial, onset, press, { stimulus: isTarget ? "2000Hz" : "1000Hz", isTarget: condition === "listen" ? isTarget : "n/a" });
                }
                run.end(block, condition === "listen" ? score.words : {});
                await run.rest();
              }
            },
          },
          {
            id: "cognitiveWorkload", title: "Cognitive workload", minutes: 4,
            about: "Digits to remember, harder as you get better, with easy blocks and rests between.",
            instructions: "Digits will appear one after another. Press the space bar, or click or tap anywhere, when a digit is the same as the one so many places before: each block says how many. In blocks that say 0 back, press for every 5. In those that say QUIET, rest and look at the cross.",
            async run(run) {
              let level = 2;
              for (const [index, condition] of alternate(run, ["high", "low"]).entries()) {
                const block = index + 1;
                if (condition === "neutral") { await run.quiet(block); continue; }
                const back = condition === "high" ? level : 0, score = new Score(), digits = [];
                await run.cue(back + " back");
                run.begin(block, condition, { level: back });
                for (let trial = 1; trial <= 8; trial++) {
                  const wanted = back ? digits[digits.length - back] : 5;
                  const digit = wanted !== undefined && run.random() < 0.33 ? wanted : 1 + Math.floor(run.random() * 9);
                  const isTarget = digit === wanted;
                  digits.push(digit);
                  const onset = await run.stimulus(String(digit));
                  await run.until(onset + run.seconds(0.5));
                  await run.stimulus("");
                  await run.until(onset + run.seconds(1.75));
                  const press = run.pressesSince(onset, [" "])[0];
                  score.take(isTarget, Boolean(press));
                  run.trial(block, trial, onset, press, { stimulus: digit, isTarget });
                }
                run.end(block, { level: back, ...score.words });
                if (back) level = Math.min(4, Math.max(1, level + (score.share > 0.9 ? 1 : score.share < 0.7 ? -1 : 0)));
                await run.rest();
              }
            },
          },
          {
            id: "enjoyment", title: "Enjoyment", minutes: 4,
            usesSound: true,
            about: "Pictures and sounds of the study's folder stimuli/enjoyment, or moving patterns where it has none; after each, say how much you enjoyed it. Between them grey patterns, to compare with.",
            instructions: "You will see or hear fourteen things, one after another. Just look and listen. After each one, press a key from 1 (not at all) to 9 (very much) to say how much you enjoyed it. Use the whole scale. Grey patterns between them need no answer.",
            async run(run) {
              const stimuli = await enjoymentStimuli(run);
              for (const [index, kind] of withQuiet(Array(14).fill("look")).entries()) {
                const block = index + 1;
                if (kind === "neutral") { await run.quiet(block, neutralPattern(run)); continue; }
                const stimulus = stimuli.next();
                const { onset, stop } = await stimulus.show(run);
                run.mark(onset, { event: "blockBegin", block, condition: "look", stimulus: stimulus.name });
                await run.until(onset + run.seconds(12));
                stop();
                run.end(block);
                const asked = await run.show(el("p", {}, "How much did you enjoy it?"), ratingButtons(run));
                const press = await rating(run, asked);
                run.mark(press.at, { event: "rating", block, rating: press.key, latency: ((press.at - asked) / 1000).toFixed(4) });
                await run.rest();
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

        /** A built-in picture: rings, stripes or dots that move slowly; grey and still for what is to leave one indifferent. */
        function pattern(kind, hue, random, isNeutral = false) {
          const picture = svg("svg", { viewBox: "-100 -100 200 200", role: "img", "aria-label": isNeutral ? "A grey pattern" : "A moving pattern" });
          for (let i = 0; i < 14; i++) {
            const paint = "hsl(" + (hue + i * 6) + (isNeutral ? " 0% " : " 45% ") + (35 + (i % 5) * 9) + "%)";
            const shape = kind === 0 ? svg("circle", { r: 96 - i * 6.6, fill: "none", stroke: paint, "stroke-width": 3.2 })
              : kind === 1 ? svg("rect", { x: -100 + i * 14.3, y: -100, width: 8, height: 200, fill: paint })
              : svg("circle", { cx: random() * 180 - 90, cy: random() * 180 - 90, r: 6 + random() * 10, fill: paint });
            picture.append(shape);
            if (isNeutral) continue;
            const turn = svg("animateTransform", { attributeName: "transform", type: kind === 1 ? "translate" : "rotate", dur: 9 + i + "s",
              values: kind === 1 ? "0 0; 6 0; 0 0" : "0; " + (i % 2 ? 360 : -360), repeatCount: "indefinite" });
            shape.append(turn);
          }
          return picture;
        }
        """#
}
