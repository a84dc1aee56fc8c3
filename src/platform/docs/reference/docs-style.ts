import { stylesheet } from '../../../kit/index.js';

/**
 * The style of the documentation, beyond that of every page: three columns where there is room for them. Operations out of sight are not
 * laid out (`content-visibility`) until the page is loaded: a page can have forty of them. Their height is a guess before, and programs
 * that check accessibility would see the end of one over the next.
 */
export const DOCS_STYLE = stylesheet(
  'docs',
  `.docs { background: var(--card); font-size: 1rem; line-height: 1.65; display: block;
  h1 { font: 650 2rem/1.2 var(--sans); letter-spacing: -.025em; margin: 0; }
  h2 { font: 620 1.375rem/1.35 var(--sans); letter-spacing: -.015em; margin: 3rem 0 .75rem; }
  h3 { font: 600 1rem/1.45 var(--sans); letter-spacing: -.005em; margin: 2rem 0 .375rem; }
  main { max-width: none; margin: 0; padding: 1.5rem 1.125rem 4rem; min-width: 0; outline: none; }
  code { font-size: .84375em; font-variant-ligatures: none; }
  :not(pre, .field-name, .route) > code { background: var(--ground); border: 1px solid var(--line); border-radius: .3125rem;
    padding: .0625rem .3125rem; }
  a > code { color: inherit; }
  main a { text-decoration-color: color-mix(in oklch, currentColor 35%, transparent); }
  main a:hover { text-decoration-color: currentColor; }
  table { border-collapse: collapse; width: 100%; font-size: .9375rem; }
  th, td { text-align: left; vertical-align: top; padding: .625rem 1rem .625rem 0; border-bottom: 1px solid var(--line);
    overflow-wrap: break-word; }
  th { font-weight: 600; }
  thead th { font-size: .8125rem; color: var(--soft); }
  tr:target, li:target { background: var(--tint); }
  .wide { overflow-x: auto; margin: 0 0 1.5rem; }
  li + li { margin-top: .25rem; }
  button { font-family: var(--sans); }
}
.docs pre { margin: 0; padding: 1rem 1.125rem; overflow: auto; background: var(--code-ground); color: var(--code-ink);
  font: .8125rem/1.65 var(--mono); font-variant-ligatures: none; tab-size: 2; }
.docs pre:focus-visible { outline-offset: -3px; outline-color: var(--code-soft); }
.docs pre code { background: none; border: 0; padding: 0; font: inherit; color: inherit; }
pre i { font-style: normal; }
pre .s { color: oklch(82% .1 155); } pre .n { color: oklch(80% .11 55); } pre .k { color: oklch(78% .11 295); }
pre .p { color: oklch(82% .08 240); } pre .c { color: var(--code-soft); }
.bar { position: sticky; top: 0; z-index: 3; display: flex; gap: .75rem; align-items: center; height: 3.5rem; padding: 0 1.125rem;
  background: var(--card); border-bottom: 1px solid var(--line); }
.docs .brand { display: flex; align-items: center; gap: .5rem; color: var(--ink); text-decoration: none; white-space: nowrap; }
.docs .brand b { font-weight: 620; letter-spacing: -.01em; }
.docs .brand > :last-child { color: var(--soft); }
.docs .crest { width: 1.75rem; height: 1.75rem; border-radius: .5rem; font-size: .9375rem; }
.search { position: relative; flex: 1; max-width: 28rem; }
.search > .icon { position: absolute; left: .75rem; top: .625rem; color: var(--soft); pointer-events: none; }
.docs .search input { width: 100%; min-height: 2.25rem; margin: 0; padding: .25rem 2.25rem .25rem 2.25rem; border-radius: .5rem;
  font-size: .875rem; background: var(--ground); border-color: var(--line); }
.docs .search input:hover { border-color: var(--edge); }
.search input::-webkit-search-cancel-button { display: none; }
.search kbd { position: absolute; right: .625rem; top: .4375rem; font: .75rem/1.4 var(--mono); color: var(--soft);
  border: 1px solid var(--line); background: var(--card); border-radius: .25rem; padding: 0 .375rem; pointer-events: none; }
#found { position: absolute; top: calc(100% + .5rem); left: 0; width: min(36rem, calc(100vw - 2.25rem)); max-height: 70vh; margin: 0;
  padding: .375rem; overflow-y: auto; list-style: none; background: var(--card); border: 1px solid var(--line); border-radius: .75rem;
  box-shadow: 0 24px 60px -16px oklch(20% .04 264 / .35), 0 2px 8px oklch(20% .04 264 / .08); }
#found li { display: grid; grid-template-columns: 3.25rem minmax(0, 1fr); gap: 0 .5rem; padding: .5rem .75rem; margin: 0;
  border-radius: .5rem; cursor: pointer; line-height: 1.4; font-size: .9375rem; align-items: baseline; }
#found li > :nth-child(2) { font-weight: 550; }
#found [aria-selected=true] { background: var(--tint); }
#found .kind { color: var(--soft); font-size: .75rem; }
#found .place { grid-column: 2; color: var(--soft); font-size: .8125rem; }
#found .none { display: block; color: var(--soft); }
.search:focus-within kbd { display: none; }
.to-console { margin-left: auto; padding: .25rem 0; font-weight: 550; font-size: .875rem; text-decoration: none; white-space: nowrap; }
.to-console .icon { margin-left: .25rem; }
.docs .side { background: none; border-bottom: 1px solid var(--line); padding: .25rem 1.125rem; font-size: .875rem; }
.docs .side summary { display: flex; align-items: center; gap: .375rem; min-height: 2rem; padding: .25rem .5rem; border-radius: .5rem;
  font-weight: 550; list-style: none; }
.docs .side summary::-webkit-details-marker { display: none; }
.docs .side summary:hover { background: var(--ground); }
.docs summary .icon { color: var(--soft); width: .9375rem; height: .9375rem; }
.docs details[open] > summary > .icon { transform: rotate(90deg); }
.docs .side .menu > summary { min-height: 2.5rem; padding-left: 0; }
.docs .side h2 { font: 600 .75rem/1.4 var(--sans); letter-spacing: .02em; color: var(--soft); margin: 1.25rem 0 .25rem;
  padding: 0 .5rem; }
.docs .side nav > details > ul { margin: .125rem 0 .5rem .875rem; padding-left: .5rem; border-left: 1px solid var(--line); }
.docs .side li { margin: 0; }
.docs .side li a { min-height: 1.875rem; padding: .1875rem .5rem; line-height: 1.4; color: var(--soft); text-decoration: none;
  border-radius: .375rem; }
.docs .side li a:hover { color: var(--ink); background: var(--ground); }
.docs .side li [aria-current] { color: var(--deep); font-weight: 600; background: var(--tint); }
.docs .side .kind { padding: .75rem .5rem .25rem; font-size: .75rem; font-weight: 600; color: var(--soft); }
.docs .side .parts { margin: .125rem 0 .375rem .5rem; }
.docs .side .parts a { font-size: .8125rem; min-height: 1.625rem; justify-content: space-between; gap: .5rem; }
.docs .side .parts .now { color: var(--deep); font-weight: 550; }
.verb { flex: none; white-space: nowrap; font: 650 .6875rem/1.4 var(--mono); letter-spacing: .01em; color: var(--accent); }
.verb.post { color: var(--good); } .verb:is(.patch, .put) { color: var(--warn); } .verb.delete { color: var(--bad); }
.head { display: flex; flex-wrap: wrap; gap: .75rem 1rem; align-items: end; justify-content: space-between; margin-bottom: 1.5rem; }
.crumbs { margin: 0 0 .25rem; color: var(--soft); font-size: .875rem; font-weight: 550; }
.languages { display: flex; margin: 0; padding: .1875rem; background: var(--ground); border: 1px solid var(--line);
  border-radius: .625rem; }
.languages span { position: relative; }
.languages input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0; cursor: pointer; }
.languages label { display: block; padding: .1875rem .75rem; border-radius: .375rem; color: var(--soft); font-size: .8125rem;
  font-weight: 550; }
.languages :hover + label { color: var(--ink); }
.languages :checked + label { background: var(--card); color: var(--ink); box-shadow: 0 0 0 1px var(--line),
  0 1px 2px oklch(20% .04 264 / .1); }
.languages :focus-visible + label { outline: 3px solid var(--accent); }
.sample { display: none; }
/* addresses are long; nothing of a command is out of sight */
:is(.sample.curl, .hero) pre { white-space: pre-wrap; overflow-wrap: anywhere; }
.docs .hero pre { font-size: .75rem; }
body:has(#in-curl:checked) .sample.curl, body:has(#in-ts:checked) .sample.ts, body:has(#in-py:checked) .sample.py,
body:has(#in-mcp:checked) .sample.mcp, .sample:only-of-type { display: block; }
.prose { max-width: 44rem; }
.prose > :first-child { margin-top: 0; }
.prose:has(.wide) { max-width: 56rem; }
.prose > :is(p, ul, ol) { max-width: 44rem; }
.docs .lead { font-size: 1.0625rem; line-height: 1.6; max-width: 42rem; color: var(--soft); }
.op { border-top: 1px solid var(--line); padding: 2.5rem 0; scroll-margin-top: 3.5rem; content-visibility: auto;
  contain-intrinsic-size: auto 90rem; }
.loaded .op { content-visibility: visible; }
.docs .head + .op { border-top: 0; padding-top: 0; }
.docs .op h2 { margin: 0 0 .5rem; }
.docs :is(h2, h3, li, tr) { scroll-margin-top: 4.5rem; }
.facts dd a, .field-name > a { display: inline-block; min-height: 1.5rem; }
.anchor { display: inline-block; min-height: 1.6875rem; color: inherit; text-decoration: none; }
.anchor:hover { color: inherit; }
.anchor:hover::after { content: " #"; color: var(--soft); font-weight: 400; }
.route { display: flex; gap: .625rem; align-items: baseline; margin: 0 0 1rem; }
.route .verb { font-size: .8125rem; }
.route code { font-size: .875rem; color: var(--soft); }
.facts { grid-template-columns: 6.5rem minmax(0, 1fr); gap: .5rem 1rem; margin: 1.25rem 0 0; padding: .875rem 1rem; font-size: .875rem;
  line-height: 1.6; border: 1px solid var(--line); border-radius: .625rem; background: var(--ground); }
.facts dt { font-weight: 550; }
.text > .facts:first-child { margin: 0; }
.docs .facts code { background: var(--card); }
.facts dd > div { display: flex; flex-wrap: wrap; gap: 0 .375rem; align-items: baseline; }
.facts dd > div > span { flex: 1 1 9rem; }
.facts details { margin: 0; }
.docs .facts a:has(> code) { text-decoration: none; }
.facts a:hover > code { border-color: currentColor !important; }
.docs .field-name > a { text-decoration-color: var(--rule); }
.docs .field-name > a > code { background: none; border: 0; padding: 0; font: inherit; }
.fields { list-style: none; margin: .5rem 0 0; padding: 0; border-top: 1px solid var(--line); font-size: .9375rem; line-height: 1.55; }
.docs .fields > li { padding: .8125rem 0; margin: 0; border-bottom: 1px solid var(--line); }
.fields p { margin: .1875rem 0 0; color: var(--soft); }
.fields .field-name { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 .625rem; margin: 0; color: var(--soft);
  font-size: .8125rem; }
.field-name > code, .field-name > a { font: 600 .84375rem/1.5 var(--mono); font-variant-ligatures: none; color: var(--ink); }
.must { color: var(--warn); font-weight: 600; font-size: .75rem; }
.values { display: flex; flex-wrap: wrap; gap: .25rem .375rem; font-size: .8125rem; color: var(--soft); align-items: baseline; }
.fields details { margin-top: .5rem; }
.docs main summary { display: inline-flex; align-items: center; gap: .375rem; font-size: .8125rem; font-weight: 550; min-height: 1.875rem;
  padding: .125rem .625rem .125rem .5rem; color: var(--ink); border: 1px solid var(--line); border-radius: .4375rem; list-style: none; }
.docs main summary::-webkit-details-marker { display: none; }
.docs main summary:hover { background: var(--tint); }
.docs main .fields details[open] > summary { border-radius: .4375rem .4375rem 0 0; }
.fields details > .fields { margin: -1px 0 0; padding: 0 1rem; border: 1px solid var(--line); border-radius: 0 .625rem .625rem .625rem; }
.docs .fields details > .fields > li:last-child { border-bottom: 0; }
.code-side { min-width: 0; margin-top: 1.5rem; }
.panel { background: var(--code-ground); color: var(--code-ink); border: 1px solid var(--code-ground); border-radius: .75rem;
  margin: 0 0 1rem; overflow: hidden; }
.prose .panel { margin-bottom: 1.5rem; }
.panel-head { display: flex; gap: .5rem; align-items: center; margin: 0; padding: .25rem .625rem .25rem 1.125rem; min-height: 2.5rem;
  color: var(--code-soft); font-size: .75rem; font-weight: 550; border-bottom: 1px solid var(--code-line); }
.panel-head > span { flex: 1; min-width: 0; }
.panel-head code { color: var(--code-ink); font-size: .75rem; background: none !important; border: 0 !important; padding: 0 !important; }
.docs .panel button { min-height: 1.75rem; padding: .125rem .5625rem; font-size: .75rem; font-weight: 550; border-radius: .375rem;
  background: none; color: var(--code-ink); border-color: var(--code-line); }
.docs .panel button:hover { background: var(--code-line); }
.docs .panel button .icon { margin-right: .25rem; width: .875rem; height: .875rem; }
.docs .panel pre { border-radius: 0; max-height: 26rem; }
.prose .panel pre { max-height: none; }
.panel .replace { margin: 0; padding: .625rem 1.125rem; border-top: 1px solid var(--code-line); font-size: .8125rem; }
.panel .replace code { color: inherit; background: none; border: 0; padding: 0; }
.light-panel { background: var(--card); color: var(--ink); border-color: var(--line); }
.light-panel .panel-head { color: var(--soft); border-color: var(--line); background: var(--ground); }
.endpoints { list-style: none; margin: 0; padding: .375rem; font: .8125rem/1.45 var(--mono); font-variant-ligatures: none; }
.docs .endpoints li { margin: 0; }
.docs .endpoints a { display: grid; grid-template-columns: 3.5rem minmax(0, 1fr); gap: .5rem; padding: .3125rem .75rem;
  border-radius: .4375rem;
  color: var(--soft); text-decoration: none; }
.docs .endpoints a:hover { background: var(--tint); color: var(--ink); }
.try { padding: .75rem 1.125rem 1.125rem; border-top: 1px solid var(--code-line); font-size: .8125rem; }
.try label { display: block; font-weight: 550; margin-top: .625rem; color: var(--code-soft); }
.docs .try :is(input, textarea) { min-height: 2.25rem; margin-top: .25rem; padding: .375rem .625rem; border-radius: .4375rem;
  background: oklch(27% .02 264); color: var(--code-ink); border: 1px solid oklch(58% .02 264); font: .8125rem/1.5 var(--mono); }
.docs .panel .try pre { padding: .5rem 0 0; max-height: 26rem; }
.docs .panel .send { background: oklch(80% .11 264); color: oklch(18% .05 264); border: 0; margin-top: .875rem; min-height: 2rem;
  padding: .25rem .875rem; }
.docs .panel .send:hover { background: oklch(87% .08 264); }
.cards { list-style: none; margin: 0; padding: 0; display: grid; gap: .875rem; grid-template-columns: repeat(auto-fill, minmax(16rem,
  1fr)); }
.docs .cards li { position: relative; margin: 0; border: 1px solid var(--line); border-radius: .75rem; padding: 1.125rem 1.25rem; }
.cards li:hover { border-color: var(--accent); box-shadow: 0 8px 24px -16px oklch(40% .1 264 / .5); }
.cards a { color: var(--ink); text-decoration: none; }
.cards b { font-weight: 600; }
.cards a::after { content: ""; position: absolute; inset: 0; }
.cards p { margin: .25rem 0 0; color: var(--soft); font-size: .875rem; line-height: 1.5; }
.docs .cards .few { margin-top: .75rem; font-size: .8125rem; color: var(--ink); }
.cards .icon { display: block; width: 1.25rem; height: 1.25rem; color: var(--accent); margin-bottom: .75rem; stroke-width: 1.75; }
.hero { display: grid; gap: 2rem; padding: .5rem 0 0; }
.hero h1 { font-size: clamp(2rem, 1.6rem + 1.4vw, 2.5rem); letter-spacing: -.03em; margin-bottom: .875rem; }
.hero .row { margin-top: 1.5rem; }
.docs .hero .button { font-size: .9375rem; min-height: 2.5rem; padding: .5rem 1rem; border-radius: .5rem; font-weight: 550; }
.steps { display: flex; flex-wrap: wrap; gap: .875rem; justify-content: space-between; padding: 0; margin-top: 3rem; max-width: 44rem; }
.steps a { flex: 1 1 12rem; max-width: 24rem; text-decoration: none; font-weight: 550; color: var(--ink); border: 1px solid var(--line);
  border-radius: .75rem; padding: .75rem 1.125rem; }
.steps a:hover { border-color: var(--accent); color: var(--ink); }
.steps span { display: block; color: var(--soft); font-size: .8125rem; font-weight: 400; }
.steps [rel=next] { margin-left: auto; text-align: right; }
.source { font-size: .8125rem; margin-top: 1.5rem; }
.toc { display: none; font-size: .8125rem; }
.docs .toc h2 { font: 600 .8125rem/1.4 var(--sans); letter-spacing: 0; margin: 0 0 .5rem; }
.toc ul { list-style: none; margin: 0; padding: 0; border-left: 1px solid var(--line); }
.toc a { display: block; padding: .1875rem .875rem; margin-left: -1px; border-left: 1px solid transparent; color: var(--soft);
  text-decoration: none; }
.toc a:hover { color: var(--ink); }
.toc .now { color: var(--accent); border-color: var(--accent); }
@media (max-width: 48rem) { #found { position: fixed; top: 3.75rem; left: 1.125rem; right: 1.125rem; width: auto; } }
@media (max-width: 40rem) {
  .wide thead { position: absolute; left: -100vw; }
  .wide :is(table, tbody, tr, th, td) { display: block; }
  .docs .wide tr { border-bottom: 1px solid var(--line); padding: .5rem 0; }
  .docs .wide :is(th, td) { border: 0; padding: .0625rem 0; }
  .wide [data-label]::before { content: attr(data-label); color: var(--soft); margin-right: .5rem; }
  .docs .facts { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .facts dd + dt { margin-top: .5rem; }
  .facts dd > div + div { margin-top: .25rem; }
  .facts dd > div > span { flex-basis: 100%; }
}
@media (min-width: 40.01rem) { .docs tbody th > code { white-space: nowrap; } }
@media (max-width: 30rem) { .docs .brand b, .search kbd { display: none; } .docs .search input { padding-right: .5rem; } }
@media (min-width: 60rem) {
  .docs { display: grid; grid-template-columns: 17rem minmax(0, 1fr); align-content: start;
    > .skip { grid-column: 1 / -1; }
    main { padding: 2.5rem 3rem 5rem; }
  }
  .bar { grid-column: 1 / -1; }
  .docs .bar .brand { width: 17rem; }
  @supports selector(::details-content) { .docs .side .menu > summary { display: none; } }
  .docs .side { position: sticky; top: 3.5rem; height: calc(100vh - 3.5rem); border: 0; border-right: 1px solid var(--line);
    padding: 1rem .75rem 2rem; scrollbar-width: thin; }
  .hero { grid-template-columns: minmax(0, .8fr) minmax(0, 1.2fr); gap: 3rem; align-items: center; }
}
@media (min-width: 76rem) {
  .op { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, .92fr); gap: 3.5rem; }
  .code-side { position: sticky; top: 8rem; align-self: start; margin: 0; }
  .docs:has(.languages) .head { position: sticky; top: 3.5rem; z-index: 2; margin: -2.5rem -3rem 0; padding: 1.25rem 3rem .875rem;
    align-items: center; background: var(--card); border-bottom: 1px solid var(--line); }
  .docs:has(.languages) .head h1 { font-size: 1.5rem; }
  .docs:has(.languages) .head .crumbs { display: none; }
  .docs:has(.languages) .op { scroll-margin-top: 5rem; }
  .docs:has(.languages) .head + .op { padding-top: 2rem; }
  .docs .op .panel pre { max-height: calc(50vh - 7rem); min-height: 6rem; }
  .docs .op .panel:only-child pre { max-height: calc(100vh - 12rem); }
}
@media (min-width: 82rem) {
  .docs:has(.toc) main { display: grid; grid-template-columns: minmax(0, 1fr) 13rem; gap: 0 4rem; max-width: 78rem; }
  .docs:has(.toc) main > * { grid-column: 1; min-width: 0; }
  .docs:has(.toc) .contents { display: none; }
  .docs:has(.toc) main > .toc { display: block; grid-column: 2; grid-row: 1 / span 8; position: sticky; top: 6rem; align-self: start;
    max-height: calc(100vh - 8rem); overflow-y: auto; }
}
@media print { .bar, .docs .side, .steps, .toc { display: none; } }
`,
);
