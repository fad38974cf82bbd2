/// The page's style sheet: light and dark, from a telephone to a wide screen.
enum DashboardStyle {
    static let source = #"""
        :root { color-scheme: light dark;
          --paper: #fff; --panel: #f6f7f8; --ink: #16191c; --soft: #50575e; --rule: #c9ced3; --link: #005a8c;
          --good: #006b4f; --fair: #8a5a00; --poor: #b23a00; --trace: #005a8c; --beat: #b3122f; --mark: #6b3fa0; }
        @media (prefers-color-scheme: dark) { :root:not([data-theme="light"]) {
          --paper: #101315; --panel: #1a1e21; --ink: #eceff1; --soft: #a9b2ba; --rule: #3a4147; --link: #7cc4f2;
          --good: #4fd1a5; --fair: #f0b94d; --poor: #ff8a5c; --trace: #7cc4f2; --beat: #ff7a90; --mark: #c6a4f5; } }
        :root[data-theme="dark"] { color-scheme: dark;
          --paper: #101315; --panel: #1a1e21; --ink: #eceff1; --soft: #a9b2ba; --rule: #3a4147; --link: #7cc4f2;
          --good: #4fd1a5; --fair: #f0b94d; --poor: #ff8a5c; --trace: #7cc4f2; --beat: #ff7a90; --mark: #c6a4f5; }
        :root[data-theme="light"] { color-scheme: light; }
        * { box-sizing: border-box; }
        [hidden] { display: none !important; }
        html { -webkit-text-size-adjust: 100%; }
        body { margin: 0; color: var(--ink); background: var(--paper);
          font: 16px/1.45 system-ui, -apple-system, "Segoe UI", "Liberation Sans", "DejaVu Sans", sans-serif; }
        a { color: var(--link); }
        .skip { position: absolute; left: -99rem; }
        .skip:focus { left: .5rem; top: .5rem; z-index: 9; background: var(--paper); padding: .4rem .6rem; }
        .hidden-text { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
        body > header { display: flex; flex-wrap: wrap; gap: .4rem 1rem; align-items: center; padding: .5rem 1rem;
          border-bottom: 1px solid var(--rule); position: sticky; top: 0; background: var(--paper); z-index: 5; }
        h1 { font-size: 1.15rem; margin: 0; }
        h1 span { font-weight: 400; color: var(--soft); }
        h2 { font-size: 1.05rem; margin: 0 0 .5rem; }
        h3 { font-size: .95rem; margin: 0 0 .35rem; }
        main { padding: 1rem; max-width: 84rem; margin: 0 auto; }
        nav { display: flex; gap: .3rem; }
        #link { margin: 0 0 0 auto; font-size: .88rem; color: var(--soft); }
        #link.lost { color: var(--poor); font-weight: 600; }
        button, input, select, textarea { font: inherit; color: inherit; }
        button { border: 1px solid var(--rule); border-radius: 6px; background: var(--panel); padding: .4rem .8rem; cursor: pointer;
          min-height: 2.5rem; }
        button:hover { border-color: var(--link); }
        button:disabled { opacity: .55; cursor: default; }
        button.main { background: var(--link); color: var(--paper); border-color: var(--link); font-weight: 600; }
        button.stop { border-color: var(--poor); color: var(--poor); font-weight: 600; }
        button.small { min-height: 2rem; white-space: nowrap; padding: .15rem .55rem; font-size: .88rem; }
        [aria-current="page"] { border-color: var(--link); box-shadow: inset 0 -3px var(--link); }
        :focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
        input, select, textarea { border: 1px solid var(--soft); border-radius: 6px; background: var(--paper); padding: .4rem .5rem;
          width: 100%; min-height: 2.5rem; }
        label { display: block; font-size: .9rem; margin-bottom: .7rem; }
        label small, .soft { color: var(--soft); font-weight: 400; }
        form { max-width: 34rem; }
        .pair { display: grid; grid-template-columns: 1fr 1fr; gap: 0 .8rem; }
        fieldset { border: 1px solid var(--rule); border-radius: 8px; margin: 0 0 .7rem; padding: .3rem .8rem .5rem; }
        legend { font-size: .9rem; padding: 0 .3rem; }
        fieldset label { display: inline-flex; gap: .35rem; align-items: center; margin: 0; min-height: 2rem; }
        fieldset input[type="checkbox"] { width: 1.15rem; height: 1.15rem; min-height: 0; margin: 0; }
        .reader [data-right="record"], body:not(.reader) #reader-words { display: none !important; }
        .later { margin-top: 1.4rem; }
        .row { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
        .panel { background: var(--panel); border: 1px solid var(--rule); border-radius: 8px; padding: .7rem .9rem; min-width: 0; }
        .board { display: grid; gap: .8rem; grid-template-columns: minmax(0, 1fr) 19rem; align-items: start; margin-top: .8rem; }
        .stack { display: grid; gap: .8rem; min-width: 0; }
        .bar { display: flex; flex-wrap: wrap; gap: .5rem 1.4rem; align-items: center; }
        .bar > div { min-width: 0; }
        .figure { font-size: 1.5rem; font-variant-numeric: tabular-nums; line-height: 1.15; font-weight: 600; }
        .figure.large { font-size: 2.6rem; }
        .caption { font-size: .8rem; color: var(--soft); }
        .push { margin-left: auto; }
        .rec::before { content: ""; display: inline-block; width: .7rem; height: .7rem; border-radius: 50%; background: var(--beat);
          margin-right: .45rem; }
        .good { color: var(--good); } .fair { color: var(--fair); } .poor { color: var(--poor); }
        .problem { border-left: 6px solid var(--poor); padding: .5rem .8rem; margin: .6rem 0; background: var(--panel); overflow-wrap: anywhere; }
        .note { border-left: 6px solid var(--fair); padding: .5rem .8rem; margin: 0 0 1rem; background: var(--panel); overflow-wrap: anywhere; }
        .note p { margin: 0; }
        .device { display: grid; gap: .3rem .8rem; grid-template-columns: 1fr auto; }
        .device-row > .row { margin-top: .4rem; }
        .device-row + .device-row { border-top: 1px solid var(--rule); margin-top: .6rem; padding-top: .6rem; }
        .device p { margin: 0; overflow-wrap: anywhere; }
        .device svg { grid-column: 1 / -1; max-width: 15rem; margin: 0 auto; display: block; width: 100%; }
        .trace { margin: 0 0 .5rem; }
        .trace figcaption { display: flex; justify-content: space-between; gap: 1rem; font-size: .85rem; }
        .trace canvas { display: block; width: 100%; background: var(--paper); border: 1px solid var(--rule); border-radius: 4px; }
        .dials { display: grid; grid-template-columns: repeat(auto-fill, minmax(10rem, 1fr)); gap: .8rem; }
        .dial { text-align: center; margin: 0; }
        .dial svg { width: 100%; max-width: 9rem; }
        .dial .icon { font-size: 2.4rem; line-height: 1.3; color: var(--soft); }
        .heart { display: inline-block; color: var(--beat); font-size: 2rem; line-height: 1; }
        .heart.beat { animation: beat .28s ease-out; }
        @keyframes beat { 0% { transform: scale(1.35); } 100% { transform: scale(1); } }
        @media (prefers-reduced-motion: reduce) { .heart.beat { animation: none; } }
        ul.plain { list-style: none; margin: 0; padding: 0; }
        .scrolled { max-height: 15rem; overflow-y: auto; }
        ul.plain li { display: flex; gap: .6rem; align-items: center; padding: .2rem 0; border-bottom: 1px solid var(--rule); }
        ul.plain li span:first-child { font-variant-numeric: tabular-nums; color: var(--soft); min-width: 4rem; }
        ul.plain li button { margin-left: auto; }
        summary { cursor: pointer; padding: .3rem 0; }
        h2 small { font-weight: 400; font-size: .85rem; }
        .scroll { overflow-x: auto; }
        table { border-collapse: collapse; width: 100%; font-size: .92rem; }
        th, td { text-align: left; padding: .35rem .7rem .35rem 0; border-bottom: 1px solid var(--rule); vertical-align: middle; }
        td.n { text-align: right; font-variant-numeric: tabular-nums; }
        kbd { border: 1px solid var(--rule); border-bottom-width: 2px; border-radius: 4px; padding: 0 .35rem; font-size: .85em; }
        #stage { position: fixed; inset: 0; z-index: 20; background: #808080; color: #000; display: flex; flex-direction: column;
          align-items: center; justify-content: center; text-align: center; padding: 1rem;
          touch-action: manipulation; user-select: none; -webkit-user-select: none; }
        body:has(#stage:not([hidden])) { overflow: hidden; }
        #stage .stimulus { font-size: min(22vw, 9rem); line-height: 1.1; min-height: 1.2em; font-variant-numeric: tabular-nums; }
        #stage p { max-width: 36rem; font-size: 1.1rem; }
        #stage button { background: #eee; color: #000; border-color: #333; min-width: 5rem; }
        #stage img { max-width: 90vw; max-height: 80vh; }
        #stage svg { width: min(70vmin, 34rem); }
        #stage .hint { position: absolute; bottom: 1rem; left: 0; right: 0; margin: 0 auto; font-size: .9rem; }
        @media (max-width: 760px) {
          main { padding: .7rem; }
          body > header { padding: .4rem .7rem; }
          .board { grid-template-columns: minmax(0, 1fr); }
          .bar { gap: .5rem 1rem; }
          .push { margin-left: 0; width: 100%; }
          .push button { flex: 1; }
          .dials { grid-template-columns: 1fr 1fr; }
          .cards thead { display: none; }
          .cards tr { display: flex; flex-wrap: wrap; gap: .1rem .8rem; padding: .45rem 0; border-bottom: 1px solid var(--rule); }
          .cards td { border: 0; padding: 0; }
          .cards td:empty { display: none; }
          .cards td.n:not(:empty)::before { content: "run "; }
          .cards td:last-child { width: 100%; }
          .wide { display: none; }
        }
        """#
}
