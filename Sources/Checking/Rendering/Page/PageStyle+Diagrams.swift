extension PageStyle {
  /// Revision trees, timelines and schedules.
  static let diagrams = #"""
    svg { display: block; font: 12.5px system-ui, -apple-system, "Segoe UI", sans-serif; }
    svg text { fill: var(--ink); }
    svg .faint { fill: var(--faint); }
    path { fill: none; pointer-events: none; }
    figure { margin: 0; min-width: 0; }
    figcaption { color: var(--faint); font-size: 13px; overflow-wrap: anywhere; }

    /* Revision trees. */
    .tree text { font: 10.5px ui-monospace, "SF Mono", "Cascadia Code", "DejaVu Sans Mono", monospace;
      text-anchor: middle; fill: var(--faint); }
    .tree .none { text-anchor: start; font-style: italic; }
    .edge { stroke: var(--quiet); stroke-width: 1.5; stroke-opacity: .6; }
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
    .fresh .rev.new .halo { display: block; fill: var(--odd); fill-opacity: .28; stroke: none; }
    .fresh .edge.new { stroke: var(--odd); }

    /* Lanes, and what happens in them. */
    .head { text-anchor: middle; font-weight: 600; }
    .end { text-anchor: end; }
    .time, .step { fill: var(--faint); font-size: 11px; }
    .lane { stroke: var(--line); stroke-width: 2; pointer-events: none; }
    .request { stroke: var(--quiet); stroke-width: 1.3; marker-end: url(#tip-quiet); }
    .answer { stroke: var(--quiet); stroke-opacity: .6; marker-end: url(#tip-quiet); }
    .late { stroke: var(--odd); stroke-dasharray: 5 4; marker-end: url(#tip-odd); }
    .again { stroke: var(--odd); stroke-width: 1.3; marker-end: url(#tip-odd); }
    .flow { stroke: var(--live); stroke-width: 1.6; marker-end: url(#tip-live); }
    .stub, .wait { stroke: var(--fail); stroke-width: 1.4; }
    .wait { stroke-dasharray: 4 4; }
    .cross { stroke: var(--fail); stroke-width: 2; }
    .mark, .dot { pointer-events: none; }
    .mark circle { fill: currentColor; stroke: var(--card); stroke-width: 2; }
    .mark text { fill: var(--card); text-anchor: middle; font-size: 10.5px; font-weight: 700; }
    .dot { fill: currentColor; }
    .words.stuck { fill: var(--fail); }
    .live { color: var(--live); } .dead { color: var(--dead); } .odd { color: var(--odd); }
    .good { color: var(--pass); } .quiet { color: var(--quiet); }
    path.live, path.dead, path.bad, path.odd, path.good, path.quiet { stroke: currentColor; }
    """#
}
