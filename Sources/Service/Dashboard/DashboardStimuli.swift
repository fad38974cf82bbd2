/// Script: what the enjoyment task shows and plays.
enum DashboardStimuli {
    static let source = #"""
        /** The lab's pictures and sounds in an order that the seed decides, again and again; moving patterns where there are
         *  none. */
        async function enjoymentStimuli(run) {
          const { items } = await service.call("GET", "/api/stimuli");
          const stimuli = [];
          for (const item of items.slice(0, 60)) {
            const blob = await service.blob("/api/stimuli/" + encodeURIComponent(item.name));
            stimuli.push(item.type.startsWith("audio/") ? await soundStimulus(run, item.name, blob) : await pictureStimulus(item.name, blob));
          }
          for (let i = stimuli.length - 1; i > 0; i--) {
            const j = Math.floor(run.random() * (i + 1));
            [stimuli[i], stimuli[j]] = [stimuli[j], stimuli[i]];
          }
          const all = stimuli.length ? stimuli : [0, 1, 2].map(patternStimulus);
          let turn = 0;
          return { next() { return all[turn++ % all.length]; } };
        }

        /** One of the built-in neutral set. */
        function neutralPattern(run) {
          const kind = Math.floor(run.random() * 3);
          return { name: "neutral" + kind, nodes: [pattern(kind, 0, run.random, true)] };
        }

        /** A name as one word of a marker. */
        function word(name) { return name.replace(/[^A-Za-z0-9._-]/g, "_"); }

        function patternStimulus(kind) {
          return { name: "pattern" + kind, async show(run) {
            const onset = await run.show(pattern(kind, Math.floor(run.random() * 360), run.random));
            return { onset, stop() {} };
          } };
        }

        async function pictureStimulus(name, blob) {
          const picture = el("img", { src: URL.createObjectURL(blob), alt: "A picture to look at" });
          await picture.decode();
          return { name: word(name), async show(run) { return { onset: await run.show(picture), stop() {} }; } };
        }

        async function soundStimulus(run, name, blob) {
          const buffer = await run.sound.decodeAudioData(await blob.arrayBuffer());
          return { name: word(name), async show(run) {
            await run.show(el("div", { class: "stimulus" }, "+"));
            const source = new AudioBufferSourceNode(run.sound, { buffer, loop: buffer.duration < 12 });
            source.connect(run.sound.destination);
            const begin = run.sound.currentTime + 0.05;
            source.start(begin);
            return { onset: run.soundMoment(begin), stop() { source.stop(); } };
          } };
        }
        """#
}
