import { stylesheet } from './stylesheets.js';
import { TYPEFACE_RULES } from './typefaces.js';

/** The accent of pages and mails where an organization has set no color: lightness, chroma and hue (OKLCH), on white and on black. */
export const SUITE_ACCENT = { onLight: [0.48, 0.19, 264], onDark: [0.77, 0.12, 264] } as const;

/**
 * The style of every page: typefaces, neutral colors, sizes. Accents are the suite's, or made of an organization's color, of which only the
 * hue and chroma count. So the contrast is the same for all: at least 4.5:1 for text and 3:1 for the borders of controls, in both modes.
 */
export const PAGE_STYLE = stylesheet(
  'page',
  `${TYPEFACE_RULES}
:root {
  color-scheme: light dark; accent-color: var(--accent); --hue: ${SUITE_ACCENT.onLight[2]};
  --ground: oklch(98.3% .003 264); --card: #fff; --ink: oklch(21% .018 264); --soft: oklch(46% .018 264);
  --line: oklch(91.5% .007 264); --edge: oklch(60% .015 264); --tint: oklch(96% .014 264);
  --accent: oklch(${SUITE_ACCENT.onLight.join(' ')}); --deep: oklch(40% .17 264); --on-accent: #fff;
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
    --tint: oklch(25.5% .03 264); --accent: oklch(${SUITE_ACCENT.onDark.join(' ')}); --deep: oklch(86% .08 264);
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
.problem { border-color: color-mix(in oklch, var(--bad) 35%, var(--bad-tint)); border-left-color: var(--bad);
  background: var(--bad-tint); }
.problem a, .error { color: var(--bad); }
.done { border-color: color-mix(in oklch, var(--good) 35%, var(--good-tint)); border-left-color: var(--good);
  background: var(--good-tint); }
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
:where(body:not(.docs)) main :where(details:not(.fold)) > summary { display: flex; align-items: center; gap: .625rem; list-style: none; }
:where(body:not(.docs)) main :where(details:not(.fold)) > summary::-webkit-details-marker { display: none; }
:where(body:not(.docs)) main :where(details:not(.fold)) > summary::before { content: ""; flex: none; width: .4375rem;
  height: .4375rem; border: solid var(--soft); border-width: 0 2px 2px 0; transform: rotate(-45deg); }
details[open] > summary::before { transform: rotate(45deg); }
[dir=rtl] details:not([open]) > summary::before { transform: rotate(135deg); }
details.card { padding-block: .5rem !important; }
details.card[open] { padding-bottom: 1.375rem !important; }
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
@media (scripting: enabled) { time span { display: none; } }
.row { display: flex; flex-wrap: wrap; gap: .625rem; align-items: center; }
code, pre, .mono { font-family: var(--mono); font-size: .875em; }
`,
);
