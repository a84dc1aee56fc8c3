import { stylesheet } from './stylesheets.js';

/** The look of the suite's own pages, beside the style of every page: the console, the documentation and what leads to them. */
export const SUITE_STYLE = stylesheet(
  'suite',
  `.suite {
  h1 { font: 650 1.5rem/1.25 var(--sans); letter-spacing: -.02em; margin: 0; }
  button, .button { font-weight: 550; font-size: .9375rem; min-height: 2.75rem; padding: .5625rem 1rem; overflow-wrap: break-word; }
  :is(input, select, textarea):not([type=checkbox], [type=radio]) { min-height: 2.75rem; padding: .4375rem .75rem; margin-top: .25rem;
    border-color: var(--field); }
  .choice { padding: .375rem 0; }
  .choice input { width: 1.125rem; height: 1.125rem; margin-top: .1875rem; }
  .quiet { color: var(--ink); border-color: var(--rule); }
  .quiet:hover { color: var(--ink); background: var(--ground); border-color: var(--field); }
}
.console { background: var(--card); font-size: 1rem; line-height: 1.5;
  main { max-width: 74rem; margin: 0; padding: 1.5rem 1.125rem 4rem; min-width: 0; container-type: inline-size; }
  h2 { font: 600 1.0625rem/1.4 var(--sans); letter-spacing: -.01em; margin: 2.25rem 0 .75rem; }
  h3 { font: 600 .9375rem/1.4 var(--sans); }
  .card, .note { border-radius: .625rem; box-shadow: none; margin: 0 0 1.5rem; padding: 1rem 1.25rem; }
  table { width: 100%; border-collapse: collapse; }
  th, td { text-align: left; font-weight: 400; vertical-align: top; padding: .6875rem .625rem; border-bottom: 1px solid var(--line);
    min-width: 5.75rem; }
  :is(th, td):first-child { padding-left: 0; }
  :is(th, td):last-child { padding-right: 0; }
  thead th { font-size: .8125rem; font-weight: 600; color: var(--soft); padding-top: 0; }
  tbody th { font-weight: 600; }
  th a:hover { text-decoration: underline; }
  .num { text-align: right; font-variant-numeric: tabular-nums; }
  thead th, .num, time, .one { white-space: nowrap; }
  @container (max-width: 50rem) {
    thead { position: absolute; left: -100vw; }
    table, tbody, th, td { display: block; border: 0; padding: 0; min-width: 0; }
    tr { display: grid; grid-template-columns: minmax(0, 1fr) fit-content(50%); gap: .125rem .75rem; padding: .875rem 0;
      border-bottom: 1px solid var(--line); font-size: .9375rem; }
    tr:first-child { border-top: 1px solid var(--line); }
    tbody td { display: flow-root; grid-column: 1 / -1; padding-left: 7rem; }
    tbody td:empty { display: none; }
    td::before { content: attr(data-label); color: var(--soft); float: left; width: 6.5rem; margin-left: -7rem;
      overflow-wrap: break-word; }
    tbody .state { grid-area: 1 / 2; padding: 0; text-align: right; }
    .state::before { display: none; }
    .num { text-align: left; }
    time { white-space: normal; }
  }
}
.side { background: var(--ground); border-bottom: 1px solid var(--line); padding: .5rem 1.125rem; }
@media (max-width: 59.99rem) {
  .console .side { position: relative; }
  .console .side .brand { padding-right: 7rem; }
  .console .side .menu > summary { position: absolute; right: 1.125rem; top: .75rem; min-height: 2.25rem; padding: 0 .875rem 0 .625rem;
    border: 1px solid var(--rule); border-radius: .5rem; background: var(--card); }
}
.brand, .side li a { display: flex; align-items: center; gap: .625rem; min-height: 2.75rem; color: var(--ink); }
.brand, .side li a, .switch a, .tabs a, .console th a, .crumbs a, .hits a { text-decoration: none; }
.side .crest { width: 1.75rem; height: 1.75rem; border-radius: .5rem; font-size: .9375rem; }
.side h2 { font: 600 .75rem/1.4 var(--sans); color: var(--soft); letter-spacing: .01em; margin: 1rem 0 .125rem; padding: 0 .625rem; }
.side ul { list-style: none; margin: 0; padding: 0; }
.side li a { padding: 0 .625rem; border-radius: .4375rem; }
.side li a:hover, .side li [aria-current] { background: var(--tint); }
.side li a[aria-current] { color: var(--deep); font-weight: 600; }
.who { border-top: 1px solid var(--line); margin-top: 1rem; padding: 1rem .625rem .5rem; }
.strip { margin: -1.5rem -1.125rem 1.25rem; padding: .25rem 1.125rem; font-weight: 650; font-size: .875rem; color: var(--warn);
  background: repeating-linear-gradient(-45deg, var(--warn-tint) 0 .75rem, var(--card) .75rem 1.5rem);
  border-bottom: 1px solid var(--warn); }
.top { display: flex; flex-wrap: wrap; gap: 1rem; justify-content: space-between; align-items: start; margin-bottom: 1.5rem; }
.top > :first-child { flex: 1 1 20rem; }
.top p { margin: .25rem 0 0; max-width: 44rem; }
.end { justify-content: end; margin-bottom: .75rem; }
.paging { margin-top: 1.25rem; }
.paging p { margin: 0; }
.switch, .tabs { display: flex; gap: .25rem; }
.switch { background: var(--tint); border-radius: .625rem; padding: .1875rem; }
.switch a, .tabs a { padding: .5rem .875rem; border-radius: .4375rem; color: var(--soft); font-weight: 600; }
.switch [aria-current] { background: var(--card); }
.switch [aria-current], .tabs [aria-current] { color: var(--ink); }
.tabs { border-bottom: 1px solid var(--line); margin-bottom: 1.5rem; flex-wrap: wrap; }
.tabs a { border-bottom: 2px solid transparent; border-radius: 0; margin-bottom: -1px; }
.tabs [aria-current] { border-color: var(--accent); }
.filters { display: grid; grid-template-columns: repeat(auto-fill, minmax(8.5rem, 1fr)); gap: .75rem; align-items: end;
  margin-bottom: 1.25rem; }
.filters label { font-size: .875rem; color: var(--soft); }
form:not(:has([value=choose]:checked)) .chosen, form:not(:has([value=money]:checked)) .if-money,
form:not(:has([value^=choice]:checked)) .if-choice { display: none; }
.narrow { max-width: 36rem; }
.badge { display: inline-block; padding: .0625rem .5rem; border-radius: .375rem; font-size: .8125rem; font-weight: 600;
  background: var(--tint); color: var(--ink); white-space: nowrap; }
.badge.good { background: var(--good-tint); color: var(--good); }
.badge.warn { background: var(--warn-tint); color: var(--warn); }
.empty { border: 1px dashed var(--edge); border-radius: .625rem; padding: 2.5rem 1.25rem; text-align: center; }
.empty h2 { margin: 0 0 .25rem; }
.empty p { max-width: 34rem; margin: 0 auto; }
.empty p + p { margin-top: .875rem; }
.letter { white-space: pre-wrap; }
.code b { font-weight: 400; color: var(--accent); }
.code { position: relative; margin: 0 0 1.25rem; }
.code pre { margin: 0; padding: .875rem 4.5rem .875rem 1rem; overflow-x: auto; background: var(--ground);
  border: 1px solid var(--line); border-radius: .5rem; font-variant-ligatures: none; line-height: 1.6; }
.code button.quiet { position: absolute; top: .375rem; right: .375rem; min-height: 1.75rem; padding: .125rem .625rem;
  font-size: .75rem; background: var(--card); }
.copy { display: flex; gap: .5rem; align-items: end; }
.copy button { flex: none; }
progress { width: 100%; height: .75rem; }
.group { margin: 0 0 1rem; }
details.group { margin: 0; padding: 0 1rem; border: solid var(--line); border-width: 1px 1px 0; }
details.group:first-of-type { border-radius: .625rem .625rem 0 0; margin-top: .5rem; }
details.group:last-child { border-width: 1px; border-radius: 0 0 .625rem .625rem; }
.options { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)); gap: .75rem; max-width: 60rem; }
.options li.option { position: relative; padding: .875rem 1rem; border: 1px solid var(--line); border-radius: .625rem; }
.option:hover { border-color: var(--accent); }
.option a { text-decoration: none; }
.option a::after { content: ""; position: absolute; inset: 0; border-radius: inherit; }
.option p { margin: .125rem 0 0; font-size: .875rem; }
.figures { display: flex; flex-wrap: wrap; gap: 1px; background: var(--line); border: 1px solid var(--line); border-radius: .625rem;
  overflow: hidden; }
.figures div { flex: 1 1 8rem; background: var(--card); padding: .875rem 1rem; }
.figures b { display: block; font-size: 1.5rem; font-weight: 620; letter-spacing: -.02em; }
[data-refresh][aria-pressed=true] { background: var(--tint); }
@media (min-width: 60rem) {
  .console { display: grid; grid-template-columns: 15.5rem minmax(0, 1fr); font-size: .875rem;
    main { padding: 2rem 2.5rem 5rem; }
  }
  .strip { margin: -2rem -2.5rem 1.5rem; padding-left: 2.5rem; }
  .side { position: sticky; top: 0; height: 100vh; overflow-y: auto; border: 0; border-right: 1px solid var(--line); padding: .75rem; }
  @supports selector(::details-content) {
    .side .menu > summary { display: none; }
    .menu::details-content { content-visibility: visible; display: block; height: auto; }
  }
  .side li a { min-height: 1.75rem; }
}
.suite { --field: oklch(65% .012 264);
  --rule: oklch(86% .01 264);
  --code-ground: oklch(21.5% .02 264); --code-ink: oklch(92% .01 264); --code-soft: oklch(74% .02 264); --code-line: oklch(32% .02 264); }
@media (prefers-color-scheme: dark) {
  .suite { --edge: oklch(56% .016 264); --field: oklch(52% .014 264);
    --rule: oklch(37% .014 264); --code-ground: oklch(15% .01 264); --code-line: oklch(27% .014 264); }
  .switch [aria-current] { background: var(--line); }
}
.icon { flex: none; width: 1.125em; height: 1.125em; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round;
  stroke-linejoin: round; vertical-align: -.15em; }
.console .side li a { color: var(--soft); font-weight: 500; }
.side li a > .icon { width: 1rem; height: 1rem; }
.docs-link { display: inline-flex; gap: .375rem; align-items: center; min-height: 2rem; font-weight: 550; text-decoration: none; }
.menu > summary { display: flex; align-items: center; gap: .375rem; list-style: none; }
.menu > summary::-webkit-details-marker { display: none; }
.menu[open] > summary > .icon { transform: rotate(90deg); }
.console {
  tbody th a { color: var(--ink); text-decoration: underline; text-decoration-color: var(--rule); text-decoration-thickness: 1px; }
  tbody th a:hover { color: var(--accent); text-decoration-color: currentColor; }
  .choice { gap: .625rem; }
  .empty { border-color: var(--rule); }
  .plain a { color: var(--ink); font-weight: 600; text-decoration-color: var(--rule); }
  .plain a:hover { color: var(--accent); }
}
.folds { border: 1px solid var(--line); border-radius: .625rem; margin: 0 0 1.5rem; }
.folds > details { padding: 0 1rem; }
.folds > details + details { border-top: 1px solid var(--line); }
.folds ol { margin: 0 0 1rem; padding-left: 1.25rem; }
.folds .code { margin-top: .5rem; }
.stepper { list-style: none; margin: 0; padding: 0; max-width: 46rem; }
.stepper > li { position: relative; padding: 0 0 2rem 3rem; }
.stepper > li:not(:last-child)::before { content: ""; position: absolute; left: .9375rem; top: 2.375rem; bottom: .375rem; width: 1px;
  background: var(--line); }
.stepper h2 { margin: 0 0 .5rem; line-height: 2rem; }
.dot { position: absolute; left: 0; top: 0; width: 2rem; height: 2rem; display: grid; place-items: center; border-radius: 50%;
  border: 1px solid var(--rule); color: var(--soft); font-size: .875rem; font-weight: 600; }
.dot.done { border-color: transparent; background: var(--good-tint); color: var(--good); }
.dot.now { border-color: transparent; background: var(--accent); color: var(--on-accent); }
@media (min-width: 40rem) { .even { grid-template-columns: minmax(0, 14rem) minmax(0, 1fr); } }
@media (max-width: 39.99rem) {
.code pre { padding-top: 2.5rem; } .even { grid-template-columns: minmax(0, 1fr); } .even dd + dt { margin-top: .5rem; } }
.steps-done { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; max-width: 46rem; margin-bottom: 2rem; }
.steps-done progress { flex: 1 1 12rem; height: .375rem; appearance: none; border: 0; border-radius: 1rem; background: var(--line);
  overflow: hidden; }
.steps-done ::-webkit-progress-bar { background: var(--line); }
.steps-done ::-webkit-progress-value { background: var(--accent); }
.steps-done ::-moz-progress-bar { background: var(--accent); }
.steps-done label { font-weight: 400; color: var(--soft); }
.suite:not(.console, .docs) { background: var(--ground); font-size: .9375rem; line-height: 1.55;
  .masthead, main, .imprint { max-width: 42rem; }
  main:first-child { max-width: 27rem; padding-top: min(14vh, 8rem); }
  .crest { width: 2.25rem; height: 2.25rem; border-radius: .625rem; font-size: 1.0625rem; }
  .masthead { gap: .75rem; padding-block: 1.5rem .75rem; }
  .masthead p span { font-size: .8125rem; }
  h1 { margin-bottom: .5rem; }
  h2 { font: 600 1.0625rem/1.4 var(--sans); }
  .lead { font-size: .9375rem; }
  .hint { font-size: .8125rem; }
  .card { border-radius: .75rem; padding: 1.25rem; margin: 1.25rem 0; box-shadow: 0 1px 2px oklch(21% .02 264 / .05); }
  .field, fieldset { margin-bottom: 1.125rem; }
  label, legend { font-weight: 600; font-size: .875rem; }
  .choice label { font-weight: 400; font-size: .9375rem; }
  main:first-child form > button { width: 100%; }
}
@media (min-width: 60rem) {
  .suite:not(.console, .docs) { button, .button, :is(input, select):not([type=checkbox], [type=radio]) { min-height: 2.5rem; } }
}
.search-row { flex-wrap: nowrap; margin-bottom: .5rem; }
.console .search-row input { margin: 0; max-width: 28rem; }
.search-row button { flex: none; }
.figures .soft { font-size: .8125rem; }
.chart { display: flow-root; margin: 0 0 2rem; }
.plot { position: relative; margin: 1rem 0 2.25rem 3.25rem; }
.plot svg { display: block; overflow: visible; }
.hits { position: absolute; inset: 0; display: grid; grid-auto-flow: column; grid-auto-columns: 1fr; }
.hits :hover { background: oklch(60% .05 var(--hue) / .16); }
.hits span { display: none; position: absolute; right: 0; bottom: 100%; padding: .25rem .625rem; border-radius: .375rem;
  background: var(--ink) !important; color: var(--card); font-size: .8125rem; }
.hits :hover > span { display: block; }
.figures b a { color: inherit; text-decoration: none; }
.figures b a:hover { color: var(--accent); }
@media (hover: hover) and (min-width: 60rem) {
  .console tbody tr:hover { background: var(--ground); box-shadow: -.625rem 0 var(--ground), .625rem 0 var(--ground); }
}
@media (min-width: 60rem) {
  .console {
    button, .button { font-size: .875rem; min-height: 2.25rem; padding: .4375rem .875rem; }
    :is(input, select):not([type=checkbox], [type=radio], [type=file]) { min-height: 2.25rem; padding: .3125rem .625rem;
      font-size: .875rem; }
    textarea { font-size: .875rem; }
    .choice { padding: .25rem 0; }
    .choice input { width: 1rem; height: 1rem; }
    .hint { font-size: .8125rem; }
  }
  .side .brand { font-size: .9375rem; }
  .console :is(.switch, .tabs) a { padding: .3125rem .75rem; }
}
`,
);
