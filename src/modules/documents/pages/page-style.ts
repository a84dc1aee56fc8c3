import { tableStyle } from '../rendering/content/table-style.js';

/** The style of every public page. The contrast is at least 4.5:1 in light and dark mode; documents stay light in both. */
export const STYLE = `
:root {
  color-scheme: light dark; --ground: #f5f5f3; --card: #fff; --ink: #1a1a1a; --soft: #555; --line: #767676;
  --accent: #0b4f9e; --on-accent: #fff; --bad: #9b1c1c; --good: #1d5e2f;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #161616; --card: #222; --ink: #ececec; --soft: #b8b8b8; --line: #8c8c8c; --accent: #8ab8f0;
    --on-accent: #10233a; --bad: #ff9c94; --good: #8fd6a4;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 48rem; margin: 0 auto; padding: 1.25rem 1rem 4rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .25rem; }
h2 { font-size: 1.125rem; line-height: 1.3; margin: 1.25rem 0 .5rem; }
p { margin: 0 0 .75rem; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.soft { color: var(--soft); }
.card, .note { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: 1rem; margin: 1.25rem 0; }
.card > :first-child, .note > :first-child { margin-top: 0; }
.card > :last-child, .note > :last-child { margin-bottom: 0; }
.note ul { margin: 0; padding-left: 1.25rem; }
.problem { border: 2px solid var(--bad); }
.problem a, .error { color: var(--bad); }
.done { border: 2px solid var(--good); }
.mark {
  display: inline-block; font-weight: bold; letter-spacing: .08em; color: var(--bad); border: 2px solid var(--bad);
  padding: .1rem .6rem; margin: 0 0 .75rem;
}
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 0 0 .75rem; }
dt { color: var(--soft); }
dd { margin: 0; }
ol.plain, ul.plain { list-style: none; padding: 0; margin: 0 0 .75rem; }
ol.plain li, ul.plain li { padding: .4rem 0; border-bottom: 1px solid var(--line); }
ol.plain li:last-child, ul.plain li:last-child { border-bottom: 0; }
fieldset { border: 0; padding: 0; margin: 0 0 1rem; min-width: 0; }
legend { font-weight: 600; padding: 0; margin-bottom: .25rem; }
label { font-weight: 600; }
.choice { display: flex; gap: .6rem; align-items: flex-start; padding: .5rem 0; }
.choice label { font-weight: 400; flex: 1; }
.choice input { width: 1.5rem; height: 1.5rem; margin: 0; flex: none; accent-color: var(--accent); }
.field { margin: 0 0 1rem; }
.field > label { display: block; }
.hint { color: var(--soft); margin: 0; }
.error { font-weight: 600; margin: 0; }
.choice + .field, .error + .field, .choice + button, .error + button { margin-top: 1rem; }
input[type=text], input[type=email], input[type=tel], input[type=number],
input[type=date], input[type=password], textarea, select {
  width: 100%; font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line);
  border-radius: .375rem; padding: .6rem .7rem; margin-top: .25rem;
}
input[type=file] { display: block; width: 100%; min-height: 2.75rem; font: inherit; padding: .6rem 0; margin-bottom: .5rem; }
.upload { border-bottom: 1px solid var(--line); padding-bottom: 1.25rem; margin-bottom: 1.25rem; }
[aria-invalid=true] { border: 2px solid var(--bad) !important; }
button, .button {
  display: inline-block; font: inherit; font-weight: 600; min-height: 2.75rem; padding: .55rem 1.2rem;
  border-radius: .375rem; border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent);
  cursor: pointer; text-decoration: none;
}
button.quiet, .button.quiet { background: transparent; color: var(--accent); }
button.grave { background: transparent; color: var(--bad); border-color: var(--bad); }
summary { cursor: pointer; min-height: 2.75rem; padding: .5rem 0; font-weight: 600; }
canvas {
  display: block; width: 100%; height: 10rem; background: #fff; border: 1px solid var(--line); border-radius: .375rem;
  touch-action: none; margin: .25rem 0 .5rem;
}
[hidden] { display: none !important; }
.away { position: absolute; left: -100vw; width: 1px; height: 1px; overflow: hidden; }
.paper {
  color-scheme: light; background: #fff; color: #1a1a1a; border: 1px solid var(--line); border-radius: .5rem;
  padding: 1.25rem 1rem; margin: 1.25rem 0; font: 1rem/1.6 Georgia, "DejaVu Serif", serif;
}
.paper header {
  font: .8125rem/1.5 system-ui, sans-serif; color: #4d4d4d; border-bottom: 1px solid #8c8c8c; padding-bottom: .5rem;
  margin-bottom: 1.5rem;
}
.paper h1, .paper h2, .paper h3, .paper h4, .paper h5, .paper h6 { margin: 1.5rem 0 .5rem; }
.paper h1 { font-size: 1.5rem; margin-top: 0; }
.paper a { color: #0b4f9e; }
.paper blockquote { margin: 1rem 0; padding-left: 1rem; border-left: 3px solid #8c8c8c; }
${tableStyle('.paper')}.paper .mark { color: #9b1c1c; border-color: #9b1c1c; font-family: system-ui, sans-serif; }
@media (min-width: 40rem) { main { padding-top: 2rem; } .paper { padding: 2rem 2.5rem; } }
@media print { .card, .note { display: none; } .paper { border: 0; padding: 0; } }
`;
