/// The style sheet of all pages, for light, dark, phones and print.
///
/// This file has the colours, the text and the frame; `+Parts` has what pages consist of, and
/// `+Diagrams` the drawings. A page has styles of its own only for what no other page shows.
enum PageStyle {
  static let shared = [colours, text, frame, parts, diagrams, print].joined(separator: "\n")

  private static let colours = #"""
    :root {
      color-scheme: light dark;
      --paper: #fcfbf9; --card: #ffffff; --ink: #1f2328; --faint: #686e77; --line: #e4e1da;
      --wash: #f4f2ed; --pick: #f0f4f6; --quiet: #8b919a; --live: #2f7395; --dead: #85689c;
      --odd: #a8741a; --pass: #2f7a4d; --fail: #b3362d; --deviates: #8f6210; --known: #6d4f8f;
      --unknown: #6a7078; --cut: #a8741a12; --calm: #3f81590d;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --paper: #14161a; --card: #1b1e23; --ink: #e2e0da; --faint: #979da6; --line: #30353c;
        --wash: #23272d; --pick: #242a31; --quiet: #757b85; --live: #6eb2d4; --dead: #b396cd;
        --odd: #d9aa57; --pass: #73bd92; --fail: #f0786c; --deviates: #d9aa57; --known: #b99bdc;
        --unknown: #979da6; --cut: #d9aa5714; --calm: #78c19712;
      }
    }
    @media print {
      @page { margin: 16mm; }
      :root {
        --paper: #fff; --card: #fff; --ink: #000; --faint: #555; --line: #ccc; --wash: #fff;
        --pick: #fff; --quiet: #888; --live: #2f7395; --dead: #85689c; --odd: #a8741a;
        --pass: #2f7a4d; --fail: #b3362d; --deviates: #8f6210; --known: #6d4f8f;
        --unknown: #6a7078;
      }
    }
    """#

  private static let text = #"""
    * { box-sizing: border-box; }
    [hidden] { display: none !important; }
    html { -webkit-text-size-adjust: 100%; scroll-padding-top: 16px; }
    body {
      margin: 0; background: var(--paper); color: var(--ink);
      font: 15px/1.5 system-ui, -apple-system, "Segoe UI", "Helvetica Neue", sans-serif;
      font-variant-numeric: tabular-nums;
    }
    code, pre, .mono, .step, .time {
      font-family: ui-monospace, "SF Mono", "Cascadia Code", "DejaVu Sans Mono", monospace;
      font-size: .867em; font-variant-ligatures: none;
    }
    h1 { font-size: 25px; line-height: 1.25; font-weight: 600; letter-spacing: -.01em;
      margin: 0 0 8px; max-width: 42em; overflow-wrap: anywhere; }
    h2 { font-size: 15px; font-weight: 600; margin: 0; }
    h3 { font-size: 14px; font-weight: 600; margin: 16px 0 6px; overflow-wrap: anywhere; }
    a { color: inherit; text-decoration-color: var(--quiet); text-underline-offset: 3px; }
    a:hover { text-decoration-color: currentColor; }
    .faint { color: var(--faint); font-weight: 400; }
    .bad { color: var(--fail); }
    .number { text-align: right; white-space: nowrap; }
    :target { background: var(--pick); }
    :focus-visible { outline: 2px solid var(--live); outline-offset: 1px; }
    """#

  private static let frame = #"""
    header, main, footer { max-width: 1220px; margin: 0 auto; padding: 0 28px; }
    .wide header, .wide main, .wide footer { max-width: 1480px; }
    header { padding-top: 32px; padding-bottom: 20px; }
    .kicker { color: var(--faint); font-size: 13px; margin: 0 0 2px; }
    .purpose { color: var(--faint); margin: 0 0 10px; max-width: 110ch; }
    .exact { margin: 0 0 14px; max-width: 110ch; overflow-wrap: anywhere; }
    .facts { display: flex; flex-wrap: wrap; gap: 8px 26px; margin: 14px 0 0; padding: 0; }
    .facts div { display: flex; gap: 8px; align-items: baseline; min-width: 0; }
    .facts dt { color: var(--faint); font-size: 13px; flex: none; }
    .facts dd { margin: 0; overflow-wrap: anywhere; min-width: 0; }
    .facts.origin { gap: 4px 26px; font-size: 13px; }
    footer { color: var(--faint); font-size: 13px; padding-top: 12px; padding-bottom: 40px; }
    @media (max-width: 640px) {
      header, main, footer { padding-left: 14px; padding-right: 14px; }
      header { padding-top: 20px; padding-bottom: 14px; }
      h1 { font-size: 21px; }
      .facts { gap: 6px 20px; }
    }
    """#

  private static let print = #"""
    @media print {
      body { font-size: 10.5pt; }
      header, main, footer { max-width: none; padding-left: 0; padding-right: 0; }
      .filter, [data-copy] { display: none; }
      h2, h3, tr, figure { break-inside: avoid; }
      h2, h3, summary { break-after: avoid; }
    }
    """#
}
