/// The common style of all pages: light, dark and print colours, text, heads and revision trees.
enum PageStyle {
  static let shared = #"""
    :root {
      color-scheme: light dark;
      --paper: #fcfbf9; --card: #fcfbf9; --ink: #1f2328; --faint: #686e77; --line: #e4e1da;
      --wash: #f4f2ed; --quiet: #8b919a; --live: #2f7395; --dead: #85689c; --odd: #a8741a;
      --pass: #2f7a4d; --fail: #b3362d; --deviates: #8f6210; --known: #6d4f8f; --unknown: #6a7078;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --paper: #14161a; --card: #14161a; --ink: #e2e0da; --faint: #979da6; --line: #2c3036;
        --wash: #1c1f24; --quiet: #757b85; --live: #6eb2d4; --dead: #b396cd; --odd: #d9aa57;
        --pass: #73bd92; --fail: #f0786c; --deviates: #d9aa57; --known: #b99bdc; --unknown: #979da6;
      }
    }
    @media print {
      @page { margin: 16mm; }
      :root {
        --paper: #fff; --card: #fff; --ink: #000; --faint: #555; --line: #ccc; --wash: #fff;
        --quiet: #888; --live: #2f7395; --dead: #85689c; --odd: #a8741a;
        --pass: #2f7a4d; --fail: #b3362d; --deviates: #8f6210; --known: #6d4f8f; --unknown: #6a7078;
      }
    }
    * { box-sizing: border-box; }
    html { -webkit-text-size-adjust: 100%; }
    body {
      margin: 0; background: var(--paper); color: var(--ink);
      font: 15px/1.5 system-ui, -apple-system, "Segoe UI", "Helvetica Neue", sans-serif;
      font-variant-numeric: tabular-nums;
    }
    code, pre, .mono {
      font-family: ui-monospace, "SF Mono", "Cascadia Code", "DejaVu Sans Mono", monospace;
      font-size: .867em; font-variant-ligatures: none;
    }
    .faint { color: var(--faint); }
    h1 { line-height: 1.2; font-weight: 600; letter-spacing: -.01em; margin: 0 0 6px;
      overflow-wrap: anywhere; }
    h2 { font-weight: 600; }
    h3 { font-weight: 600; overflow-wrap: anywhere; }
    .kicker { color: var(--faint); font-size: 13px; margin: 0 0 4px; }
    .facts { display: flex; flex-wrap: wrap; }
    .facts dt { color: var(--faint); font-size: 13px; }
    .facts dd { margin: 0; }
    .number { text-align: right; white-space: nowrap; }
    table { border-collapse: collapse; width: 100%; }
    th, td { border-bottom: 1px solid var(--line); text-align: left; }
    summary { cursor: pointer; }
    svg { display: block; }
    figcaption { color: var(--faint); font-size: 13px; overflow-wrap: anywhere; }
    footer { color: var(--faint); font-size: 13px; }

    /* Revision trees. */
    .tree text { font: 10.5px ui-monospace, "SF Mono", "Cascadia Code", "DejaVu Sans Mono", monospace;
      text-anchor: middle; fill: var(--faint); }
    .edge { fill: none; stroke: var(--quiet); stroke-width: 1.5; stroke-opacity: .6; }
    .edge.loose { stroke-dasharray: 3 4; }
    .rev circle { fill: var(--card); stroke: var(--quiet); stroke-width: 1.5; }
    .rev.inner circle { fill: var(--quiet); stroke: none; }
    .rev.winner circle { fill: var(--live); stroke: none; }
    .rev.winner .ring { fill: none; stroke: var(--live); stroke-width: 1.2; }
    .rev.winner text { fill: var(--ink); font-weight: 700; }
    .rev.conflict circle { stroke: var(--live); stroke-width: 2; }
    .rev.deleted circle, .rev.deleted path { stroke: var(--dead); fill: none; stroke-width: 1.5; }
    .rev.deleted circle { fill: var(--card); }
    .rev .halo { display: none; }
    rect.gap { fill: var(--card); }
    """#
}
