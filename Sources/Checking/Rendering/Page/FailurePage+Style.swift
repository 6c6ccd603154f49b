extension FailurePage {
  /// The styles that only this page needs: its two columns, the timeline and its slider.
  static let style = #"""
    main { display: grid; grid-template-columns: minmax(0, 1fr) minmax(340px, 470px);
      column-gap: 20px; align-items: start; }
    main > .all-columns { grid-column: 1 / -1; }
    @media (max-width: 1080px) { main { grid-template-columns: minmax(0, 1fr); } }
    .timelines { overflow: auto; max-height: 82vh; min-height: 120px; }
    .side { position: sticky; top: 16px; max-height: calc(100vh - 32px); overflow: auto; }
    @media (max-width: 1080px) { .side { position: static; max-height: none; } }
    .stepper { display: flex; align-items: center; gap: 8px; flex: 1; min-width: 0; }
    .stepper input { flex: 1; min-width: 40px; accent-color: var(--live); }
    .stepper .kicker { margin: 0; }
    .now { padding: 12px 18px; border-bottom: 1px solid var(--line); min-height: 96px; }
    .now .faint, #tip .faint { font-size: 13px; }
    .now b { font-weight: 600; overflow-wrap: anywhere; }
    .now .mono, #tip .mono { font-size: 12px; color: var(--faint); overflow-wrap: anywhere;
      max-height: 7.5em; overflow: hidden; margin-top: 4px; }
    .doc { padding: 12px 18px 4px; }
    .doc + .doc { border-top: 1px solid var(--line); }
    .doc h3 { font-size: 13px; margin: 0 0 4px; }
    .doc figure { margin: 0 0 6px; display: grid; grid-template-columns: 52px minmax(0, 1fr);
      align-items: start; }
    .doc figcaption { padding-top: 5px; }
    figure.down figcaption::after { content: " down"; color: var(--fail); }
    figure.down .trees { opacity: .6; }
    .trees { overflow-x: auto; }
    .differs { color: var(--fail); font-weight: 400; margin-left: 8px; }
    .point { max-width: 100ch; margin: 0 0 12px; padding: 8px 12px; overflow-wrap: anywhere;
      border-left: 3px solid var(--fail); background: var(--card); }
    .losses li { overflow-wrap: anywhere; }
    .losses ul { margin: 0; padding-left: 20px; }
    .steps { min-width: 620px; }
    .scenario { overflow-x: auto; }

    /* The timeline. */
    .heads, .timeline { min-width: 100%; }
    .heads { position: sticky; top: 0; z-index: 1; background: var(--card);
      border-bottom: 1px solid var(--line); }
    .row rect { fill: transparent; }
    .row { cursor: pointer; }
    .row:hover rect { fill: var(--pick); fill-opacity: .6; }
    .row.here rect { fill: var(--live); fill-opacity: .11; }
    .row.here .words { fill: var(--live); }
    .row.finding .words { fill: var(--fail); font-weight: 600; }
    .outage { fill: var(--fail); fill-opacity: .10; stroke: var(--fail); stroke-opacity: .35;
      stroke-dasharray: 2 4; pointer-events: none; }
    .cut { fill: var(--cut); }
    .calm { fill: var(--calm); }
    .wall { stroke: var(--odd); stroke-width: 1.5; stroke-dasharray: 2 5; pointer-events: none; }
    .session { fill: var(--quiet); fill-opacity: .35; }
    path.gap { stroke: var(--line); stroke-dasharray: 2 6; stroke-width: 2; }
    .all { stroke-width: 1.2; stroke-dasharray: 1 3; }
    #tip { position: fixed; z-index: 5; max-width: min(460px, calc(100vw - 24px));
      background: var(--card); border: 1px solid var(--line); border-radius: 9px;
      padding: 8px 12px; font-size: 13px; box-shadow: 0 6px 24px #0002; pointer-events: none; }
    @media (max-width: 640px) { .now, .doc { padding-left: 14px; padding-right: 14px; } }
    """#
}
