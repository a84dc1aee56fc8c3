import { escapeHtml } from '../../../../kit/index.js';

/** A text with its line breaks. */
function linesIn(text: string): string {
  return escapeHtml(text).replaceAll('\n', '<br />\n');
}

/** What a field shows. */
interface Entry {
  key: string;
  /** Null for what is shown only where it has a place: initials and days. */
  label: string | null;
  text: string;
}

/** A party that signed, as the executed page shows it. */
export interface PageSigner {
  /** Of the party. */
  key: string;
  label: string;
  name: string;
  /** The day on which it signed, in words. */
  day: string;
  /** What it filled in. */
  entries: readonly Entry[];
}

/**
 * The frozen page with the names and days of those who signed, and what they filled in, in place of the lines. What has no line is listed
 * at the end, as in a page that is a file.
 */
export function executedHtml(html: string, signers: readonly PageSigner[]): string {
  const unplaced: string[] = [];
  let page = html;
  // a function, because texts can contain a dollar sign
  const fill = (line: RegExp, text: (start: string) => string) => {
    const isThere = line.test(page);
    page = page.replace(line, (_, start: string) => text(start));
    return isThere;
  };
  for (const { key, label, name, day, entries } of signers) {
    const isPlaced = fill(
      new RegExp(`(<p data-signer="${key}">)<span>_+</span>`, 'g'),
      (start) => `${start}<em>${escapeHtml(name)}</em>, ${escapeHtml(day)}`,
    );
    if (!isPlaced) unplaced.push(`<p><em>${escapeHtml(name)}</em>, ${escapeHtml(day)}<br />\n<strong>${escapeHtml(label)}</strong></p>\n`);
    fill(new RegExp(`(<span data-signed-on="${key}">)_+</span>`, 'g'), () => escapeHtml(day));
    for (const entry of entries) {
      const isPlacedEntry = fill(new RegExp(`(<span data-field="${entry.key}">)_+</span>`, 'g'), () => linesIn(entry.text));
      if (!isPlacedEntry && entry.label !== null) unplaced.push(`<p>${escapeHtml(entry.label)}: ${linesIn(entry.text)}</p>\n`);
    }
  }
  if (unplaced.length === 0) return page;
  return page.replace('</main>', () => `<hr />\n${unplaced.join('')}</main>`);
}
