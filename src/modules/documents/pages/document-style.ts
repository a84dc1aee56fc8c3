import { stylesheet } from '../../../kit/index.js';
import { blockStyle } from '../engine/content/block-tokens.js';
import { tableStyle } from '../engine/content/table-style.js';

/** Rows of tables that phones show as cards. See rendered-document.ts. */
const FOLD_STYLE = `
.fold { display: none; }
@media screen and (max-width: 48rem) {
  .paper .wide:has(> .fold) { display: flex; flex-direction: column; }
  .paper .wide > .fold { display: block; order: 1; margin: -.375rem 0 1.25rem; }
  .fold summary { list-style: none; text-align: center; border: 1px solid #767676; border-radius: .625rem;
    font: 600 .9375rem/1.5 var(--sans); padding: .625rem 1rem; }
  .fold summary::-webkit-details-marker, .fold[open] span:first-child, .fold:not([open]) span:last-child { display: none; }
  .wide > .fold:not([open]) + table tbody tr:nth-child(n + 6) { display: none; }
  .fold summary, .wide > .fold + table tbody::after { unicode-bidi: plaintext; }
  .wide > .fold:not([open]) + table tbody::after { content: "⋮ " attr(data-more); display: block; text-align: center; padding: 0 0 .75rem;
    font: 500 .8125rem/1.6 var(--sans); color: #4d4d4d; }
}
`;

/**
 * The style of public pages that show a document, a signature or an upload. Sizes are those of one scale (1.2); a document stays light
 * in dark mode.
 */
export const DOCUMENT_STYLE = stylesheet(
  'documents',
  `
:root { --s: .8125rem; --m: .9375rem; --l: 1.0625rem; --xl: 1.3125rem; --xxl: clamp(1.625rem, 1.3rem + 1.5vw, 2.25rem); }
body { border-top: .25rem solid var(--brand, var(--accent)); }
.masthead, main, .imprint { max-width: 50rem; }
h1 { font-size: var(--xxl); line-height: 1.18; margin-bottom: 1rem; }
h2 { font-size: var(--xl); }
.steps { list-style: none; display: flex; gap: .5rem; margin: 0 0 1.5rem; padding: 0;
  font-size: var(--s); font-weight: 600; counter-reset: step; }
.steps li { flex: 1 1 auto; counter-increment: step; color: var(--soft); border-top: .1875rem solid var(--line); padding-top: .5rem; }
.steps span::before { content: counter(step); margin-inline-end: .5em; font-variant-numeric: tabular-nums; }
.steps .over { border-color: var(--accent); color: var(--ink); }
.steps .over span::before { content: "\\2713"; }
.steps [aria-current] { border-color: var(--accent); color: var(--accent); }
.facts { display: flex; flex-wrap: wrap; gap: .25rem 2rem; margin: 0 0 1.25rem; font-size: var(--m); }
.facts > div { display: flex; gap: 0 .5rem; }
.facts dt { flex: none; }
@media (max-width: 39.99rem) {
  .facts > div { display: grid; grid-template-columns: 7rem minmax(0, 1fr); width: 100%; }
}
.masthead .logo { max-width: min(11rem, 38vw); }
.about { border-top: 1px solid var(--line); padding-top: 1.25rem; margin: 0 0 1.5rem; }
.about h2 { font: 650 var(--m)/1.4 var(--sans); margin: 0 0 .25rem; }
.about > :last-child { margin-bottom: 0; }
.people { list-style: none; margin: 0 0 1rem; padding: 0; font-size: var(--m); }
.people li { display: flex; gap: .75rem; padding: .5rem 0; border-bottom: 1px solid var(--line); align-items: baseline; }
.people li:last-child { border-bottom: 0; }
.people li::before { content: ""; flex: none; width: .6875rem; height: .6875rem; border-radius: 50%; border: 2px solid var(--edge); }
.people .yes::before { border-color: var(--good); background: var(--good); }
.people .no::before { border-color: var(--bad); background: var(--bad); }
.people b { font-weight: 600; }
.people p { margin: .25rem 0 0; }
.shows { font-size: var(--l); margin: 0 0 1rem; }
.upload { border-bottom: 1px solid var(--line); padding-bottom: 1.5rem; margin-bottom: 1.5rem; }
::file-selector-button { font: 600 1rem/1.35 var(--sans); min-height: 2.75rem; padding: .5rem 1.125rem; margin-inline-end: .875rem;
  border: 1px solid var(--edge); border-radius: .625rem; background: transparent; color: var(--accent); cursor: pointer; }
:is(fieldset, [role=radiogroup])[aria-invalid=true] { border-width: 0 0 0 .25rem !important; padding-inline-start: .875rem; }
.rows { margin: 0 0 1.75rem; }
.rows [aria-live] { margin: .5rem 0 0; }
.entry { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 13rem), 1fr)); gap: 0 1.25rem; align-items: end;
  border: 1px solid var(--line); border-radius: .75rem; padding: 1rem; margin: 0 0 1rem; }
.entry legend { float: inline-start; grid-column: 1 / -1; margin-bottom: .75rem; }
.entry .field { margin-bottom: 1rem; }
.entry .field:has(textarea), .entry > button { grid-column: 1 / -1; }
.entry > button { justify-self: start; }
canvas {
  display: block; width: 100%; height: 10rem; background: #fff; border: 1px solid var(--edge); border-radius: .625rem;
  touch-action: none; margin: .25rem 0 .625rem;
}
.reading { margin: 1.5rem 0; }
.paper {
  color-scheme: light; background: #fff; color: #1a1a1a; border: 1px solid var(--line); border-radius: .5rem;
  box-shadow: var(--shadow); padding: 1.75rem 1.25rem; margin: 0; font: 1.0625rem/1.65 var(--sans);
}
.paper header {
  font: var(--s)/1.5 var(--sans); color: #4d4d4d; border-bottom: 1px solid #c9c9c9; padding-bottom: .625rem; margin-bottom: 1.75rem;
}
.paper :is(h1, h2, h3, h4, h5, h6) { font-family: inherit; line-height: 1.3; margin: 1.75rem 0 .5rem; }
.paper h1 { font-size: 1.625rem; letter-spacing: -.005em; margin-top: 0; }
.paper h2 { font-size: 1.1875rem; }
.paper :is(h3, h4, h5, h6) { font-size: 1.0625rem; }
.paper :is(ol, ul) { padding-inline-start: 1.5rem; }
.paper li { padding-inline-start: .25rem; margin-bottom: .25rem; }
.paper a { color: #0b4f9e; }
.paper blockquote { margin: 1rem 0; padding-inline-start: 1rem; border-inline-start: 3px solid #8c8c8c; }
${tableStyle('.paper')}.paper[dir=rtl] td:not(.right) { unicode-bidi: plaintext; text-align: right; }
${FOLD_STYLE}${blockStyle('.paper')}.paper .mark { color: #9b1c1c; border-color: #9b1c1c; font-family: var(--sans); }
.views { display: inline-flex; gap: .25rem; margin: 0 0 1rem; padding: .25rem; border: 1px solid var(--line); border-radius: .75rem;
  background: var(--card); font-size: var(--m); }
.views span { position: relative; }
.views input { position: absolute; inset: 0; opacity: 0; margin: 0; width: 100%; height: 100%; cursor: pointer; }
.views label { display: block; margin: 0; padding: .375rem 1rem; border-radius: .5rem; font-weight: 600; color: var(--soft); }
.views input:checked + label { background: var(--tint); color: var(--accent); }
.views input:focus-visible + label { outline: 2px solid var(--accent); outline-offset: 1px; }
.reading:has(#view_pages:checked) .paper, .reading:has(#view_text:checked) .sheets { display: none; }
.go { position: sticky; top: .5rem; z-index: 2; float: inline-end; display: flex; align-items: center; gap: .5rem; margin: 0 0 .5rem;
  padding: .25rem .25rem .25rem .75rem; border: 1px solid var(--line); border-radius: .75rem; background: var(--card);
  font-size: var(--m); font-variant-numeric: tabular-nums; }
.reading:has(#view_text:checked) .go { display: none; }
.go label { white-space: nowrap; }
.go select { width: auto; min-height: 2.5rem; margin: 0; padding: .25rem .5rem; border-color: transparent; }
.sheets { clear: both; }
.sheets figure { scroll-margin-top: 4rem; }
.sheets, .sheets section { display: grid; gap: 1.25rem; }
.sheets section > h2 { margin: 1rem 0 0; overflow-wrap: anywhere; scroll-margin-top: 1rem; }
.sheets section > h2 .soft { display: block; font: 600 var(--s)/1.6 var(--sans); }
.files { border: 1px solid var(--line); border-radius: .75rem; background: var(--card); padding: .25rem 1rem; font-size: var(--m); }
.files ol { margin: 0; padding: 0; list-style: none; counter-reset: file; }
.files li { display: flex; gap: .75rem; align-items: baseline; padding: .5rem 0; border-bottom: 1px solid var(--line);
  counter-increment: file; }
.files li:last-child { border-bottom: 0; }
.files li::before { content: counter(file); color: var(--soft); font-variant-numeric: tabular-nums; }
.files a { flex: 1 1 auto; overflow-wrap: anywhere; }
.files .soft, .files li > a:last-child { flex: none; }
.sheets figure { margin: 0; outline-offset: .25rem; }
.sheet { position: relative; background: #fff; }
.sheet img { display: block; width: 100%; height: auto; border: 1px solid var(--line); border-radius: .25rem;
  box-shadow: var(--shadow); }
.layer { position: absolute; inset: 0; overflow: hidden; content-visibility: auto; }
.layer svg { display: block; width: 100%; height: 100%; font-family: sans-serif; }
.layer text { fill: transparent; cursor: text; }
.layer ::selection { fill: transparent; background: oklch(72% .12 var(--hue) / .45); }
.mark_place { position: absolute; z-index: 1; display: flex; align-items: center; justify-content: center; container-type: size; }
.mark_place a { position: absolute; min-width: 100%; min-height: max(100%, 1.5rem); display: flex; align-items: center;
  padding: 0 .25rem; border: 2px solid var(--accent); border-radius: .25rem; background: oklch(95% .05 95 / .9);
  color: #1a1a1a; text-decoration: none;
  font: 600 clamp(.6875rem, 70cqh, 1rem)/1.1 var(--sans);
  white-space: nowrap; overflow: hidden; box-sizing: border-box; max-width: 100cqw; }
.mark_place a.filled { background: oklch(97% .03 150 / .92); border-color: var(--good); white-space: pre; }
.mark_place a:is([data-kind=checkbox], [data-option]) { min-width: max(100%, 1.5rem); max-width: none; justify-content: center;
  padding: 0; }
.prompt { font-weight: 600; margin: 0 0 .25rem; }
.sample { display: block; font: italic 1.25rem/1.2 Georgia, serif; overflow: hidden; white-space: nowrap; text-overflow: ellipsis; }
.adopt .field:last-of-type { margin-bottom: 0; }
.faces { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 12rem), 1fr)); gap: 0 1rem; margin-top: .5rem; }
.preview { height: auto; max-height: 10rem; width: auto; max-width: 100%; }
.mark_place canvas { width: auto; height: auto; max-width: 100%; max-height: 100cqh; margin: 0; border: 0; border-radius: 0;
  background: none; }
.placed [readonly] { background: var(--tint); }
.fill h2 { margin-top: 0; }
.mark_place a.by_name { font-family: Georgia, serif; font-style: italic; }
.fill { width: min(26rem, calc(100vw - 2rem)); border: 1px solid var(--line); border-radius: 1rem; padding: 1.25rem;
  background: var(--card); color: var(--ink); box-shadow: var(--shadow); }
.fill::backdrop { background: oklch(20% .02 var(--hue) / .35); }
.fill .row { display: flex; flex-direction: row-reverse; gap: .75rem; margin-top: 1rem; }
.sheets figcaption { height: 1.75rem; font-size: var(--s); line-height: 2.25; text-align: center; color: var(--soft);
  font-variant-numeric: tabular-nums; }
.bar {
  position: sticky; bottom: 0; z-index: 1; margin: 0 -1.125rem; padding: .75rem 1.125rem max(.75rem, env(safe-area-inset-bottom));
  background: var(--card); border-top: 1px solid var(--line); box-shadow: 0 -8px 24px -16px oklch(23% .02 var(--hue) / .35);
}
.bar { display: flex; align-items: center; gap: .625rem; }
.bar > :is(.button, button) { flex: 1 1 auto; padding-inline: .75rem; }
.bar .soft { display: none; }
.bar:has(#progress:not(:empty)) { flex-wrap: wrap; }
.bar #progress:not(:empty) { display: block; flex: 1 0 100%; order: -1; font-size: var(--s); line-height: 1.3; }
.bar .line { position: absolute; left: 0; right: 0; top: -2px; height: 3px; transform-origin: 0 0;
  transform: scaleX(var(--read, 0)); background: var(--accent); }
:dir(rtl) .bar .line { transform-origin: 100% 0; }
.choices { display: grid; gap: .625rem; }
.choices .choice { border: 1px solid var(--edge); border-radius: .75rem; padding: .75rem .875rem; }
.choices .choice:has(:checked) { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); background: var(--tint); }
.choices .hint { margin: 0; }
.choices label { font-weight: 600; }
.said { white-space: pre-line; }
.drop { border: 2px dashed var(--edge); border-radius: .75rem; margin-top: .4375rem; }
input[type=file].drop { padding: 2rem 1rem; }
.drop.over { border-color: var(--accent); background: var(--tint); }
.gone > p:first-child { font-weight: 600; }
@media (scripting: enabled) { .unscripted { display: none; } }
html { scroll-behavior: smooth; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
@media (min-width: 40rem) {
  .paper { padding: 3.5rem 4.25rem; }
  .bar { margin: 0; border: 1px solid var(--line); border-radius: .75rem .75rem 0 0; padding-inline: 1.25rem; }
  .bar { gap: 1.5rem; }
  .bar .soft { display: block; flex: 1 1 auto; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-size: var(--m); }
  .bar:has(#progress:not(:empty)) { flex-wrap: nowrap; }
  .bar #progress:not(:empty) { flex: none; order: 0; font-size: var(--m); }
  .bar > :is(.button, button) { flex: none; padding-inline: 1.25rem; }
  .steps { font-size: var(--m); }
}
@media (min-width: 60rem) { .paper { padding: 4.5rem 6rem; } }
@media print {
  .card, .note, .masthead, .bar, .steps, .about { display: none; }
  .paper { border: 0; padding: 0; box-shadow: none; }
  .views, .go, .layer, .mark_place, .sheets figcaption, body:has(#view_pages:checked) h1, .fold { display: none; }
  body { border: 0; }
  main, .reading { padding: 0; margin: 0; max-width: none; }
  .sheets { display: block; }
  .sheets figure:not(:last-child) { break-after: page; }
  .sheet img { border: 0; box-shadow: none; max-height: 98vh; object-fit: contain; }
}
`,
);
