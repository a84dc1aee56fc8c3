import { tableStyle } from '../rendering/content/table-style.js';

/** The style of public pages that show a document, a signature or an upload. A document stays light in dark mode. */
export const DOCUMENT_STYLE = `
.upload { border-bottom: 1px solid var(--line); padding-bottom: 1.5rem; margin-bottom: 1.5rem; }
canvas {
  display: block; width: 100%; height: 10rem; background: #fff; border: 1px solid var(--edge); border-radius: .625rem;
  touch-action: none; margin: .25rem 0 .625rem;
}
.paper {
  color-scheme: light; background: #fff; color: #1a1a1a; border: 1px solid var(--line); border-radius: .375rem;
  box-shadow: var(--shadow); padding: 1.5rem 1.25rem; margin: 1.5rem 0; font: 1rem/1.65 Georgia, "DejaVu Serif", serif;
}
.paper header {
  font: .8125rem/1.5 var(--sans); color: #4d4d4d; border-bottom: 1px solid #8c8c8c; padding-bottom: .5rem; margin-bottom: 1.5rem;
}
.paper h1, .paper h2, .paper h3, .paper h4, .paper h5, .paper h6 { font-family: inherit; line-height: 1.3; margin: 1.5rem 0 .5rem; }
.paper h1 { font-size: 1.5rem; letter-spacing: 0; margin-top: 0; }
.paper a { color: #0b4f9e; }
.paper blockquote { margin: 1rem 0; padding-left: 1rem; border-left: 3px solid #8c8c8c; }
${tableStyle('.paper')}.paper .mark { color: #9b1c1c; border-color: #9b1c1c; font-family: var(--sans); }
@media (min-width: 40rem) { .paper { padding: 2.5rem 3rem; } }
@media print { .card, .note, .masthead { display: none; } .paper { border: 0; padding: 0; box-shadow: none; } }
`;
