import { PDFArray, PDFDict, PDFName, PDFStream, type PDFDocument, type PDFObject } from '@cantoo/pdf-lib';
import { itemsOf, textOf } from '../updates/pdf-objects.js';

const name = (text: string) => PDFName.of(text);
const FILES = ['FontFile', 'FontFile2', 'FontFile3'].map(name);

/**
 * Composite fonts of pages that a file only names, as some do for Chinese, Japanese and Korean text. Viewers show them by fonts of their
 * own, or not at all; pictures of the pages would lack the text. Fonts that only form fields name are not counted.
 */
export function missingFonts({ context }: PDFDocument): string[] {
  const missing = context.enumerateIndirectObjects().flatMap(([, object]) => {
    const resources = dictOf(dictOf(object)?.lookup(name('Resources')));
    const fonts = dictOf(resources?.lookup(name('Font')));
    return (fonts?.keys() ?? []).flatMap((key) => missingOf(fonts?.lookup(key)));
  });
  return [...new Set(missing)];
}

function missingOf(font: PDFObject | undefined): string[] {
  if (!(font instanceof PDFDict) || font.lookup(name('Subtype')) !== name('Type0')) return [];
  const descendants = font.lookup(name('DescendantFonts'));
  const described = (descendants instanceof PDFArray ? itemsOf(descendants) : []).map((one) => dictOf(one)?.lookup(name('FontDescriptor')));
  const isContained = described.every((one) => one instanceof PDFDict && FILES.some((file) => one.has(file)));
  return isContained ? [] : [textOf(font.lookup(name('BaseFont'))) ?? 'without a name'];
}

function dictOf(object: PDFObject | undefined): PDFDict | undefined {
  const dict = object instanceof PDFStream ? object.dict : object;
  return dict instanceof PDFDict ? dict : undefined;
}
