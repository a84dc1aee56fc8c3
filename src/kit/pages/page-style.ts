import { stylesheet } from './stylesheets.js';
import { TYPEFACE_RULES } from './typefaces.js';

/** Of neutral colors, and of accents where an organization has set no color (OKLCH, degrees). */
export const SUITE_HUE = 264;

/**
 * The style of every page: typefaces, neutral colors, sizes. Accents are the suite's, or made of an organization's color, of which only the
 * hue and chroma count. So the contrast is the same for all: at least 4.5:1 for text and 3:1 for the borders of controls, in both modes.
 */
export const PAGE_STYLE = stylesheet(
  'page',
  `${TYPEFACE_RULES}
:root {
  color-scheme: light dark; accent-color: var(--accent); --hue: ${SUITE_HUE};
  --ground: oklch(98.3% .003 264); --card: #fff; --ink: oklch(21% .018 264); --soft: oklch(46% .018 264);
  --line: oklch(91.5% .007 264); --edge: oklch(60% .015 264); --tint: oklch(96% .014 264);
  --accent: oklch(48% .19 264); --deep: oklch(40% .17 264); --on-accent: #fff;
  --bad: oklch(46% .17 27); --bad-tint: oklch(96% .02 27); --good: oklch(42% .1 152); --good-tint: oklch(95.5% .03 152);
  --warn: oklch(44% .1 65); --warn-tint: oklch(95.5% .045 80);
  --shadow: 0 1px 2px oklch(21% .02 264 / .05);
  --mono: "JetBrains Mono Variable", ui-monospace, monospace;
  --sans: "Inter Variable", ui-sans-serif, "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", system-ui, sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: oklch(16.5% .008 264); --card: oklch(19% .009 264); --ink: oklch(94% .006 264); --soft: oklch(73% .013 264);
    --line: oklch(28.5% .012 264); --edge: oklch(62% .016 264);
    --tint: oklch(25.5% .03 264); --accent: oklch(77% .12 264); --deep: oklch(86% .08 264);
    --on-accent: oklch(20% .04 var(--hue)); --bad: oklch(79% .11 24); --bad-tint: oklch(27% .04 24);
    --good: oklch(81% .1 152); --good-tint: oklch(27% .035 152); --warn: oklch(83% .1 80);
    --warn-tint: oklch(28% .04 75); --shadow: none;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem; }
body {
  margin: 0; min-height: 100dvh; display: flex; flex-direction: column; color: var(--ink);
  background: var(--ground); font: 1rem/1.6 var(--sans); overflow-wrap: anywhere;
}
.masthead, main, .imprint { width: 100%; max-width: 46rem; margin: 0 auto; padding: 0 1.125rem; }
.masthead { display: flex; align-items: center; gap: .875rem; padding-block: 1.25rem; }
.masthead p { margin: 0; line-height: 1.3; }
.masthead b { display: block; font-weight: 650; }
.masthead p span { color: var(--soft); font-size: .9375rem; }
.crest {
  flex: none; width: 2.5rem; height: 2.5rem; border-radius: .625rem; display: grid; place-items: center; user-select: none;
  background: var(--accent); color: var(--on-accent); font: 600 1.125rem/1 var(--sans);
}
main { flex: 1; padding-block: .75rem 3rem; }
main:first-child { padding-top: min(6vw, 4rem); }
.imprint { color: var(--soft); font-size: .875rem; padding-block: 1.25rem 1.75rem; }
.imprint p { margin: 0; border-top: 1px solid var(--line); padding-top: 1.25rem; }
h1, h2, h3, legend { text-wrap: balance; }
h1 { font: 650 clamp(1.5rem, 1.35rem + .8vw, 1.875rem)/1.22 var(--sans); letter-spacing: -.02em; margin: 0 0 .75rem; }
h2 { font: 600 1.125rem/1.4 var(--sans); letter-spacing: -.01em; margin: 2rem 0 .75rem; }
h3 { font-size: 1.0625rem; line-height: 1.35; margin: 1.5rem 0 .5rem; }
p { margin: 0 0 .875rem; text-wrap: pretty; }
.lead { font-size: 1.125rem; color: var(--soft); max-width: 38rem; }
a { color: var(--accent); text-underline-offset: .18em; text-decoration-thickness: from-font; }
a:hover { color: var(--deep); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
[tabindex="-1"]:focus { outline: none; }
.soft { color: var(--soft); font-weight: 400; }
.card, .note { background: var(--card); border: 1px solid var(--line); margin: 1.5rem 0; }
.card { border-radius: .75rem; padding: 1.375rem 1.25rem; box-shadow: var(--shadow); }
:is(.card, .note) > :first-child { margin-top: 0; }
:is(.card, .note) > :last-child { margin-bottom: 0; }
.note { padding: 1rem 1.25rem; border-left: .25rem solid var(--accent); border-radius: .625rem; }
.note h2 { font: 650 1.0625rem/1.4 var(--sans); margin: 0 0 .375rem; }
.note ul { margin: 0; padding-left: 1.25rem; }
.problem { border-color: var(--bad); background: var(--bad-tint); }
.problem a, .error { color: var(--bad); }
.done { border-color: var(--good); background: var(--good-tint); }
.mark {
  display: inline-block; font-weight: 700; font-size: .875rem; letter-spacing: .06em; color: var(--bad); border: 2px solid var(--bad);
  border-radius: .375rem; padding: .1rem .6rem; margin: 0 0 .875rem;
}
dl { display: grid; grid-template-columns: fit-content(40%) minmax(0, 1fr); gap: .5rem 1.25rem; margin: 0 0 1.125rem; }
dt { color: var(--soft); }
dd { margin: 0; }
.plain { list-style: none; padding: 0; margin: 0 0 1rem; }
.plain li { padding: .625rem 0; border-bottom: 1px solid var(--line); }
.plain li:last-child { border-bottom: 0; }
fieldset { border: 0; padding: 0; margin: 0 0 1.375rem; min-width: 0; }
legend { font-weight: 650; padding: 0; margin-bottom: .5rem; }
label { font-weight: 600; }
.choice { display: flex; gap: .75rem; align-items: flex-start; padding: .5rem 0; }
.choice label { font-weight: 400; flex: 1; }
.choice input { width: 1.5rem; height: 1.5rem; margin: .05rem 0 0; flex: none; }
.field { margin: 0 0 1.375rem; }
.field > label { display: block; }
.hint { color: var(--soft); font-size: .9375rem; line-height: 1.45; margin: .125rem 0 0; }
.error { font-weight: 600; margin: .125rem 0 0; }
:is(.choice, .error) + :is(.field, .group, button) { margin-top: 1.25rem; }
input:not([type=checkbox], [type=radio], [type=file]), textarea, select {
  width: 100%; min-height: 3rem; font: inherit; color: inherit; background: var(--card); border: 1px solid var(--edge);
  border-radius: .5rem; padding: .625rem .8125rem; margin-top: .4375rem;
}
textarea { display: block; resize: vertical; line-height: 1.5; }
input[type=file] { display: block; width: 100%; min-height: 2.75rem; font: inherit; padding: .6rem 0; margin-bottom: .5rem; }
[aria-invalid=true] { border: 2px solid var(--bad) !important; }
button, .button {
  display: inline-block; font: 600 1rem/1.35 var(--sans); min-height: 2.75rem; padding: .6875rem 1.25rem; text-align: center;
  border-radius: .5rem; border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent);
  cursor: pointer; text-decoration: none;
}
button:hover, .button:hover { background: var(--deep); border-color: var(--deep); color: var(--on-accent); }
.quiet { background: transparent; color: var(--accent); border-color: var(--edge); }
.quiet:hover { background: var(--tint); color: var(--deep); }
.grave { background: transparent; color: var(--bad); border-color: var(--bad); }
.grave:hover, .badge.bad { background: var(--bad-tint); color: var(--bad); }
summary { cursor: pointer; min-height: 2.75rem; padding: .5rem 0; font-weight: 600; }
[hidden] { display: none !important; }
.away { position: absolute; left: -100vw; width: 1px; height: 1px; overflow: hidden; }
@media (max-width: 30rem) { form > :is(button, .button):not(.quiet) { width: 100%; } }
@media (min-width: 40rem) {
  .masthead { padding-block: 1.75rem; }
  .card { padding: 2rem 2.25rem; }
  .note { padding: 1.125rem 1.5rem; }
}
@media (prefers-reduced-motion: no-preference) { button, .button, a { transition: background-color .12s, border-color .12s, color .12s;
  } }
@media print { body { background: none; } .card { box-shadow: none; } .imprint { display: none; } }
.skip { position: absolute; left: -100vw; z-index: 2; background: var(--card); padding: .75rem 1rem; }
.skip:focus { left: .5rem; top: .5rem; }
.console { background: var(--card); font-size: 1rem; line-height: 1.5; font-variant-numeric: tabular-nums;
  main { max-width: 74rem; margin: 0; padding: 1.5rem 1.125rem 4rem; min-width: 0; container-type: inline-size; }
  h1 { font: 650 1.5rem/1.25 var(--sans); letter-spacing: -.02em; margin: 0; }
  h2 { font: 600 1.0625rem/1.4 var(--sans); letter-spacing: -.01em; margin: 2.25rem 0 .75rem; }
  button, .button { font-weight: 550; font-size: .9375rem; min-height: 2.75rem; padding: .625rem 1rem; border-radius: .5rem; }
  :is(input, select, textarea):not([type=checkbox], [type=radio]) { min-height: 2.75rem; padding: .5rem .75rem; border-radius: .5rem;
    margin-top: .25rem; }
  .card, .note { border-radius: .625rem; box-shadow: none; margin: 0 0 1.5rem; padding: 1rem 1.25rem; }
  table { width: 100%; border-collapse: collapse; }
  th, td { text-align: left; font-weight: 400; vertical-align: top; padding: .6875rem .75rem; border-bottom: 1px solid var(--line);
    min-width: 6.75rem; }
  .num { min-width: 5.5rem; }
  thead th { font-size: .8125rem; font-weight: 600; color: var(--soft); padding-top: 0; }
  tbody th { font-weight: 600; }
  th a:hover { text-decoration: underline; }
  .num { text-align: right; }
  thead th, .num, time, .one { white-space: nowrap; }
  @container (max-width: 50rem) {
    thead { position: absolute; left: -100vw; }
    table, tbody, tr, th, td { display: block; border: 0; padding: .1875rem 0; min-width: 0; }
    tr { border: 1px solid var(--line); border-radius: .625rem; padding: .75rem 1rem; margin-bottom: .75rem; }
    td { display: flow-root; padding-left: 6.75rem; }
    td:empty { display: none; }
    td::before { content: attr(data-label); color: var(--soft); float: left; width: 6.25rem; margin-left: -6.75rem; overflow-wrap: break-word; }
    .num { text-align: left; }
    time { white-space: normal; }
  }
}
.side { background: var(--ground); border-bottom: 1px solid var(--line); padding: .5rem 1.125rem; }
.brand, .side li a { display: flex; align-items: center; gap: .625rem; min-height: 2.75rem; color: var(--ink); }
.brand, .side li a, .switch a, .tabs a, .console th a, .crumbs a, .hits a { text-decoration: none; }
.side .crest { width: 1.75rem; height: 1.75rem; border-radius: .5rem; font-size: .9375rem; }
.side h2 { font: 600 .75rem/1.4 var(--sans); color: var(--soft); letter-spacing: .01em; margin: 1.125rem 0 .25rem; padding: 0 .625rem; }
.side ul { list-style: none; margin: 0; padding: 0; }
.side li a { padding: 0 .625rem; border-radius: .4375rem; }
.side li a:hover, .side li [aria-current] { background: var(--tint); }
.side li a[aria-current] { color: var(--deep); font-weight: 600; }
.who { border-top: 1px solid var(--line); margin-top: 1rem; padding: 1rem .625rem .5rem; }
@media (scripting: enabled) { time span { display: none; } }
.strip { margin: -1.5rem -1.125rem 1.25rem; padding: .25rem 1.125rem; font-weight: 650; font-size: .875rem; color: var(--warn);
  background: repeating-linear-gradient(-45deg, var(--warn-tint) 0 .75rem, var(--card) .75rem 1.5rem);
  border-bottom: 1px solid var(--warn); }
.top { display: flex; flex-wrap: wrap; gap: 1rem; justify-content: space-between; align-items: start; margin-bottom: 1.5rem; }
.top > :first-child { flex: 1 1 20rem; }
.top p { margin: .25rem 0 0; max-width: 44rem; }
.row { display: flex; flex-wrap: wrap; gap: .625rem; align-items: center; }
.end { justify-content: end; margin-bottom: .75rem; }
.paging { margin-top: 1.25rem; }
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
.chosen { display: none; }
form:has([value=choose]:checked) .chosen { display: block; }
.narrow { max-width: 36rem; }
.badge { display: inline-block; padding: .0625rem .5rem; border-radius: .375rem; font-size: .8125rem; font-weight: 600;
  background: var(--tint); color: var(--ink); white-space: nowrap; }
.badge.good { background: var(--good-tint); color: var(--good); }
.badge.warn { background: var(--warn-tint); color: var(--warn); }
.empty { border: 1px dashed var(--edge); border-radius: .625rem; padding: 2.5rem 1.25rem; text-align: center; }
.empty h2 { margin: 0 0 .25rem; }
.empty p { max-width: 34rem; margin: 0 auto .875rem; }
.letter { white-space: pre-wrap; }
.code b { font-weight: 400; color: var(--accent); }
code, pre, .mono { font-family: var(--mono); font-size: .875em; }
.code { margin: 0 0 1.25rem; }
.code pre { margin: 0; padding: .875rem 1rem; overflow-x: auto; background: var(--ground);
  border: 1px solid var(--line); border-radius: .5rem; font-variant-ligatures: none; line-height: 1.6; }
.code button { margin-top: .5rem; }
.copy { display: flex; gap: .5rem; align-items: end; }
.copy button { flex: none; }
progress { width: 100%; height: .75rem; }
.group { margin: 0 0 1rem; }
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
  .side li a { min-height: 1.875rem; }
}
`,
);
