extension ReportPage {
  /// The additional styles of the page, also for phones and print.
  static let style = #"""
    body { padding: 0 24px; }
    header, main, footer { max-width: 940px; margin: 0 auto; }
    .faint { font-weight: 400; }
    a { color: inherit; text-decoration-color: var(--line); text-underline-offset: 3px; }
    a:hover { text-decoration-color: currentColor; }

    header { padding-top: 48px; }
    h1 { font-size: 28px; }
    h2 { font-size: 17px; margin: 48px 0 10px; }
    h3 { font-size: 14px; margin: 20px 0 6px; }
    .verdict { margin: 0; font-size: 17px; overflow-wrap: anywhere; }
    .verdict b { font-weight: 600; }
    .verdict .why { color: var(--ink); } .verdict .why::before { content: ": "; }
    .facts { gap: 14px 36px; margin: 24px 0 0; }
    .facts dd { font-size: 17px; }

    /* A verdict has a sign, and a colour that says the same. */
    .m { font-style: normal; display: inline-block; width: 1.1em; text-align: center; font-weight: 600; }
    .m.pass, .verdict.pass { color: var(--pass); } .m.fail, .verdict.fail { color: var(--fail); }
    .m.deviates, .verdict.deviates { color: var(--deviates); }
    .m.known, .verdict.known { color: var(--known); }
    .m.unknown, .verdict.unknown { color: var(--unknown); } .m.none { color: var(--quiet); }
    .letter { display: inline-block; min-width: 1.3em; font-weight: 600; font-size: 13px; }

    .scroll { overflow-x: auto; }
    th, td { padding: 5px 0 5px 20px; vertical-align: baseline; font-weight: 400; }
    th:first-child, td:first-child { padding-left: 0; }
    thead th { color: var(--faint); font-size: 13px; }
    tbody th { font-weight: 600; white-space: nowrap; }
    th.number, td.number { text-align: right; }
    td { white-space: nowrap; }
    tr.none th, tr.none td { color: var(--faint); font-weight: 400; }
    td.wide { width: 34%; min-width: 80px; vertical-align: middle; }
    .bar { display: block; width: 100%; height: 8px; }
    .bar .rest { fill: var(--line); } .bar .good { fill: var(--pass); } .bar .bad { fill: var(--fail); }
    .grade b { font-weight: 400; }
    .matrix td.fail { color: var(--fail); } .matrix td.none { color: var(--faint); }
    .matrix { table-layout: fixed; } .matrix th:first-child { width: 11em; }
    .matrix th:nth-child(2) { width: 6.5em; }
    .matrix .number { overflow: hidden; text-overflow: ellipsis; }
    .runs td:last-child { width: 36%; } .runs td { vertical-align: top; } .runs th { vertical-align: top; }
    .runs { margin-top: 20px; } .runs .verdict { font-size: 15px; white-space: normal; }
    .runs th { white-space: normal; overflow-wrap: anywhere; }
    .skips { width: auto; } .skips td { white-space: normal; }

    details { border-bottom: 1px solid var(--line); }
    summary { list-style: none; }
    summary::-webkit-details-marker { display: none; }
    summary:hover { background: var(--wash); }
    summary:focus-visible { outline: 2px solid var(--live); outline-offset: 1px; }

    .failure > summary { display: flex; gap: 8px; padding: 7px 0; overflow-wrap: anywhere; }
    .failure > summary > span:last-child { flex: 1; min-width: 0; }
    .failure > summary > .sides { flex: none; display: flex; gap: 10px; }
    .failure[open] { padding-bottom: 24px; }
    .failure > :not(summary) { margin-left: 24px; }
    .failure:target > summary { background: var(--wash); }
    .note { margin: 4px 0 8px; max-width: 66ch; }
    .rules { list-style: none; margin: 0 0 14px; padding: 0; max-width: 72ch; font-size: 14px; }
    .rules li { margin: 2px 0; overflow-wrap: anywhere; }
    .rest { list-style: none; padding: 0; margin: 0; }
    .rest li { overflow-wrap: anywhere; padding: 3px 0; }
    .level { color: var(--faint); font-size: 12px; }
    .steps { list-style: none; margin: 0; padding: 0; }
    .steps li { display: flex; gap: 12px; padding: 3px 0; align-items: baseline; }
    .steps li > span { flex: none; width: 1.6em; text-align: right; color: var(--faint); font-size: 13px; }
    .steps li > div { min-width: 0; overflow-wrap: anywhere; }
    .earlier { border: 0; } .earlier summary { color: var(--faint); font-size: 13px; padding: 2px 0; }
    .earlier summary::before { content: "▸"; display: inline-block; width: 36px; text-align: center; }
    .earlier[open] summary::before { content: "▾"; }
    .steps .out { color: var(--faint); }
    .steps .here { font-weight: 600; }
    .steps .here > span { color: var(--fail); }
    .failure > .diff { margin: 2px 0 0 60px; }
    .diff > div { display: flex; gap: 12px; padding: 1px 0 1px 12px; border-left: 2px solid var(--line); }
    .diff > div > span { flex: none; width: 5em; font-size: 13px; }
    .diff code { overflow-wrap: anywhere; min-width: 0; }
    .diff .expected { border-color: var(--pass); } .diff .expected > span { color: var(--pass); }
    .diff .actual { border-color: var(--fail); } .diff .actual > span { color: var(--fail); }
    .diff .hint { border-color: transparent; font-size: 14px; padding-top: 3px; align-items: baseline; }
    .diff .hint > span { color: var(--faint); }
    .diff .place { color: var(--faint); font-size: 13px; }
    .source { margin: 14px 0 4px; font-size: 13px; }
    .command { margin: 0; padding: 7px 12px; background: var(--wash); border-radius: 4px;
      white-space: pre-wrap; overflow-wrap: anywhere; }

    .key { display: flex; flex-wrap: wrap; gap: 4px 20px; color: var(--faint); font-size: 13px;
      margin: 0 0 8px; align-items: center; }
    .f { font: 700 9px/12px system-ui, sans-serif; display: inline-block; width: 13px; height: 13px;
      border: 1px solid currentColor; border-radius: 2px; text-align: center; vertical-align: -2px; overflow: hidden;
      print-color-adjust: exact; -webkit-print-color-adjust: exact; }
    .f.pass { color: var(--pass); background: currentColor; opacity: .82; }
    .f.fail { color: var(--fail); } .f.deviates { color: var(--deviates); }
    .f.known { color: var(--known); } .f.unknown { color: var(--unknown); }
    .f.none { color: var(--quiet); border-style: dotted; }
    .family > summary { display: flex; align-items: center; gap: 16px; padding: 5px 0; }
    .family b { width: 5em; flex: none; font-weight: 600; }
    .map { flex: 1; display: flex; flex-wrap: wrap; gap: 3px; }
    .clauses { list-style: none; margin: 0; padding: 2px 0 12px; font-size: 14px; }
    .clauses li { display: flex; gap: 8px; padding: 4px 0; overflow-wrap: anywhere; }
    .clauses li > div { max-width: 92ch; min-width: 0; }
    .clauses .faint { white-space: nowrap; }
    .signs { flex: none; } .signs > span + span { margin-left: 6px; }
    .failed { font-size: 13px; margin-top: 2px; }
    .failed a, .failed .mono { margin-right: 10px; }

    .trees { display: flex; flex-wrap: wrap; gap: 4px 40px; margin-top: 16px; }
    figure { margin: 0; min-width: 0; }
    .tree-key { color: var(--faint); font-size: 13px; overflow-wrap: anywhere; margin: 6px 0 0; }
    .tree-key i { font-style: normal; display: inline-block; width: 11px; height: 11px; margin-left: 8px;
      border-radius: 50%; vertical-align: -1px; text-align: center; font-size: 9px; line-height: 9px; overflow: hidden; }
    .tree-key span { white-space: nowrap; }
    .tree-key .winner { background: var(--live); }
    .tree-key .conflict { border: 2px solid var(--live); }
    .tree-key .deleted { border: 1.5px solid var(--dead); color: var(--dead); }
    .tree { margin-left: -10px; }

    footer { padding: 40px 0 48px; }

    @media (max-width: 640px) {
      body { padding: 0 16px; }
      header { padding-top: 28px; }
      h1 { font-size: 23px; } h2 { margin-top: 36px; }
      .facts { display: grid; grid-template-columns: 1fr 1fr; gap: 12px 20px; }
      .matrix { table-layout: auto; } .matrix .label { display: none; }
      .runs td:last-child { width: auto; }
      td.wide, th.wide, .grade b { display: none; }
      table { font-size: 14px; } thead th { font-size: 12px; }
      th, td { padding-left: 10px; } tbody th { white-space: normal; }
      .failure > :not(summary) { margin-left: 0; }
      .failure > summary { flex-wrap: wrap; }
      .failure > .diff { margin-left: 0; }
      .diff > div { display: block; padding-left: 10px; }
      .diff > div > span { display: block; }
      .steps li { gap: 8px; } .steps li > span { width: 1.2em; text-align: left; }
      .family > summary { gap: 10px; }
      .runs, .runs tbody, .runs tr, .runs th, .runs td { display: block; text-align: left; padding: 0; border: 0; }
      .runs tr { padding: 8px 0; border-bottom: 1px solid var(--line); }
      .clauses .faint { white-space: normal; }
    }
    @media print {
      body { padding: 0; font-size: 10.5pt; }
      header { padding-top: 0; }
      header, main, footer { max-width: none; }
      .bar rect { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
      /* Paper does not unfold. */
      .failure::details-content { content-visibility: visible; display: block; }
      .failure > summary, h2, h3, tr, .steps li, figure { break-inside: avoid; }
      h2, h3, .failure > summary { break-after: avoid; }
      .command { border: 1px solid var(--line); }
    }
    """#
}
