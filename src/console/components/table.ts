import { html, type Html } from '../../kit/index.js';
import type { HtmlValue } from '../../kit/internal.js';

export interface Column<Row> {
  label: string;
  /** Numbers are aligned on the right. */
  isNumber?: boolean;
  /** A word that needs no label: on a narrow screen it ends the first line of the row. */
  isState?: boolean;
  cell: (row: Row) => HtmlValue;
}

export interface TableOptions<Row> {
  /** What the rows are, for screen readers. */
  caption: string;
  /** The first one names the row. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** For the list filter and the refresh of the script. */
  id?: string;
}

/**
 * Rows in columns; on a narrow screen each row is a card with the columns' labels. Rows and cells leave out their end tags, as HTML
 * allows: a list has hundreds of cells. Nothing may follow a cell within its row, or an empty one would not be `:empty`.
 */
export function table<Row>({ caption, columns, rows, id }: TableOptions<Row>): Html {
  const classOf = ({ isNumber, isState = false }: Column<Row>) => (isNumber ? html` class="num"` : isState && html` class="state"`);
  const head = columns.map((column) => html`<th scope="col"${classOf(column)}>${column.label}</th>`);
  const body = rows.map(
    (row) =>
      html`<tr${id !== undefined && html` data-row`}>
${columns.map((column, index) =>
  index === 0 ? html`<th scope=row>${column.cell(row)}` : html`<td data-label="${column.label}"${classOf(column)}>${column.cell(row)}`,
)}`,
  );
  return html`<table${id !== undefined && html` id="${id}"`}><caption class="away">${caption}</caption>
<thead><tr>${head}</tr></thead>
<tbody>${body}</tbody></table>`;
}

/** A field that hides the rows that do not contain the typed words; it appears only with scripts. */
export function listFilter(tableId: string, label: string): Html {
  return html`<p data-script hidden><input type="search" data-filter="${tableId}" aria-label="${label}"
placeholder="${label}" autocomplete="off"></p>`;
}
