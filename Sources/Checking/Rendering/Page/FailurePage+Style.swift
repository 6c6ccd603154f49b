extension FailurePage {
  /// The additional styles of the page.
  static let style = #"""
    :root { --card: #ffffff; --pick: #f0f4f6; --cut: #a8741a12; --calm: #3f81590d; }
    @media (prefers-color-scheme: dark) {
      :root { --card: #1b1e23; --pick: #242a31; --cut: #d9aa5714; --calm: #78c19712; }
    }
    .step, .time {
      font-family: ui-monospace, "SF Mono", "Cascadia Code", "DejaVu Sans Mono", monospace;
    }
    header, main, footer { max-width: 1480px; margin: 0 auto; padding: 0 28px; }
    header { padding-top: 36px; }
    h1 { font-size: 23px; line-height: 1.35; margin: 0 0 14px; max-width: 62em; }
    h2 { font-size: 14px; margin: 0; }
    .facts { gap: 8px 26px; margin: 0 0 18px; padding: 0; }
    .facts div { display: flex; gap: 8px; align-items: baseline; }
    .bad { color: var(--fail); }
    .command { display: flex; align-items: center; gap: 10px; margin: 0 0 18px; }
    .command code { background: var(--card); border: 1px solid var(--line); border-radius: 7px;
      padding: 6px 12px; font-size: 13px; overflow-x: auto; white-space: pre; }
    button { font: inherit; font-size: 13px; color: var(--ink); background: var(--card);
      border: 1px solid var(--line); border-radius: 7px; padding: 4px 11px; cursor: pointer; }
    button:hover { border-color: var(--faint); }
    button[aria-pressed="true"] { background: var(--pick); border-color: var(--live);
      color: var(--live); }
    .card { background: var(--card); border: 1px solid var(--line); border-radius: 12px;
      margin: 0 0 20px; }
    .card > .top { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 14px;
      padding: 12px 18px; border-bottom: 1px solid var(--line); }
    .top .space { flex: 1; }
    .losses { padding: 12px 18px; }
    .losses ul { margin: 6px 0 0; padding-left: 20px; }
    .losses li { overflow-wrap: anywhere; }
    main { display: grid; grid-template-columns: minmax(0, 1fr) minmax(340px, 470px); gap: 20px;
      align-items: start; }
    @media (max-width: 1080px) { main { grid-template-columns: minmax(0, 1fr); } }
    .scroll { overflow: auto; max-height: 82vh; min-height: 200px; }
    .side { position: sticky; top: 16px; max-height: calc(100vh - 32px); overflow: auto; }
    @media (max-width: 1080px) { .side { position: static; max-height: none; } }
    .stepper { display: flex; align-items: center; gap: 8px; flex: 1; min-width: 0; }
    .stepper input { flex: 1; min-width: 40px; accent-color: var(--live); }
    div.faint { color: var(--faint); font-size: 13px; }
    .now { padding: 12px 18px; border-bottom: 1px solid var(--line); min-height: 96px; }
    .now b { font-weight: 600; overflow-wrap: anywhere; }
    .now .mono, #tip .mono { font-size: 12px; color: var(--faint); overflow-wrap: anywhere;
      max-height: 7.5em; overflow: hidden; margin-top: 4px; }
    .doc { padding: 12px 18px 4px; }
    .doc + .doc { border-top: 1px solid var(--line); }
    .doc h3 { font-size: 13px; margin: 0 0 4px; }
    figure { margin: 0 0 6px; display: grid; grid-template-columns: 52px minmax(0, 1fr);
      align-items: start; }
    figcaption { padding-top: 5px; }
    figure.down figcaption::after { content: " down"; color: var(--fail); }
    figure.down .trees { opacity: .6; }
    .trees { overflow-x: auto; }
    .trees > [hidden] { display: none; }
    .differs { color: var(--fail); font-weight: 400; margin-left: 8px; }

    /* The timeline. */
    svg { font: 12.5px system-ui, -apple-system, "Segoe UI", sans-serif; }
    svg text { fill: var(--ink); }
    .heads, .timeline { min-width: 100%; }
    .heads { position: sticky; top: 0; z-index: 1; background: var(--card);
      border-bottom: 1px solid var(--line); }
    .heads .head { text-anchor: middle; font-weight: 600; }
    svg .faint { fill: var(--faint); }
    .end { text-anchor: end; }
    .time { fill: var(--faint); font-size: 11px; }
    .step { fill: var(--faint); font-size: 11px; }
    .row rect { fill: transparent; }
    .row { cursor: pointer; }
    .row:hover rect { fill: var(--pick); fill-opacity: .6; }
    .row.here rect { fill: var(--live); fill-opacity: .11; }
    .row.here .words { fill: var(--live); }
    .row.finding .words { fill: var(--fail); font-weight: 600; }
    .lane { stroke: var(--line); stroke-width: 2; pointer-events: none; }
    .outage { fill: var(--fail); fill-opacity: .10; stroke: var(--fail); stroke-opacity: .35;
      stroke-dasharray: 2 4; pointer-events: none; }
    .cut { fill: var(--cut); }
    .calm { fill: var(--calm); }
    .wall { stroke: var(--odd); stroke-width: 1.5; stroke-dasharray: 2 5; pointer-events: none; }
    .session { fill: var(--quiet); fill-opacity: .35; }
    path { fill: none; pointer-events: none; }
    path.gap { stroke: var(--line); stroke-dasharray: 2 6; stroke-width: 2; }
    .request { stroke: var(--quiet); stroke-width: 1.3; marker-end: url(#tip-quiet); }
    .answer { stroke: var(--quiet); stroke-opacity: .6; marker-end: url(#tip-quiet); }
    .late { stroke: var(--odd); stroke-dasharray: 5 4; marker-end: url(#tip-odd); }
    .again { stroke: var(--odd); stroke-width: 1.3; marker-end: url(#tip-odd); }
    .flow { stroke: var(--live); stroke-width: 1.6; marker-end: url(#tip-live); }
    .stub { stroke: var(--fail); stroke-width: 1.4; }
    .cross { stroke: var(--fail); stroke-width: 2; }
    .all { stroke-width: 1.2; stroke-dasharray: 1 3; }
    .mark, .dot { pointer-events: none; }
    .mark circle { fill: currentColor; stroke: var(--card); stroke-width: 2; }
    .mark text { fill: var(--card); text-anchor: middle; font-size: 10.5px; font-weight: 700; }
    .dot { fill: currentColor; }
    .live { color: var(--live); } .dead { color: var(--dead); } .odd { color: var(--odd); }
    .good { color: var(--pass); } .quiet { color: var(--quiet); }
    path.live, path.dead, path.bad, path.odd, path.good, path.quiet { stroke: currentColor; }

    /* Revision trees, with what the chosen event changed. */
    .tree .none { text-anchor: start; font-style: italic; }
    .fresh .rev.new .halo { display: block; fill: var(--odd); fill-opacity: .28; stroke: none; }
    .fresh .edge.new { stroke: var(--odd); }

    details { border-top: 1px solid var(--line); }
    details:first-child { border-top: 0; }
    summary { padding: 11px 18px; font-size: 14px; font-weight: 600; }
    details .inner { padding: 0 18px 16px; overflow-x: auto; }
    table, pre { color: var(--ink); }
    table { font-size: 13px; }
    th { color: var(--faint); font-weight: 500; }
    th, td { padding: 4px 18px 4px 0; vertical-align: top; overflow-wrap: anywhere; }
    th.number, td.number { text-align: right; }
    pre { margin: 8px 0 0; font-size: 12px; line-height: 1.45; }
    .key { display: grid; grid-template-columns: repeat(auto-fill, minmax(230px, 1fr)); gap: 4px 18px;
      font-size: 13px; }
    .key span { display: flex; align-items: center; gap: 8px; }
    .key i { font: 700 10.5px system-ui, sans-serif; width: 17px; height: 17px; flex: none;
      border-radius: 50%; background: currentColor; display: grid; place-items: center; }
    .key i::before { content: attr(data-sign); color: var(--card); }
    .key b { font-weight: 400; color: var(--ink); }
    #tip { position: fixed; z-index: 5; max-width: 460px; background: var(--card);
      border: 1px solid var(--line); border-radius: 9px; padding: 8px 12px; font-size: 13px;
      box-shadow: 0 6px 24px #0002; pointer-events: none; }
    footer { padding-bottom: 40px; }
    """#
}
