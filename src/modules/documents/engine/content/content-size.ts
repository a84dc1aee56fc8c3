import { CommonErrors } from '../../../../kit/index.js';

/** In characters, about two hundred pages. A document of this size is typeset within seconds. */
const MAX_CONTENT_SIZE = 300_000;
/** What a block, a cell, a line or a change of style counts in addition to its characters. */
export const PART = 10;

/** Adds up the size of a document by the source of its text. Rejects more than can be typeset in reasonable time. */
export class ContentSize {
  private readonly bySource = new Map<string, number>();
  private all = 0;

  add(source: string, characters: number): void {
    this.all += characters;
    this.bySource.set(source, (this.bySource.get(source) ?? 0) + characters);
    if (this.all <= MAX_CONTENT_SIZE) return;
    const [param] = [...this.bySource].reduce((largest, one) => (one[1] > largest[1] ? one : largest));
    const message =
      `${param} makes the document too long. A document may have ${MAX_CONTENT_SIZE} characters, ` +
      `where each block, table cell and line counts as ${PART} or more`;
    throw CommonErrors.validationFailed({ param, message, details: [{ param, code: 'too_long', message }] });
  }
}
