import { CommonErrors } from '../../../../kit/index.js';

/** In characters, some two hundred pages: what is made in seconds, and what a person may be asked to read. */
export const MAX_CONTENT_SIZE = 300_000;
/** What a block, a cell, a line or a change of style takes beside its characters. */
export const PART = 10;

/** How much text a document comes to, by where it is from; refuses more than can be typeset in reasonable time. */
export class ContentSize {
  private readonly bySource = new Map<string, number>();
  private all = 0;

  add(source: string, characters: number): void {
    this.all += characters;
    this.bySource.set(source, (this.bySource.get(source) ?? 0) + characters);
    if (this.all <= MAX_CONTENT_SIZE) return;
    const [param] = [...this.bySource].reduce((largest, one) => (one[1] > largest[1] ? one : largest));
    const message = `${param} makes the document too long: its text may have ${MAX_CONTENT_SIZE} characters, and each of its blocks, table cells and lines counts for some`;
    throw CommonErrors.validationFailed({ param, message, details: [{ param, code: 'too_long', message }] });
  }
}
