/**
 * The style of a document's tables inside `scope`, on every page that shows a document. Nothing is cut off: words and
 * numbers stay whole, and the rows of a table that is too wide for the screen become cards with names and values (see table-labels.ts), in
 * which only a word that is longer than a line is broken.
 */
export function tableStyle(scope: string): string {
  return `
${scope} .wide { overflow-x: auto; }
${scope} table { border-collapse: collapse; width: 100%; margin: 1rem 0; font-size: .9375rem; }
${scope} th, ${scope} td {
  text-align: start; vertical-align: top; padding: .4rem .6rem; border-bottom: 1px solid #bfbfbf; overflow-wrap: break-word;
}
${scope} th { border-bottom: 2px solid #4d4d4d; }
${scope} tfoot td { border-top: 2px solid #4d4d4d; }
${scope} :is(th, td):only-child { overflow-wrap: anywhere; }
${scope} td.right { white-space: nowrap; }
${scope} .right { text-align: end; font-variant-numeric: lining-nums tabular-nums; }
${scope} .center { text-align: center; }
@media screen and (max-width: 48rem) {
${cards(`${scope} table.some`)}}
@media screen {
${cards(`${scope} table.many`)}}
`;
}

/**
 * Cells are floated around their names, as a cell may contain several elements and texts. The first cell that is no number is the
 * heading of its card. A table without names, which only arranges what it has, has lines in place of cards.
 */
function cards(table: string): string {
  return `
  ${table}, ${table} tbody, ${table} tfoot, ${table} tr, ${table} td { display: block; }
  ${table} thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  ${table} tr { border: 1px solid #c9c9c9; border-radius: .625rem; padding: .5rem .875rem; margin: 0 0 .625rem; }
  ${table} td, ${table} td.right, ${table} td.center {
    display: flow-root; border: 0; padding-block: .1875rem; padding-inline: 7.75rem 0;
    text-align: start; white-space: normal; overflow-wrap: anywhere; hyphens: auto;
  }
  ${table} td.right { padding-inline: 0; text-align: end; hyphens: none; }
  ${table} td::before {
    content: attr(data-label); float: inline-start; overflow-wrap: break-word;
    font: 500 .8125rem/1.8 var(--sans, system-ui), sans-serif; color: #4d4d4d;
  }
  ${table} td:not(.right)::before { width: 7rem; margin-inline-start: -7.75rem; }
  ${table} td.right::before { max-width: 60%; margin-inline-end: .75rem; text-align: start; }
  @media (min-width: 40rem) {
    ${table} td, ${table} td.right, ${table} td.center { padding-inline-start: 12.75rem; text-align: start; }
    ${table} td::before, ${table} td:is(.right, :not(.right))::before { width: 12rem; max-width: none; margin-inline: -12.75rem .75rem; }
  }
  ${table} :nth-child(1 of td:not(.right)), ${table} tfoot td:first-child { padding-inline: 0; font-weight: 600; }
  ${table} :nth-child(1 of td:not(.right))::before, ${table} tfoot td:first-child::before, ${table} tfoot td:empty { display: none; }
  ${table} tfoot td:first-child { text-align: start; }
  ${table} .pad { display: none; }
  ${table} tfoot tr { background: #f2f2f2; }
  ${table} tr:has(> [data-label=""]) { border-width: 0 0 1px; border-radius: 0; padding-inline: 0; margin: 0; }
  ${table} td[data-label=""] { padding-inline: 0; }
`;
}
