import { escapeHtml } from '../../../../kit/index.js';

/** A party that signed, as the executed page shows it. */
export interface PageSigner {
  /** Of the party. */
  key: string;
  label: string;
  name: string;
  /** The day on which it signed, in words. */
  day: string;
}

/**
 * The frozen page with the names and days of those who signed in place of the lines. Those without a line are listed at the end, as
 * in a page that is a file.
 */
export function executedHtml(html: string, signers: readonly PageSigner[]): string {
  const unplaced: PageSigner[] = [];
  let page = html;
  for (const signer of signers) {
    const { key, name, day } = signer;
    const line = new RegExp(`(<p data-signer="${key}">)<span>_+</span>`, 'g');
    if (!line.test(page)) unplaced.push(signer);
    // a function, because names can contain a dollar sign
    page = page
      .replace(line, (_, start: string) => `${start}<em>${escapeHtml(name)}</em>, ${escapeHtml(day)}`)
      .replace(new RegExp(`<span data-signed-on="${key}">_+</span>`, 'g'), () => escapeHtml(day));
  }
  if (unplaced.length === 0) return page;
  const list = unplaced.map(
    ({ label, name, day }) => `<p><em>${escapeHtml(name)}</em>, ${escapeHtml(day)}<br />\n<strong>${escapeHtml(label)}</strong></p>\n`,
  );
  return page.replace('</main>', () => `<hr />\n${list.join('')}</main>`);
}
