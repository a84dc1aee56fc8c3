import { createHash } from 'node:crypto';

const MARK = Buffer.from('%%EOF');
const LINE_ENDS: readonly number[] = [10, 13];
/** The most earlier revisions that are looked at; files of the suite have at most a few. */
const MOST = 30;

/** What a file was after each of its changes, the newest first: it begins with the bytes that it had before. */
export interface FileRevision {
  /** Of the first `bytes` bytes, hexadecimal. */
  sha256: string;
  bytes: number;
}

/** The whole file, and its beginnings that are files of their own. */
export function revisionsOf(pdf: Buffer): FileRevision[] {
  const ends = new Set<number>([pdf.length]);
  for (let at = pdf.indexOf(MARK); at >= 0; at = pdf.indexOf(MARK, at + MARK.length)) {
    // a file ends with its mark, or with one line end behind it
    let end = at + MARK.length;
    ends.add(end);
    while (end < pdf.length && end < at + MARK.length + 2 && LINE_ENDS.includes(pdf[end])) ends.add(++end);
  }
  const digest = createHash('sha256');
  let done = 0;
  return [...ends]
    .sort((one, other) => one - other)
    .slice(-MOST)
    .map((end) => {
      digest.update(pdf.subarray(done, end));
      done = end;
      return { sha256: digest.copy().digest('hex'), bytes: end };
    })
    .reverse();
}
