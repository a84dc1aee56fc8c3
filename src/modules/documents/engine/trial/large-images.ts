import { PDFArray, PDFName, PDFRawStream, PDFStream, type PDFDict, type PDFDocument, type PDFObject } from '@cantoo/pdf-lib';
import { numberIn } from '../updates/pdf-objects.js';
import { sizesInJbig2, sizeInJpx, type CodedSize } from './coded-sizes.js';

/** Decoded. So much takes about a second to draw. */
const MOST_BYTES = 320 * 2 ** 20;
/** Of any depth: pixels of black and white are drawn one by one as well. A drawing in A0 has 140 million at 300 per inch. */
const MOST_PIXELS = 200_000_000;
const name = (text: string) => PDFName.of(text);
const COMPONENTS: Readonly<Record<string, number>> = { '/DeviceGray': 1, '/CalGray': 1, '/Indexed': 1, '/Separation': 1, '/DeviceCMYK': 4 };

/** The size of an image that takes too long to draw on any page; null if there is none. */
export function tooLargeImage({ context }: PDFDocument): string | null {
  for (const [, object] of context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFStream) || object.dict.lookup(name('Subtype')) !== name('Image')) continue;
    for (const { width, height, bits } of [sizeIn(object.dict), ...codedSizes(object)])
      if (width * height > MOST_PIXELS || (width * height * bits) / 8 > MOST_BYTES) return `${width} x ${height}`;
  }
  return null;
}

function sizeIn(dict: PDFDict): CodedSize {
  const isMask = dict.lookup(name('ImageMask'))?.toString() === 'true';
  const bits = isMask ? 1 : numberIn(dict, 'BitsPerComponent', 8) * componentsOf(dict.lookup(name('ColorSpace')));
  return { width: numberIn(dict, 'Width'), height: numberIn(dict, 'Height'), bits };
}

/** What the compressed image itself says: decoders make room for that, whatever its dictionary says. */
function codedSizes(stream: PDFStream): CodedSize[] {
  if (!(stream instanceof PDFRawStream)) return [];
  const filters = stream.dict.lookup(name('Filter'));
  const filter = filters instanceof PDFArray && filters.size() === 1 ? filters.lookup(0) : filters;
  const { buffer, byteOffset, byteLength } = stream.contents;
  const data = Buffer.from(buffer, byteOffset, byteLength);
  if (filter === name('JPXDecode')) return sizeInJpx(data);
  return filter === name('JBIG2Decode') ? sizesInJbig2(data) : [];
}

function componentsOf(space: PDFObject | undefined): number {
  const kind = space instanceof PDFArray ? space.lookup(0) : space;
  const profile = kind === name('ICCBased') ? (space as PDFArray).lookup(1) : undefined;
  if (profile instanceof PDFStream) return numberIn(profile.dict, 'N', 3);
  return COMPONENTS[String(kind)] ?? 3;
}
