import {
  decodePDFRawStream,
  type PDFArray,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNumber,
  PDFRawStream,
  PDFString,
  type PDFObject,
} from '@cantoo/pdf-lib';

/** A group of fields in a group, and so on; more is a cycle. */
const DEEPEST = 32;
const name = (text: string) => PDFName.of(text);

export function numberIn(dict: PDFDict, key: string, otherwise = 0): number {
  const value = dict.lookup(name(key));
  return value instanceof PDFNumber ? value.asNumber() : otherwise;
}

export function itemsOf(array: PDFArray): (PDFObject | undefined)[] {
  return Array.from({ length: array.size() }, (_, index) => array.lookup(index));
}

/** A text as viewers show it; null for what is none. */
export function textOf(value: PDFObject | undefined): string | null {
  if (value instanceof PDFString || value instanceof PDFHexString || value instanceof PDFName) return value.decodeText();
  if (!(value instanceof PDFRawStream)) return null;
  return PDFHexString.of(Buffer.from(decodedContents(value)).toString('hex')).decodeText();
}

/** Writers leave the filter on a stream without contents, such as that of an empty page, which is no compressed text. */
export function decodedContents(stream: PDFRawStream): Uint8Array {
  return stream.getContentsSize() === 0 ? new Uint8Array() : decodePDFRawStream(stream).decode();
}

/** A widget, the field that it belongs to, and the groups that contain it. */
export function chainOf(dict: PDFDict): PDFDict[] {
  const chain = [dict];
  for (
    let parent = dict.lookup(name('Parent'));
    parent instanceof PDFDict && chain.length < DEEPEST;
    parent = parent.lookup(name('Parent'))
  )
    chain.push(parent);
  return chain;
}

/** An entry of a widget, or else of the field or group that contains it. */
export function inherited(dict: PDFDict, key: string): PDFObject | undefined {
  return chainOf(dict)
    .map((one) => one.lookup(name(key)))
    .find((value) => value !== undefined);
}

/** The widget itself, or its field if it is only one of its places. */
export function fieldOf(dict: PDFDict): PDFDict {
  return chainOf(dict).find((one) => one.has(name('T'))) ?? dict;
}
