/// The page's style sheet, for telephones, screens and paper.
enum PageStyle {
    static let source = #"""
        :root { --ink: #1a1a1a; --soft: #555; --rule: #d4d4d4; --link: #005a8c; }
        * { box-sizing: border-box; }
        html { -webkit-text-size-adjust: 100%; }
        body { margin: 0 auto; padding: 1.2rem 1rem 3rem; max-width: 62rem; color: var(--ink); background: #fff;
          font: 16px/1.5 system-ui, -apple-system, "Segoe UI", "Liberation Sans", "DejaVu Sans", sans-serif; }
        h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .3rem; overflow-wrap: anywhere; }
        h2 { font-size: 1.25rem; margin: 2.4rem 0 .8rem; padding-bottom: .25rem; border-bottom: 2px solid var(--ink);
          overflow-wrap: anywhere; }
        h3 { font-size: 1rem; margin: 0 0 .35rem; overflow-wrap: anywhere; }
        p { margin: .5rem 0; }
        a { color: var(--link); }
        header p { color: var(--soft); margin: .15rem 0; overflow-wrap: anywhere; }
        nav { margin: 1rem 0 0; font-size: .92rem; }
        nav a { display: inline-block; margin-right: 1rem; padding: .2rem 0; max-width: 100%; overflow-wrap: anywhere; }
        .verdict { border: 1px solid var(--rule); border-left: 8px solid var(--soft); padding: .6rem .9rem; margin: 1rem 0;
          overflow-wrap: anywhere; }
        .verdict.good { border-left-color: #009E73; }
        .verdict.fair { border-left-color: #E69F00; border-left-style: double; }
        .verdict.poor { border-left-color: #D55E00; border-left-width: 14px; }
        .verdict strong { margin-right: .4rem; }
        .cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(9.4rem, 1fr)); gap: .6rem; margin: .5rem 0 1.2rem; }
        .cards > div { border: 1px solid var(--rule); border-radius: 4px; padding: .45rem .65rem .5rem; }
        .cards dt { font-size: .84rem; color: var(--soft); line-height: 1.3; overflow-wrap: anywhere; }
        .cards dd { margin: .1rem 0 0; font-size: 1.32rem; line-height: 1.25; font-variant-numeric: tabular-nums; }
        .cards dd small { font-size: .88rem; color: var(--soft); }
        .cards dd .none { font-size: 1rem; }
        .figures { display: grid; grid-template-columns: 1fr 1fr; gap: 1.6rem 1.4rem; }
        figure { margin: 0; min-width: 0; }
        figure.wide { grid-column: 1 / -1; }
        .picture svg { display: block; width: 100%; height: auto; }
        .picture svg.live { touch-action: pan-y; cursor: crosshair; }
        .picture svg.live:focus { outline: 2px solid var(--link); outline-offset: 2px; }
        .picture.narrow { display: none; }
        .picture.half { max-width: 34rem; }
        figcaption { font-size: .88rem; color: #3a3a3a; margin-top: .35rem; line-height: 1.45; overflow-wrap: anywhere; }
        .tools { display: flex; gap: .3rem; align-items: center; flex-wrap: wrap; font-size: .88rem; min-height: 2rem; }
        .tools button { font: inherit; min-width: 2.1rem; padding: .1rem .5rem; border: 1px solid #aaa; border-radius: 4px;
          background: #fff; color: var(--ink); cursor: pointer; }
        .tools button:hover, .tools button:focus-visible { background: #eef5fa; border-color: var(--link); }
        .tools output { margin-left: .5rem; font-variant-numeric: tabular-nums; white-space: pre; }
        .scroll { overflow-x: auto; }
        .scroll:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
        table { border-collapse: collapse; width: 100%; font-size: .9rem; margin: .4rem 0 1rem; }
        .caption { font-size: .9rem; font-weight: 600; margin: .4rem 0 0; overflow-wrap: anywhere; }
        th, td { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0;
          border-bottom: 1px solid var(--rule); overflow-wrap: break-word; }
        td.long { overflow-wrap: anywhere; }
        th { border-bottom: 1.5px solid var(--soft); }
        tbody th { font-weight: 600; border-bottom: 1px solid var(--rule); }
        td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
        td .why, .cards .why { color: var(--soft); font-size: .85rem; }
        thead th { white-space: nowrap; }
        thead th.n { white-space: normal; }
        tbody th { max-width: 16rem; }
        pre { font: .85em/1.4 ui-monospace, "DejaVu Sans Mono", monospace; white-space: pre-wrap; overflow-wrap: anywhere;
          background: #f6f6f6; padding: .6rem .8rem; margin: .3rem 0; }
        code { font: .92em ui-monospace, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
        details { margin: .6rem 0; }
        summary { cursor: pointer; font-weight: 600; padding: .25rem 0; }
        .methods { max-width: 46rem; }
        .methods ol { padding-left: 1.4rem; font-size: .92rem; }
        .methods li { margin: .3rem 0; overflow-wrap: anywhere; }
        footer { margin-top: 2.5rem; padding-top: .7rem; border-top: 1px solid var(--rule); color: var(--soft); font-size: .9rem; }
        .skip { position: absolute; left: -99rem; }
        .skip:focus { left: 1rem; background: #fff; padding: .3rem; }
        @media screen and (max-width: 640px) {
          body { padding: .8rem .9rem 2rem; }
          h1 { font-size: 1.4rem; }
          .figures { grid-template-columns: minmax(0, 1fr); }
          .picture.wide { display: none; }
          .picture.narrow { display: block; }
          .cards { grid-template-columns: 1fr 1fr; }
          table:not(.stack) td.long { min-width: 11rem; }
          td:not(.long), tbody th { overflow-wrap: normal; }
          .stack thead { position: absolute; left: -99rem; }
          .stack tr { display: block; padding: .4rem 0; border-bottom: 1px solid var(--rule); }
          .stack th, .stack td { display: inline; border: 0; padding: 0 .35rem 0 0; white-space: normal; text-align: left; }
          .stack td.long { display: block; color: var(--soft); }
          .stack td[data-heading] { display: block; }
          .stack td[data-heading]::before { content: attr(data-heading) ": "; color: var(--soft); }
        }
        @page { size: A4; margin: 11mm 13mm; }
        @media print {
          body { font-size: 10pt; max-width: none; padding: 0; }
          h1 { font-size: 17pt; }
          h2 { font-size: 13pt; margin: .9rem 0 .4rem; break-after: avoid; }
          h3, .caption, summary, h2 + p { break-after: avoid; }
          figure, tr, .verdict, .cards > div, .picture, h2 + p { break-inside: avoid; }
          figure.tall { break-inside: auto; }
          .picture svg { max-height: 235mm; }
          .figures { gap: .6rem 1rem; }
          .picture.half svg { max-height: 63mm; }
          nav, .tools, .skip, a.data { display: none; }
          .cards { grid-template-columns: repeat(6, 1fr); gap: .35rem; }
          .cards dd { font-size: 12pt; }
          .cards dt, figcaption { font-size: 8pt; }
          table, .caption, .methods ol { font-size: 8.5pt; }
          th, td { padding-top: .18rem; padding-bottom: .18rem; }
          footer { font-size: 8.5pt; margin-top: 1rem; break-inside: avoid; }
          footer p { margin: .2rem 0; }
          thead { display: table-header-group; }
          .scroll { overflow: visible; }
          a { color: inherit; text-decoration: none; }
          details.print::details-content { content-visibility: visible; display: block; height: auto; }
          * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
        }
        """#
}
