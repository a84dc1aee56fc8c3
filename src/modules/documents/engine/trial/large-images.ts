import { PDFArray, PDFName, PDFStream, type PDFDocument, type PDFObject } from '@cantoo/pdf-lib';
import { numberIn } from '../updates/pdf-objects.js';

/** Decoded. So much takes about a second to draw. */
const MOST_BYTES = 320 * 2 ** 20;
const name = (text: string) => PDFName.of(text);
const COMPONENTS: Readonly<Record<string, number>> = { '/DeviceGray': 1, '/CalGray': 1, '/Indexed': 1, '/Separation': 1, '/DeviceCMYK': 4 };

/** The size of an image that takes too long to draw on any page; null if there is none. */
export function tooLargeImage({ context }: PDFDocument): string | null {
  for (const [, object] of context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFStream) || object.dict.lookup(name('Subtype')) !== name('Image')) continue;
    const { dict } = object;
    const [width, height] = [numberIn(dict, 'Width'), numberIn(dict, 'Height')];
    const isMask = dict.lookup(name('ImageMask'))?.toString() === 'true';
    const bits = isMask ? 1 : numberIn(dict, 'BitsPerComponent', 8) * componentsOf(dict.lookup(name('ColorSpace')));
    if ((width * height * bits) / 8 > MOST_BYTES) return `${width} x ${height}`;
  }
  return null;
}

function componentsOf(space: PDFObject | undefined): number {
  const kind = space instanceof PDFArray ? space.lookup(0) : space;
  const profile = kind === name('ICCBased') ? (space as PDFArray).lookup(1) : undefined;
  if (profile instanceof PDFStream) return numberIn(profile.dict, 'N', 3);
  return COMPONENTS[String(kind)] ?? 3;
}
