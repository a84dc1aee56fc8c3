import { stylesheet } from './stylesheets.js';

/** The look of the suite's own pages, beside the style of every page: the console, the documentation and what leads to them. */
export const SUITE_STYLE = stylesheet(
  'suite',
  `.suite { --field: oklch(65% .012 264);
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
  :is(input, select, textarea):not([type=checkbox], [type=radio]) { border-color: var(--field); }
  .quiet { color: var(--ink); border-color: var(--rule); }
  .quiet:hover { color: var(--ink); background: var(--ground); border-color: var(--field); }
  tbody th a { color: var(--ink); text-decoration: underline; text-decoration-color: var(--rule); text-decoration-thickness: 1px; }
  tbody th a:hover { color: var(--accent); text-decoration-color: currentColor; }
  main summary { display: flex; align-items: center; gap: .625rem; list-style: none; }
  main summary::-webkit-details-marker { display: none; }
  main summary::before { content: ""; flex: none; width: .4375rem; height: .4375rem; border: solid var(--soft); border-width: 0 2px 2px 0;
    transform: rotate(-45deg); }
  main details[open] > summary::before { transform: rotate(45deg); }
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
@media (max-width: 39.99rem) { .even { grid-template-columns: minmax(0, 1fr); } .even dd + dt { margin-top: .5rem; } }
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
  h1 { font: 650 1.5rem/1.25 var(--sans); letter-spacing: -.02em; margin-bottom: .5rem; }
  h2 { font: 600 1.0625rem/1.4 var(--sans); }
  .lead { font-size: .9375rem; }
  .hint { font-size: .8125rem; }
  .card { border-radius: .75rem; padding: 1.25rem; margin: 1.25rem 0; box-shadow: 0 1px 2px oklch(21% .02 264 / .05); }
  .field, fieldset { margin-bottom: 1.125rem; }
  label, legend { font-weight: 600; font-size: .875rem; }
  .choice { padding: .375rem 0; }
  .choice label { font-weight: 400; font-size: .9375rem; }
  .choice input { width: 1.125rem; height: 1.125rem; margin-top: .1875rem; }
  :is(input, select, textarea):not([type=checkbox], [type=radio]) { min-height: 2.75rem; padding: .4375rem .75rem; border-radius: .5rem;
    border-color: var(--field); margin-top: .25rem; }
  button, .button { font-weight: 550; font-size: .9375rem; min-height: 2.75rem; padding: .5625rem 1rem; border-radius: .5rem; }
  main:first-child form > button { width: 100%; }
  .quiet { color: var(--ink); border-color: var(--rule); }
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
@media (hover: hover) and (min-width: 60rem) { .console tbody tr:hover { background: var(--ground); } }
@media (min-width: 60rem) {
  .console {
    button, .button { font-size: .875rem; min-height: 2.25rem; padding: .4375rem .875rem; }
    :is(input, select):not([type=checkbox], [type=radio], [type=file]) { min-height: 2.25rem; padding: .3125rem .625rem;
      font-size: .875rem; }
    textarea { font-size: .875rem; }
    .hint { font-size: .8125rem; }
  }
  .side .brand { font-size: .9375rem; }
  .console :is(.switch, .tabs) a { padding: .3125rem .75rem; }
}
`,
);
