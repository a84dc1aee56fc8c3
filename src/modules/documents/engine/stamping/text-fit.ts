import { PDFDocument } from '@cantoo/pdf-lib';
import { typeset } from '../typst/typst.js';
import { onFile } from '../reading/file-fault.js';
import { shownOrFault, stampData, type Stamp } from './stamp-pdf.js';

/** A text to print into a box on a page. */
export type BoxedText = Omit<Stamp, 'isSignature' | 'png'>;

/** The indexes of the texts that no type of a readable size fits into their boxes. */
export async function unfitting(pdf: Uint8Array, texts: readonly BoxedText[], language: string): Promise<number[]> {
  const stamps = await onFile(async () => {
    const document = await PDFDocument.load(pdf, { updateMetadata: false });
    return texts.map((text) => {
      const { width, height } = shownOrFault(document.getPage(text.page - 1));
      return stampData({ ...text, isSignature: false, png: null }, width, height, {});
    });
  });
  // on a page that is large enough for all of them
  const pages = [{ width: 14_400, height: 14_400, stamps }];
  const data = { language: new Intl.Locale(language).language, pages };
  return typeset('stamps', { language, data, part: 'overlay' }).marks as number[];
}
