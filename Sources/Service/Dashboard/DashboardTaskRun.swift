/// Script: a calibration task on the whole window, which writes what happens into the recording.
enum DashboardTaskRun {
    static let source = #"""
        /** A calibration task on the whole window. What happens is written into the recording: `key=value` words, the same in
         *  every task, at the moment the display or the sound had it. */
        class TaskRun {
          constructor(task, session, scale) {
            this.task = task;
            this.session = session;
            this.scale = scale;
            this.stage = $("stage");
            this.queue = [];
            this.flying = 0;
            this.isOver = false;
            this.presses = [];
            this.seed = Math.floor(Math.random() * 2 ** 31);
            this.random = generator(this.seed);
            // Escape leaves whatever is being waited for: the service, the sound output, a press.
            this.left = new Promise((_, reject) => { this.leave = reject; });
            this.left.catch(() => {});
          }

          async run() {
            this.open();
            try {
              await Promise.race([this.work(), this.left]);
              this.isOver = true;
            } catch (error) {
              this.isOver = true;
              this.noteAbort();
              // At once: a page that is hidden may be stopped before its timers come.
              this.deliver().catch(error => this.fail(error));
              // A key that is no longer valid: nothing more can be done on the page without another.
              if (error.status === 401) askForKey();
              if (error !== this.abort) showProblem("The task ended: " + error.message);
            } finally {
              this.close();
            }
          }

          /** The stage alone can be seen and reached. */
          open() {
            this.before = document.activeElement;
            this.stage.hidden = false;
            this.stage.replaceChildren(el("p", {}, "One moment…"), el("p", { class: "hint" }, "Escape stops the task."));
            this.behind(true);
            view.run = this;
            addEventListener("pagehide", this.onhide = () => this.hide());
            document.addEventListener("visibilitychange", this.oncover = () => this.cover());
            document.addEventListener("keydown", this.onkey = event => this.key(event), true);
            document.addEventListener("pointerdown", this.onpoint = event => this.point(event), true);
          }

          close() {
            clearInterval(this.beating);
            document.removeEventListener("keydown", this.onkey, true);
            document.removeEventListener("pointerdown", this.onpoint, true);
            removeEventListener("pagehide", this.onhide);
            document.removeEventListener("visibilitychange", this.oncover);
            view.run = null;
            this.wake();
            this.stage.hidden = true;
            this.stage.replaceChildren();
            this.behind(false);
            if (this.sound) this.sound.close();
            if (this.before) this.before.focus();
          }

          behind(isInert) { for (const node of document.body.children) if (node !== this.stage) node.inert = isInert; }

          async work() {
            const { task } = await service.call("GET", "/api/live");
            if (task) throw new Error("the task for " + task + " runs on another page");
            this.clock = await measureClock(this.session);
            this.frame = await measureFrame();
            await this.words(this.task.instructions, "Begin");
            // Browsers let a page sound when somebody has pressed something, and not before.
            if (this.task.usesSound) await this.openSound();
            this.mark(performance.now(), { event: "taskBegin", seed: this.seed, clockUncertainty: this.clock.uncertainty.toFixed(4),
              frame: this.frame.toFixed(4), audioLatency: (this.audioLatency || 0).toFixed(4) });
            this.isBegun = true;
            await this.deliver();
            this.beating = setInterval(() => this.beat(), 5000);
            await this.task.run(this);
            this.isBegun = false;
            this.mark(performance.now(), { event: "taskEnd" });
            this.isDone = true;
            await this.deliver();
            await this.words("Done, thank you. Everything is in the recording.", "Close");
          }

          /** Says that the page is there: the service keeps no task for one that is gone. */
          async beat() {
            try {
              await service.call("POST", "/api/tasks/beat", { task: this.task.id, seed: this.seed });
            } catch (error) {
              // Another was begun meanwhile. Whatever else went wrong, the markers find out.
              if (error.status === 409 && this.isBegun) this.fail(error);
            }
          }

          abort = new Error("stopped");

          key(event) {
            if (event.key === "Escape") { event.preventDefault(); this.stop(this.abort); return; }
            if (event.key === " " && event.target.tagName !== "BUTTON") event.preventDefault();
            // A key that is held down was pressed once.
            if (event.repeat) return;
            this.presses.push({ key: event.key, at: event.timeStamp });
            this.wake();
          }

          /** A click or a touch anywhere but on a button answers as the space bar does. */
          point(event) {
            if (event.button !== 0 || event.target.closest("button")) return;
            this.presses.push({ key: " ", at: event.timeStamp });
            this.wake();
          }

          /** Leaves whatever is being waited for. */
          stop(why) { this.isOver = true; this.wake(); this.leave(why); }

          /** Ends the task because its markers are not taken: those that wait are not tried again. */
          fail(error) { this.queue.length = this.flying; this.stop(error); }

          /** Browsers stop the frames and timers of a page that nobody sees: its trials were not shown, and must not count. */
          cover() {
            if (document.hidden && this.isBegun && !this.isOver) this.stop(new Error("its page was hidden, and what it shows could not be seen"));
          }

          /** The page goes away: what waits is sent without it. */
          hide() {
            this.isOver = true;
            this.noteAbort();
            const rest = this.queue.slice(this.flying);
            if (rest.length) this.post(rest).catch(() => {});
            this.queue.length = this.flying;
            this.leave(this.abort);
          }

          /** A task that the recording knows of and that was not done was given up. Of one that it does not know, nothing is
           *  written: the task that runs may be another page's. */
          noteAbort() {
            if (!this.isKnown) this.queue.length = this.flying;
            if (this.isDone || !this.isKnown) return;
            this.isDone = true;
            this.mark(performance.now(), { event: "taskAborted" });
          }

          wake() { if (this.waiting) { const waiting = this.waiting; this.waiting = null; waiting(); } }

          /** Waits until a moment on the page's clock, or until a press when one is asked for. */
          async until(moment, wantsPress = false) {
            const known = this.presses.length;
            while (!this.isOver && performance.now() < moment && !(wantsPress && this.presses.length > known)) {
              await new Promise(resolve => {
                this.waiting = resolve;
                setTimeout(resolve, Math.max(0, moment - performance.now()));
              });
            }
            if (this.isOver) throw this.abort;
          }

          seconds(s) { return s * 1000 * this.scale; }

          /** Text, and a button to go on. */
          async words(text, button) {
            if (this.isOver) throw this.abort;
            await new Promise(resolve => {
              const go = el("button", { type: "button", onclick: resolve }, button);
              this.stage.replaceChildren(el("p", {}, text), go, el("p", { class: "hint" }, "Escape stops the task."));
              go.focus();
            });
            this.presses = [];
          }

          /** Shows something and returns the moment at which the display had it: the frame after the one it was put into. */
          async show(...nodes) {
            if (this.isOver) throw this.abort;
            this.stage.replaceChildren(...nodes);
            await new Promise(requestAnimationFrame);
            const stamp = await new Promise(requestAnimationFrame);
            // It may have been left meanwhile: frames wait while the page is hidden.
            if (this.isOver) throw this.abort;
            return stamp;
          }

          stimulus(text) { return this.show(el("div", { class: "stimulus", "aria-live": "assertive" }, text)); }

          /** What the next block asks for. */
          async cue(text) {
            await this.stimulus(text);
            await this.until(performance.now() + this.seconds(2.5));
          }

          /** A short pause after a block. */
          async rest() {
            this.mark(performance.now(), { event: "rest" });
            await this.show(el("p", {}, "Rest"), el("div", { class: "stimulus" }, "+"));
            await this.until(performance.now() + this.seconds(1.2));
          }

          /** A neutral block: neither of the two states. Here the person's predictions are to stand at 0.5. */
          async quiet(block, stimulus = { name: "cross", nodes: [el("div", { class: "stimulus" }, "+")] }) {
            await this.cue("QUIET");
            const onset = await this.show(...stimulus.nodes);
            this.mark(onset, { event: "blockBegin", block, condition: "neutral", stimulus: stimulus.name });
            await this.until(onset + this.seconds(10));
            this.end(block);
          }

          async openSound() {
            this.sound = new AudioContext({ latencyHint: "interactive" });
            const late = new Promise((_, reject) => setTimeout(() => reject(new Error(
              "no sound can be played: see that a sound output is connected and that the browser lets this page play sound")), 3000));
            await Promise.race([this.sound.resume(), late]);
            this.audioLatency = (this.sound.baseLatency || 0) + (this.sound.outputLatency || 0);
          }

          /** A tone with soft edges; returns the moment at which it can be heard, on the page's clock. */
          tone(frequency, seconds) {
            const begin = this.sound.currentTime + 0.02, tone = this.sound.createOscillator(), gain = this.sound.createGain();
            tone.frequency.value = frequency;
            gain.gain.setValueAtTime(0, begin);
            gain.gain.linearRampToValueAtTime(0.25, begin + 0.01);
            gain.gain.setValueAtTime(0.25, begin + seconds - 0.01);
            gain.gain.linearRampToValueAtTime(0, begin + seconds);
            tone.connect(gain).connect(this.sound.destination);
            tone.start(begin);
            tone.stop(begin + seconds);
            return this.soundMoment(begin);
          }

          /** When a moment of the sound's clock can be heard, on the page's clock. */
          soundMoment(begin) {
            const stamp = this.sound.getOutputTimestamp ? this.sound.getOutputTimestamp() : null;
            if (stamp && stamp.performanceTime > 0) return stamp.performanceTime + (begin - stamp.contextTime) * 1000;
            return performance.now() + (begin - this.sound.currentTime + this.audioLatency) * 1000;
          }

          /** Presses since a moment, with their times. */
          pressesSince(moment, keys) {
            return this.presses.filter(press => press.at >= moment && (!keys || keys.includes(press.key)));
          }

          /** Notes something at a moment of the page's clock. */
          mark(moment, words) {
            const text = Object.entries({ task: this.task.id, ...words }).map(([key, value]) => key + "=" + value).join(" ");
            // Before the clocks are compared, a moment can only be now.
            const t = this.clock ? Math.max(0, moment / 1000 + this.clock.add) : undefined;
            this.queue.push({ label: text.slice(0, 200), t });
            this.pump();
          }

          /** What was noted is sent within half a second. */
          pump() {
            if (this.pumping) return;
            this.pumping = true;
            setTimeout(() => this.deliver().catch(error => this.fail(error)).finally(() => {
              this.pumping = false;
              if (this.queue.length) this.pump();
            }), 500);
          }

          /** Sends what waits; while the service cannot be reached it is tried again, for two minutes. */
          async deliver() {
            for (let tries = 1; ; tries++) {
              try { return await this.flush(); } catch (error) {
                if (!this.isPassing(error) || tries >= 120) throw error;
                await new Promise(resolve => setTimeout(resolve, 1000));
              }
            }
          }

          isPassing(error) { return !error.status || error.status === 429 || error.status >= 500; }

          /** One batch after the other; each leaves the queue when it has arrived. */
          flush() { return this.sending = (this.sending || Promise.resolve()).catch(() => {}).then(() => this.sendAll()); }

          async sendAll() {
            // A task that was left before the recording knew of it is not begun any more.
            if (this.isOver && !this.isKnown) this.queue = [];
            while (this.queue.length) {
              const tags = this.queue.slice(0, 200);
              this.flying = tags.length;
              try {
                await this.post(tags);
              } catch (error) {
                this.flying = 0;
                if (!this.isPassing(error)) this.fail(error);
                throw error;
              }
              this.flying = 0;
              this.queue.splice(0, tags.length);
              this.isKnown = true;
              // It was left while its begin was on the way.
              if (this.isOver) this.noteAbort();
            }
          }

          /** Goes on when the page is closed meanwhile; browsers take 64 KiB of that at most. */
          post(tags) {
            return service.call("POST", "/api/sessions/" + this.session + "/tags", { stream: "calibration", tags, seed: this.seed }, { keepalive: true });
          }

          /** Notes a trial and its answer. */
          trial(block, number, onset, response, words) {
            this.mark(onset, { event: "trial", block, trial: number, ...words });
            if (response) this.mark(response.at, { event: "response", block, trial: number, key: response.key === " " ? "space" : response.key,
              latency: ((response.at - onset) / 1000).toFixed(4), isCorrect: words.isTarget === undefined ? "n/a" : words.isTarget });
          }

          begin(block, condition, words = {}) { this.mark(performance.now(), { event: "blockBegin", block, condition, ...words }); }
          end(block, words = {}) { this.mark(performance.now(), { event: "blockEnd", block, ...words }); }
        }
        """#
}
