extension ReportPage {
  /// The styles that only this page needs: verdicts, steps, differences and the fields of rules.
  static let style = #"""
    main { display: grid; grid-template-columns: 226px minmax(0, 1fr); gap: 20px;
      align-items: start; }
    nav { position: sticky; top: 16px; max-height: calc(100vh - 32px); overflow-y: auto;
      min-width: 0; }
    nav .card { margin: 0; }
    @media (max-width: 1000px) {
      main { display: block; }
      nav { position: static; max-height: none; margin: 0 0 20px; }
    }

    .verdict { margin: 0; font-size: 17px; overflow-wrap: anywhere; }
    .verdict b { font-weight: 600; }
    .verdict .why { color: var(--ink); } .verdict .why::before { content: ": "; }
    /* A verdict has a sign, and a colour that says the same. */
    .m { font-style: normal; display: inline-block; width: 1.1em; text-align: center; font-weight: 600; }
    .m.pass, .verdict.pass { color: var(--pass); } .m.fail, .verdict.fail { color: var(--fail); }
    .m.deviates, .verdict.deviates { color: var(--deviates); }
    .m.known, .verdict.known { color: var(--known); }
    .m.unknown, .verdict.unknown { color: var(--unknown); } .m.none { color: var(--quiet); }
    .letter { display: inline-block; min-width: 1.1em; font-weight: 600; font-size: 13px; }

    td, th[scope] { white-space: nowrap; }
    tr.none th, tr.none td { color: var(--faint); font-weight: 400; }
    td.wide { width: 34%; min-width: 80px; vertical-align: middle; }
    .bar { display: block; width: 100%; height: 8px; }
    .bar .rest { fill: var(--line); } .bar .good { fill: var(--pass); } .bar .bad { fill: var(--fail); }
    .grade b { font-weight: 400; }
    .matrix thead th { white-space: normal; overflow-wrap: anywhere; min-width: 5em;
      vertical-align: bottom; }
    .matrix td.fail { color: var(--fail); } .matrix td.none { color: var(--faint); }
    .runs { margin-top: 6px; } .runs .verdict { font-size: 15px; white-space: normal; }
    .runs th[scope] { white-space: normal; overflow-wrap: anywhere; min-width: 12em; }
    .runs td:last-child { width: 50%; min-width: 16em; }
    .skips { width: auto; } .skips td { white-space: normal; }

    .failure > summary { display: flex; gap: 8px; overflow-wrap: anywhere; font-weight: 400; }
    .failure > summary > span:last-child { flex: 1; min-width: 0; }
    .failure > summary > .sides { flex: none; display: flex; gap: 10px; }
    .told { padding: 0 18px 18px 42px; }
    .failure:target { background: none; }
    .failure:target > summary { background: var(--pick); }
    .note { margin: 4px 0 8px; max-width: 72ch; }
    .rules { list-style: none; margin: 0 0 14px; padding: 0; max-width: 80ch; font-size: 14px; }
    .rules li { margin: 2px 0; overflow-wrap: anywhere; }
    .rest { list-style: none; padding: 0; margin: 0; font-size: 14px; }
    .rest li { overflow-wrap: anywhere; padding: 3px 0; }
    .more > .rest { padding: 0 18px 12px; }
    .level { color: var(--faint); font-size: 12px; }
    .steps { list-style: none; margin: 0; padding: 0; }
    .steps li { display: flex; gap: 12px; padding: 3px 0; align-items: baseline; }
    .steps li > span { flex: none; width: 1.6em; text-align: right; color: var(--faint); font-size: 13px; }
    .steps li > div { min-width: 0; overflow-wrap: anywhere; }
    .earlier { border: 0; }
    .earlier summary { color: var(--faint); font-size: 13px; font-weight: 400; padding: 2px 0; }
    .steps .out { color: var(--faint); }
    .steps .here { font-weight: 600; }
    .steps .here > span { color: var(--fail); }
    .diff { margin: 2px 0 0 36px; }
    .diff > div { display: flex; gap: 12px; padding: 1px 0 1px 12px; border-left: 2px solid var(--line); }
    .diff > div > span { flex: none; width: 5em; font-size: 13px; }
    .diff code { overflow-wrap: anywhere; min-width: 0; }
    .diff .expected { border-color: var(--pass); } .diff .expected > span { color: var(--pass); }
    .diff .actual { border-color: var(--fail); } .diff .actual > span { color: var(--fail); }
    .diff .hint { border-color: transparent; font-size: 14px; padding-top: 3px; align-items: baseline; }
    .diff .hint > span, .diff .place { color: var(--faint); }
    .diff .place { font-size: 13px; }
    .source { margin: 14px 0 4px; font-size: 13px; }

    .f { font: 700 9px/12px system-ui, sans-serif; display: inline-block; width: 13px; height: 13px;
      border: 1px solid currentColor; border-radius: 2px; text-align: center; vertical-align: -2px;
      overflow: hidden; text-decoration: none; flex: none; }
    .f.pass { color: var(--pass); background: currentColor; opacity: .82; }
    .f.fail { color: var(--fail); } .f.deviates { color: var(--deviates); }
    .f.known { color: var(--known); } .f.unknown { color: var(--unknown); }
    .f.none { color: var(--quiet); border-style: dotted; }
    .card .key { color: var(--faint); padding-bottom: 12px; }
    .family > summary { display: flex; align-items: center; gap: 16px; padding-top: 6px;
      padding-bottom: 6px; }
    .family b { width: 5em; flex: none; }
    .map { flex: 1; display: flex; flex-wrap: wrap; gap: 3px; }
    .clauses, .vectors { list-style: none; margin: 0; padding: 2px 18px 12px; }
    .clauses { font-size: 14px; }
    .clauses li { display: flex; gap: 8px; padding: 4px 0; overflow-wrap: anywhere; }
    .clauses li > div { max-width: 92ch; min-width: 0; }
    .signs { flex: none; } .signs > span + span { margin-left: 6px; }
    .uses { font-size: 13px; color: var(--faint); }
    .uses a { margin-right: 8px; }
    .file > summary { display: flex; gap: 16px; justify-content: space-between;
      overflow-wrap: anywhere; }
    .file > summary .mono { min-width: 0; }
    .vectors li { padding: 2px 0; overflow-wrap: anywhere; }
    .vectors { font-family: ui-monospace, "SF Mono", "Cascadia Code", "DejaVu Sans Mono", monospace;
      font-size: 12px; }
    .vectors .mono { font-size: inherit; }
    .vectors .m { font-family: system-ui, sans-serif; font-size: 14px; }
    .vectors a { color: var(--faint); margin-left: 6px; }
    .vectors a.bad { color: var(--fail); margin: 0; }

    .trees { display: flex; flex-wrap: wrap; gap: 4px 40px; margin-top: 16px; }
    .tree-key { color: var(--faint); font-size: 13px; overflow-wrap: anywhere; margin: 6px 0 0; }
    .tree-key i { font-style: normal; display: inline-block; width: 11px; height: 11px; margin-left: 8px;
      border-radius: 50%; vertical-align: -1px; text-align: center; font-size: 9px; line-height: 9px; overflow: hidden; }
    .tree-key span { white-space: nowrap; }
    .tree-key .winner { background: var(--live); }
    .tree-key .conflict { border: 2px solid var(--live); }
    .tree-key .deleted { border: 1.5px solid var(--dead); color: var(--dead); }
    .tree { margin-left: -10px; }

    @media (max-width: 640px) {
      td.wide, th.wide, .offers .grade b { display: none; }
      .offers th, .offers td { padding-left: 10px; }
      .offers th:first-child { padding-left: 0; } .offers th[scope] { white-space: normal; }
      .runs, .runs tbody, .runs tr, .runs th, .runs td { display: block; width: auto !important;
        text-align: left; padding: 0; border: 0; min-width: 0 !important; }
      .runs tr { padding: 8px 0; border-bottom: 1px solid var(--line); }
      .matrix .label { display: none; }
      .told { padding: 0 14px 14px; }
      .failure > summary { flex-wrap: wrap; }
      .diff { margin-left: 0; }
      .diff > div { display: block; padding-left: 10px; }
      .diff > div > span { display: block; }
      .steps li { gap: 8px; } .steps li > span { width: 1.2em; text-align: left; }
      .family > summary { gap: 10px; }
      .clauses, .vectors { padding-left: 14px; padding-right: 14px; }
    }
    @media print {
      main { display: block; }
      .bar rect, .f { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
      /* Paper does not unfold. */
      .failure::details-content { content-visibility: visible; display: block; }
      .failure > summary, .steps li { break-inside: avoid; }
    }
    """#
}
