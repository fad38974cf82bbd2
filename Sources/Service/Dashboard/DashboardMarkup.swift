/// The page's body.
enum DashboardMarkup {
    static let source = #"""
        <a class="skip" href="#main">Skip to the content</a>
        <header>
          <h1>Marey <span id="study"></span></h1>
          <nav aria-label="Pages">
            <button type="button" data-page="session" aria-current="page">Session</button>
            <button type="button" data-page="tasks">Tasks</button>
            <button type="button" data-page="history">History</button>
          </nav>
          <p id="link" role="status">connecting…</p>
        </header>
        <main id="main" tabindex="-1">
          <div id="problem" class="problem" role="alert" hidden></div>
          <section id="page-key" hidden aria-labelledby="key-title">
            <h2 id="key-title">Key</h2>
            <form id="key-form">
              <p>Open the link that <code>marey serve</code> printed, or give a key made with <code>marey study keys create</code>.</p>
              <label>Key <input id="key" type="password" autocomplete="off" required></label>
              <button class="main">Open</button>
            </form>
          </section>
          <section id="page-session" hidden aria-label="Session">
            <div id="idle">
              <div id="notes" class="note" role="status" data-right="record" hidden></div>
              <p class="soft" id="reader-words">No session runs. This key may look, not record.</p>
              <h2 data-right="record">New session</h2>
              <form id="start-form" data-right="record">
                <div class="pair">
                  <label>Participant <small>letters and digits</small>
                    <input id="participant" required pattern="[A-Za-z0-9]{1,64}" list="participants" autocomplete="off"></label>
                  <label>Task <small>if wanted</small> <input id="task" pattern="[A-Za-z0-9]{1,64}" autocomplete="off"></label>
                  <label>Session <small>if wanted</small> <input id="session-label" pattern="[A-Za-z0-9]{1,64}" autocomplete="off"></label>
                  <label>Minutes <small>if it ends by itself</small> <input id="minutes" type="number" min="0.1" max="10080" step="any"></label>
                </div>
                <datalist id="participants"></datalist>
                <fieldset id="prediction-choice"><legend>Tell as it goes on</legend><div id="prediction-list" class="row"></div>
                  <p class="caption" id="prediction-hint">Those that are calibrated for this participant can be chosen; the signals are checked first.</p></fieldset>
                <label>Devices <small>one a line: MODEL@PLACE,option=value</small>
                  <textarea id="devices" rows="3" required spellcheck="false" aria-describedby="models"></textarea></label>
                <p id="models" class="soft"></p>
                <div id="found" class="row" aria-live="polite"></div>
                <p class="row"><button class="main" id="start">Start recording</button>
                  <button type="button" id="check">Check signals first</button>
                  <button type="button" id="scan">Look for Bluetooth devices</button></p>
              </form>
            </div>
            <div id="live" hidden>
              <div class="panel bar">
                <div><div class="figure rec" id="timer" role="timer" aria-live="off">0:00</div><div class="caption" id="who"></div></div>
                <div id="written-figure"><div class="figure" id="written">–</div><div class="caption" id="free">written</div></div>
                <div><div class="figure" id="lost">0</div><div class="caption" id="lost-where">samples lost</div></div>
                <div class="row push" id="check-tools" data-right="record" hidden>
                  <button type="button" class="main" id="start-checked">Start recording</button>
                  <button type="button" id="end-check">End the check</button>
                </div>
                <div class="row push" id="session-tools" data-right="record">
                  <label class="hidden-text" for="tag-label">Tag</label>
                  <input id="tag-label" placeholder="tag" maxlength="200" style="width: 9rem">
                  <button type="button" id="tag"><u>T</u>ag</button>
                  <button type="button" class="stop" id="finish">Finish</button>
                </div>
              </div>
              <div class="board">
                <div class="stack">
                  <section class="panel" id="traces-panel" aria-labelledby="traces-title">
                    <h2 id="traces-title">Signals <small class="soft">last 10 s</small></h2><div id="traces"></div>
                    <details id="more" hidden><summary>More signals</summary><div id="more-traces"></div></details>
                    <p id="no-traces" class="soft">Waiting for the devices…</p></section>
                  <section class="panel" id="metrics-panel" aria-labelledby="metrics-title" hidden>
                    <h2 id="metrics-title">Predictions <small class="soft">0 to 1, the person's neutral at 0.5 (dashed); last 5 min</small></h2>
                    <div id="metrics" class="dials"></div></section>
                </div>
                <div class="stack">
                  <section class="panel" aria-labelledby="heart-title"><h2 id="heart-title">Heart <small id="heart-source" class="soft"></small></h2>
                    <div class="row"><span class="heart" id="heart" aria-hidden="true">♥</span>
                      <div><span class="figure large" id="rate">–</span> <span class="caption">bpm</span></div></div>
                    <p class="caption" id="heart-more"></p>
                    <figure class="trace"><canvas id="tachogram" height="70" role="img" aria-label="Heart rate over the last five minutes"></canvas></figure>
                  </section>
                  <section class="panel" aria-labelledby="devices-title"><h2 id="devices-title">Devices</h2><div id="device-list"></div>
                    <form id="add-device" class="row later" data-right="record" hidden>
                      <label class="hidden-text" for="new-device">One more device: MODEL@PLACE,option=value</label>
                      <input id="new-device" required maxlength="500" placeholder="MODEL@PLACE" spellcheck="false" autocomplete="off" style="flex: 1 1 8rem; width: 8rem">
                      <button class="small">Connect one more</button></form></section>
                  <section class="panel" aria-labelledby="rhythm-title"><h2 id="rhythm-title">Rhythm, not regular <span id="rhythm-count" class="soft"></span></h2>
                    <div class="scrolled" role="group" aria-labelledby="rhythm-title" tabindex="0"><ul id="rhythms" class="plain"></ul></div><p class="caption">A description, no diagnosis.</p></section>
                  <section class="panel" aria-labelledby="tags-title"><h2 id="tags-title">Tags <span id="tag-count" class="soft"></span></h2>
                    <div class="scrolled" role="group" aria-labelledby="tags-title" tabindex="0"><ul id="tags" class="plain"></ul></div>
                    <p class="caption" data-right="record">Keys: <kbd>T</kbd> the tag in the field, <kbd>1</kbd>–<kbd>9</kbd> numbered ones.</p></section>
                  <section class="panel" aria-labelledby="words-title"><h2 id="words-title">Messages</h2>
                    <div role="log" aria-labelledby="words-title" tabindex="0" class="scrolled"><ul id="words" class="plain"></ul></div></section>
                </div>
              </div>
            </div>
          </section>
          <section id="page-tasks" hidden aria-labelledby="tasks-title">
            <h2 id="tasks-title">Calibration tasks</h2>
            <p id="tasks-need" class="soft">A task runs within a session of a device that measures EEG: start one first. Its blocks, trials and answers are written into the recording.</p>
            <div id="task-list" class="stack"></div>
            <h2 id="standings-title" class="later">Where participants stand</h2>
            <p class="soft">A model is fitted when a session with a task is over, and used only where it tells the states apart better than chance.</p>
            <div class="scroll"><table aria-labelledby="standings-title"><thead><tr><th scope="col">Participant</th><th scope="col">Prediction</th>
              <th scope="col">Status</th><th scope="col">Why</th><th scope="col"><span class="hidden-text">Model card</span></th></tr></thead>
              <tbody id="standings"></tbody></table></div>
          </section>
          <section id="page-history" hidden aria-labelledby="history-title">
            <h2 id="history-title">Sessions</h2>
            <div class="scroll"><table class="cards"><thead><tr><th scope="col">When</th><th scope="col">Participant</th><th scope="col">Session</th><th scope="col">Task</th>
              <th scope="col">Run</th><th scope="col">State</th><th scope="col"><span class="hidden-text">Report and files</span></th></tr></thead>
              <tbody id="sessions"></tbody></table></div>
            <div id="files" hidden class="panel" tabindex="-1"></div>
          </section>
        </main>
        <div id="stage" hidden role="dialog" aria-modal="true" aria-label="Task"></div>
        """#
}
