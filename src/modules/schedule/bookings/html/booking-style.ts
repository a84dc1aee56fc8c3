import { stylesheet } from '../../../../kit/index.js';

/** The style of booking pages beside the common one. */
export const BOOKING_STYLE = stylesheet(
  'booking',
  `.step { color: var(--soft); font-size: .9375rem; margin: 0 0 .5rem; }
.facts { display: flex; flex-wrap: wrap; gap: .5rem; list-style: none; margin: 0 0 1.5rem; padding: 0; }
.facts li {
  background: var(--card); border: 1px solid var(--line); border-radius: 2rem; padding: .3rem .875rem; font-size: .9375rem;
}
.settings { display: grid; gap: 1rem; align-items: end; }
.settings .field { margin: 0; }
.settings .more { font-size: .9375rem; margin: 0; }
.period {
  display: flex; flex-wrap: wrap; gap: .75rem 1.25rem; align-items: baseline; justify-content: space-between; margin: 2.25rem 0 1rem;
}
.period h2 { margin: 0; }
.steps { display: flex; flex-wrap: wrap; gap: .75rem; margin: 0; }
.steps .button { min-height: 2.75rem; padding: .5625rem 1.125rem; font-size: 1rem; }
.days { padding-top: .25rem; padding-bottom: .25rem; }
.days > div { display: grid; border-bottom: 1px solid var(--line); }
.days > div:last-child { border-bottom: 0; }
.days :is(h3, details) { grid-area: 1 / 1; min-width: 0; }
.days h3 { margin: .65rem 5rem .65rem 1.0625rem; }
.days h3 i { font-size: 0; }
.days span { color: var(--soft); font-weight: 400; white-space: nowrap; margin-left: auto; }
.days [open] { padding-bottom: 1.125rem; }
.times {
  display: grid; grid-template-columns: repeat(auto-fill, minmax(5.25rem, 1fr)); gap: .5rem; list-style: none; margin: 0; padding: 0;
}
.times button {
  width: 100%; min-height: 2.75rem; padding: .375rem .25rem; background: var(--tint); color: var(--deep); border-color: transparent;
  font-variant-numeric: tabular-nums; border-radius: .625rem;
}
.times button:hover { background: var(--accent); color: var(--on-accent); }
.times i { display: block; font: 400 .8125rem/1.4 var(--sans); opacity: .85; }
.times i::after { content: " host"; }
.when { font: 600 1.3125rem/1.35 var(--sans); margin: 0 0 .375rem; }
.was { text-decoration: line-through; color: var(--soft); font-weight: 400; }
.summary { border-left: .3125rem solid var(--accent); }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin: 0; }
@media (max-width: 24rem) { .days h3 { font-size: 1rem; margin-right: 4.25rem; } }
/* the longest names of days take two lines */
@media (max-width: 22.4rem) { .days summary { min-height: 4rem; } }
@media (min-width: 40rem) {
  .settings { display: flex; flex-wrap: wrap; }
  .settings .field { flex: 1 1 11rem; }
  .settings .more { flex-basis: 100%; }
}
`,
);
