/** Neither a database nor a page can show them. */
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;
/** They change the writing direction, so that a file name seems to have another ending. */
const OVERRIDES = /[\u202a-\u202e\u2066-\u2069]/g;

/** Text of a mail without what cannot be stored, its lines ended by LF. */
export function visible(text: string): string {
  return text.toWellFormed().replace(/\r\n?/g, '\n').replace(CONTROLS, '');
}

export function oneLine(text: string): string {
  return visible(text).replace(OVERRIDES, '').replace(/\s+/g, ' ').trim();
}
