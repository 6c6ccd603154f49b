extension PageStyle {
  /// The parts that pages consist of: cards, tables, sections that fold, commands, legends and
  /// tables of contents.
  static let parts = #"""
    .card { background: var(--card); border: 1px solid var(--line); border-radius: 12px;
      margin: 0 0 20px; min-width: 0; }
    .card > .top { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 14px;
      padding: 11px 18px; border-bottom: 1px solid var(--line); }
    .top .space { flex: 1; }
    .top .faint { font-size: 13px; }
    .inner { padding: 12px 18px; }
    .scroll { overflow-x: auto; }

    /* A table that is wider than the window scrolls in its box. */
    table { border-collapse: collapse; width: 100%; font-size: 14px; }
    th, td { border-bottom: 1px solid var(--line); text-align: left; padding: 5px 0 5px 18px;
      font-weight: 400; vertical-align: baseline; }
    th:first-child, td:first-child { padding-left: 0; }
    tr:last-child > td, tr:last-child > th[scope] { border-bottom: 0; }
    th { color: var(--faint); font-size: 13px; }
    th[scope] { color: var(--ink); font-size: 14px; font-weight: 600; }
    th.number, td.number { text-align: right; }

    details { border-top: 1px solid var(--line); }
    details:first-child { border-top: 0; }
    summary { cursor: pointer; padding: 9px 18px; font-size: 14px; font-weight: 600; }
    .inner > details { margin: 0 -18px; }
    .inner > details:first-child { margin-top: -12px; }
    .inner > details:last-child { margin-bottom: -12px; }
    .inner > details > summary:hover { background: var(--wash); }
    pre { margin: 8px 0 0; font-size: 12px; line-height: 1.45; }

    button { font: inherit; font-size: 13px; color: var(--ink); background: var(--card);
      border: 1px solid var(--line); border-radius: 7px; padding: 4px 11px; cursor: pointer; }
    button:hover { border-color: var(--faint); }
    button[aria-pressed="true"] { background: var(--pick); border-color: var(--live);
      color: var(--live); }
    .command { display: flex; align-items: flex-start; gap: 10px; margin: 12px 0 0; }
    .command code, pre.log { background: var(--wash); border-radius: 7px; padding: 6px 12px;
      font-size: 13px; white-space: pre-wrap; overflow-wrap: anywhere; min-width: 0; margin: 0; }
    .command button { flex: none; }

    /* A legend: signs with their meaning. */
    .key { display: flex; flex-wrap: wrap; gap: 4px 22px; font-size: 13px; margin: 0; }
    .key span { display: flex; align-items: center; gap: 8px; }
    .key b { font-weight: 400; color: var(--ink); }
    .disc { font: 700 10.5px system-ui, sans-serif; width: 17px; height: 17px; flex: none;
      border-radius: 50%; background: currentColor; display: grid; place-items: center; }
    .disc::before { content: attr(data-sign); color: var(--card); }

    .contents, .contents ul { list-style: none; margin: 0; padding: 0; }
    .contents > li { padding: 2px 0; }
    .contents ul { display: flex; flex-wrap: wrap; gap: 2px 12px; font-size: 13px;
      padding: 2px 0 4px; }
    .contents a { text-decoration-color: transparent; }
    .contents a:hover { text-decoration-color: currentColor; }
    .contents .faint { font-size: 13px; }
    .filter { display: block; margin: 0 0 12px; }
    .filter input { font: inherit; width: 100%; color: var(--ink); background: var(--paper);
      border: 1px solid var(--line); border-radius: 7px; padding: 6px 10px; }
    .filter output { display: block; color: var(--faint); font-size: 13px;
      margin-top: 4px; }
    .filter output:empty { display: none; }

    @media (max-width: 640px) {
      .card > .top { padding: 9px 14px; gap: 6px 10px; }
      .inner { padding: 10px 14px; }
      summary { padding: 9px 14px; }
      .inner > details { margin: 0 -14px; }
      .inner > details:first-child { margin-top: -10px; }
      .inner > details:last-child { margin-bottom: -10px; }
      .command { flex-direction: column; gap: 6px; }
      .contents { display: flex; flex-wrap: wrap; gap: 2px 16px; }
      .contents > li:has(ul) { width: 100%; }
    }
    """#
}
