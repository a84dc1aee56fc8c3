import { PDFDocument } from '@cantoo/pdf-lib';
import { PLAIN } from '../typst/plain-characters.js';
import { typeset } from '../typst/typst.js';
import { onFile } from '../reading/file-fault.js';
import { shownOrFault, stampData, type Stamp, type StampData } from './stamp-pdf.js';

/** A text to print into a box on a page. */
export type BoxedText = Omit<Stamp, 'isSignature' | 'png'>;

/** In points: a line of the smallest readable type, and the widest of its plain characters, with some room. */
const [LINE, CHARACTER] = [8, 7.5];

/** The indexes of the texts that no type of a readable size fits into their boxes. */
export async function unfitting(pdf: Uint8Array, texts: readonly BoxedText[], language: string): Promise<number[]> {
  const stamps = await onFile(async () => {
    const document = await PDFDocument.load(pdf, { updateMetadata: false });
    return texts.map((text) => {
      const { width, height } = shownOrFault(document.getPage(text.page - 1));
      return stampData({ ...text, isSignature: false, png: null }, width, height, {});
    });
  });
  // to typeset a hundred texts takes as long as to read their file
  const doubtful = [...stamps.keys()].filter((index) => !isAmple(stamps[index]));
  if (doubtful.length === 0) return [];
  // on a page that is large enough for all of them
  const pages = [{ width: 14_400, height: 14_400, stamps: doubtful.map((index) => stamps[index]) }];
  const data = { language: new Intl.Locale(language).language, pages };
  const marks = typeset('stamps', { language, data, part: 'overlay' }).marks as number[];
  return marks.map((at) => doubtful[at]);
}

/** Whether a box has room for its text on one line, however wide its letters are. */
function isAmple({ text, width, height, cells }: StampData): boolean {
  return PLAIN.test(text) && !text.includes('\n') && height >= LINE && width >= CHARACTER * (cells ?? text.length);
}
