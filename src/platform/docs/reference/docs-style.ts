import { stylesheet } from '../../../kit/index.js';

/** The style of the documentation, beyond that of every page: three columns where there is room for them. */
export const DOCS_STYLE = stylesheet(
  'docs',
  `.docs { background: var(--card); font-size: 1rem; line-height: 1.6; display: block; --code-ground: oklch(23% .02 var(--hue));
  --code-ink: oklch(93% .01 var(--hue)); --code-soft: oklch(78% .02 var(--hue)); --code-line: oklch(35% .02 var(--hue));
  h1 { font: 650 1.875rem/1.25 var(--sans); letter-spacing: -.015em; margin: 0; }
  h2 { font: 650 1.25rem/1.35 var(--sans); margin: 2.5rem 0 .75rem; }
  h3 { font: 650 .9375rem/1.4 var(--sans); margin: 1.75rem 0 .25rem; }
  main { max-width: none; margin: 0; padding: 1.5rem 1.125rem 4rem; min-width: 0; outline: none; }
  code { font-size: .875em; }
  :not(pre, .fields .field-name) > code { background: var(--ground); border: 1px solid var(--line); border-radius: .25rem;
    padding: .0625rem .25rem; }
  a > code { color: inherit; }
  pre { margin: 0 0 1.125rem; padding: .875rem 1rem; overflow-x: auto; background: var(--code-ground); color: var(--code-ink);
    border-radius: .625rem; font: .8125rem/1.6 var(--mono); }
  pre:focus-visible { outline-offset: -3px; outline-color: var(--code-soft); }
  pre code { background: none; border: 0; padding: 0; font: inherit; color: inherit; }
  table { border-collapse: collapse; width: 100%; font-size: .9375rem; }
  th, td { text-align: left; vertical-align: top; padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); }
  th, td { overflow-wrap: break-word; }
  th { font-weight: 600; }
  tr:target, li:target { background: var(--tint); }
  .wide { overflow-x: auto; margin: 0 0 1.125rem; }
}
.bar { position: sticky; top: 0; z-index: 3; display: flex; gap: .75rem; align-items: center; height: 3.5rem; padding: 0 1.125rem;
  background: var(--card); border-bottom: 1px solid var(--line); }
.docs .brand { display: flex; align-items: center; gap: .5rem; color: var(--ink); text-decoration: none; white-space: nowrap; }
.docs .brand > :last-child { color: var(--soft); }
.docs .crest { width: 1.75rem; height: 1.75rem; border-radius: .5rem; font-size: .9375rem; }
.search { position: relative; flex: 1; max-width: 30rem; margin-left: auto; }
.docs .search input { width: 100%; min-height: 2.25rem; margin: 0; padding: .25rem 2.25rem .25rem .75rem; border-radius: .5rem;
  font-size: .9375rem; }
.search kbd { position: absolute; right: .625rem; top: .4375rem; font: .75rem/1.4 var(--mono); color: var(--soft);
  border: 1px solid var(--line); border-radius: .25rem; padding: 0 .3125rem; pointer-events: none; }
#found { position: absolute; top: calc(100% + .375rem); right: 0; width: min(36rem, calc(100vw - 2.25rem)); max-height: 70vh; margin: 0;
  padding: .375rem; overflow-y: auto; list-style: none; background: var(--card); border: 1px solid var(--line); border-radius: .75rem;
  box-shadow: var(--shadow); }
#found li { padding: .5rem .75rem; border-radius: .5rem; cursor: pointer; line-height: 1.35; }
#found [aria-selected=true] { background: var(--tint); }
#found span { display: block; color: var(--soft); font-size: .8125rem; }
.to-console { font-weight: 600; font-size: .9375rem; text-decoration: none; }
.docs .side { background: none; border-bottom: 1px solid var(--line); padding: .25rem 1.125rem; font-size: .9375rem; }
.docs .side summary { min-height: 2.25rem; padding: .375rem .625rem; border-radius: .5rem; }
.docs .side nav > details > ul { margin: 0 0 .5rem .625rem; }
.docs .side li a { min-height: 2rem; padding: .25rem .625rem; line-height: 1.35; color: var(--soft); text-decoration: none; }
.docs .side li [aria-current] { color: var(--deep); }
.docs .side .parts { border-left: 1px solid var(--line); margin: .125rem 0 .375rem .875rem; }
.docs .side .parts a { font-size: .8125rem; min-height: 1.75rem; gap: .375rem; }
.verb { flex: none; white-space: nowrap; font: 700 .6875rem/1.4 var(--mono); color: var(--accent); }
.verb.post { color: var(--good); } .verb:is(.patch, .put) { color: var(--warn); } .verb.delete { color: var(--bad); }
.head { display: flex; flex-wrap: wrap; gap: 1rem; align-items: end; justify-content: space-between; margin-bottom: 1.25rem; }
.crumbs { margin: 0; color: var(--soft); font-size: .875rem; }
.languages { display: flex; margin: 0; padding: .1875rem; background: var(--tint); border-radius: .625rem; }
.languages span { position: relative; }
.languages input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0; cursor: pointer; }
.languages label { display: block; padding: .25rem .75rem; border-radius: .4375rem; color: var(--ink); font-size: .875rem; }
.languages :checked + label { background: var(--card); box-shadow: 0 0 0 1px var(--line); }
.languages :focus-visible + label { outline: 3px solid var(--accent); }
.sample { display: none; }
body:has(#in-curl:checked) .sample.curl, body:has(#in-ts:checked) .sample.ts, body:has(#in-py:checked) .sample.py,
body:has(#in-mcp:checked) .sample.mcp { display: block; }
.prose { max-width: 46rem; }
.prose:has(.wide) { max-width: 60rem; }
.op { border-top: 1px solid var(--line); padding: 2rem 0; scroll-margin-top: 3.5rem; }
.docs .head + .op { border-top: 0; padding-top: .5rem; }
.docs .op h2 { margin-top: 0; }
.docs :is(h2, h3, li, tr) { scroll-margin-top: 4.5rem; }
.anchor { display: inline-block; min-height: 1.6875rem; color: inherit; text-decoration: none; }
.anchor:hover { text-decoration: underline; }
.route { display: flex; gap: .5rem; align-items: baseline; }
.fact { margin: 0 0 .25rem; font-size: .9375rem; color: var(--soft); }
.fact b { color: var(--ink); font-weight: 600; }
.fields { list-style: none; margin: .5rem 0 0; padding: 0; border-top: 1px solid var(--line); font-size: .9375rem; }
.fields > li { padding: .75rem 0; border-bottom: 1px solid var(--line); }
.fields p { margin: .125rem 0 0; }
.field-name { color: var(--soft); font-size: .8125rem; }
.field-name > code, .field-name > a { font: 600 .875rem/1.4 var(--mono); color: var(--ink); margin-right: .375rem; }
.must { color: var(--warn); font-weight: 600; }
.values { display: flex; flex-wrap: wrap; gap: .25rem; font-size: .875rem; color: var(--soft); }
.fields details { margin-top: .5rem; }
.docs main summary { font-size: .875rem; font-weight: 600; min-height: 2rem; padding: .25rem 0; color: var(--accent); }
.fields details > .fields { margin: .25rem 0 0; padding-left: .875rem; border-left: 2px solid var(--line); border-top: 0; }
.code-side { min-width: 0; }
.panel { background: var(--code-ground); color: var(--code-ink); border-radius: .75rem; margin: 0 0 1rem; overflow: hidden; }
.panel-head { display: flex; gap: .5rem; align-items: center; margin: 0; padding: .375rem 1rem; min-height: 2.5rem; color: var(--code-soft);
  font-size: .8125rem; font-weight: 600; border-bottom: 1px solid var(--code-line); }
.panel-head > span { flex: 1; }
.docs .panel button { min-height: 1.875rem; padding: .1875rem .625rem; font-size: .8125rem; border-radius: .375rem; background: none;
  color: var(--code-ink); border-color: var(--code-line); }
.docs .panel button:hover { background: var(--code-line); }
.docs .panel pre { margin: 0; border-radius: 0; max-height: 26rem; overflow: auto; }
.try { padding: .75rem 1rem 1rem; border-top: 1px solid var(--code-line); font-size: .8125rem; }
.try label { display: block; font-weight: 600; margin-top: .5rem; }
.docs .try :is(input, textarea) { min-height: 2.25rem; margin-top: .1875rem; padding: .375rem .625rem; border-radius: .375rem;
  background: oklch(28% .02 var(--hue)); color: var(--code-ink); border: 1px solid var(--code-soft); font: .8125rem/1.5 var(--mono); }
.docs .panel .try pre { padding: .5rem 0 0; max-height: 26rem; }
.docs .try .send { background: oklch(80% .09 var(--hue)); color: oklch(20% .04 var(--hue)); border: 0; margin-top: .75rem; }
.docs .try .send:hover { background: oklch(87% .07 var(--hue)); }
.cards { list-style: none; margin: 0; padding: 0; display: grid; gap: .75rem;
  grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); }
.cards li { position: relative; border: 1px solid var(--line); border-radius: .75rem; padding: 1rem 1.125rem; }
.cards li:hover { border-color: var(--accent); background: var(--ground); }
.cards a { text-decoration: none; }
.cards a::after { content: ""; position: absolute; inset: 0; }
.cards p { margin: .25rem 0 0; color: var(--soft); font-size: .9375rem; line-height: 1.45; }
.steps { display: flex; flex-wrap: wrap; gap: .75rem; justify-content: space-between; border-top: 1px solid var(--line);
  padding: 1.25rem 0; margin-top: 1rem; }
.steps a { text-decoration: none; font-weight: 600; }
.steps span { display: block; color: var(--soft); font-size: .8125rem; font-weight: 400; }
.steps [rel=next] { margin-left: auto; text-align: right; }
.source { font-size: .875rem; }
@media (max-width: 40rem) {
  .wide thead { position: absolute; left: -100vw; }
  .wide :is(table, tbody, tr, th, td) { display: block; }
  .docs .wide tr { border-bottom: 1px solid var(--line); padding: .5rem 0; }
  .docs .wide :is(th, td) { border: 0; padding: .0625rem 0; }
}
@media (max-width: 30rem) { .docs .brand b, .search kbd { display: none; } }
@media (min-width: 60rem) {
  .docs { display: grid; grid-template-columns: 16.5rem minmax(0, 1fr); align-content: start;
    > .skip { grid-column: 1 / -1; }
    main { padding: 2rem 2.5rem 5rem; }
  }
  .bar { grid-column: 1 / -1; }
  .docs .side { position: sticky; top: 3.5rem; height: calc(100vh - 3.5rem); border: 0; border-right: 1px solid var(--line);
    padding: 1rem .75rem; }
}
@media (min-width: 76rem) {
  .op { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, .9fr); gap: 3rem; }
  .code-side { position: sticky; top: 7rem; align-self: start; }
  .docs:has(.languages) .head { position: sticky; top: 3.5rem; z-index: 2; background: var(--card); margin: -1rem -2.5rem 0;
    padding: 1rem 2.5rem .75rem; align-items: center; }
  .docs:has(.languages) .op { scroll-margin-top: 8rem; }
  .docs .panel pre { max-height: calc(50vh - 7rem); min-height: 6rem; }
  .docs .panel:only-child pre { max-height: calc(100vh - 12rem); }
}
@media (prefers-color-scheme: dark) { .docs { --code-ground: oklch(18.5% .012 var(--hue)); } }
@media print { .bar, .docs .side, .steps { display: none; } }
`,
);
