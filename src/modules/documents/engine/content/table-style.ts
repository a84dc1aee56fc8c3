/**
 * The style of a document's tables inside `scope`, on every page that shows a document. Nothing is cut off: words and
 * numbers stay whole, and a table that is too wide for the screen becomes a list of names and values (see table-labels.ts), in which
 * only a word that is longer than a line is broken.
 */
export function tableStyle(scope: string): string {
  return `
${scope} .wide { overflow-x: auto; }
${scope} table { border-collapse: collapse; width: 100%; margin: 1rem 0; font-size: .9375rem; }
${scope} th, ${scope} td {
  text-align: left; vertical-align: top; padding: .4rem .6rem; border-bottom: 1px solid #bfbfbf; overflow-wrap: break-word;
}
${scope} th { border-bottom: 2px solid #4d4d4d; }
${scope} tfoot td { border-top: 2px solid #4d4d4d; }
${scope} :is(th, td):only-child { overflow-wrap: anywhere; }
${scope} td.right { white-space: nowrap; }
${scope} .right { text-align: right; font-variant-numeric: lining-nums tabular-nums; }
${scope} .center { text-align: center; }
@media (max-width: 48rem) {
${stacked(`${scope} table.some`)}}
@media screen {
${stacked(`${scope} table.many`)}}
@media screen and (max-width: 30rem) {
  ${scope} :is(table.some, table.many) :is(td, td.right, td.center) { display: block; }
  ${scope} :is(table.some, table.many) td::before { display: block; }
}
`;
}

function stacked(table: string): string {
  return `
  ${table}, ${table} tbody, ${table} tfoot, ${table} tr, ${table} td { display: block; }
  ${table} thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  ${table} tr { border-bottom: 1px solid #bfbfbf; padding: .4rem 0; }
  ${table} :is(tbody:first-of-type tr:first-child, tfoot tr) { border-top: 2px solid #4d4d4d; }
  ${table} td, ${table} td.right, ${table} td.center {
    display: grid; grid-template-columns: minmax(min-content, 30%) minmax(0, 1fr); gap: .5rem; text-align: left; white-space: normal;
    border: 0; padding: .15rem 0; overflow-wrap: anywhere;
  }
  ${table} td::before {
    content: attr(data-label); overflow-wrap: break-word; font: 500 .8125rem/1.6 var(--sans, system-ui), sans-serif; color: #4d4d4d;
  }
  ${table} tfoot td:empty { display: none; }
`;
}
