import { hash } from 'node:crypto';

/** A file below `/styles`. */
export interface Stylesheet {
  /** The file name contains a hash of the content, so browsers can cache it forever. */
  file: string;
  css: string;
}

const sheets = new Map<string, Stylesheet>();

/** Declares the style of pages of one kind, which is sent as a file of its own. Call it when the program starts, as any process may be
 * asked for the file. *
 * @example
 * ```ts
 * import { html, page, stylesheet } from 'work-suite/kit';
 *
 * const TABLES = stylesheet('tables', 'td { padding: 4px }');
 * export const timetable = () => page({ title: 'Timetable', host: null, stylesheet: TABLES, body: html`<table></table>` });
 * ```
 */
export function stylesheet(name: string, source: string): Stylesheet {
  if (sheets.has(name)) throw new Error(`There are two stylesheets ${name}.`);
  const css = compact(source);
  const sheet = { file: `${name}-${hash('sha256', css, 'hex').slice(0, 16)}.css`, css };
  sheets.set(name, sheet);
  return sheet;
}

/** The stylesheet of this file name, or of an earlier content of it. */
export function stylesheetOf(file: string): Stylesheet | undefined {
  return sheets.get(file.replace(/-[0-9a-f]{16}\.css$/, ''));
}

/** Removes white space that only makes the source readable. */
function compact(source: string): string {
  return source
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};>!]) ?/g, '$1')
    .replace(/([:,]) /g, '$1')
    .replaceAll(';}', '}');
}
