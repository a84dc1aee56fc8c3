import {
  decodePDFRawStream,
  PDFArray,
  PDFName,
  PDFNull,
  PDFRawStream,
  PDFStream,
  type PDFDict,
  type PDFDocument,
  type PDFObject,
} from '@cantoo/pdf-lib';
import { numberIn } from '../updates/pdf-objects.js';
import { sizesInJbig2, sizeInJpx, type CodedSize } from './coded-sizes.js';

/**
 * Decoded, in bytes and in samples: PDFium takes 4 ns for each byte, but as long for a sample of one bit. So much takes two seconds to
 * draw. A drawing in A0, in black and white, has 558 million samples at 600 per inch.
 */
const MOST_BYTES = 320 * 2 ** 20;
const MOST_SAMPLES = 600_000_000;
const name = (text: string) => PDFName.of(text);
const COMPONENTS: Readonly<Record<string, number>> = { '/DeviceGray': 1, '/CalGray': 1, '/Indexed': 1, '/Separation': 1, '/DeviceCMYK': 4 };
/** Formats whose data say how large they are: decoders make room for that, whatever the dictionary says. */
const CODED: Readonly<Record<string, (data: Buffer) => CodedSize[]>> = { '/JPXDecode': sizeInJpx, '/JBIG2Decode': sizesInJbig2 };

/** Why an image of the file cannot be drawn, or takes too long on any page; null if there is none. */
export function imageProblem({ context }: PDFDocument): string | null {
  for (const [, object] of context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFStream) || object.dict.lookup(name('Subtype')) !== name('Image')) continue;
    const coded = codedSizes(object);
    if (coded === null) return 'has an image that is damaged; save the file again';
    const large = [sizeIn(object.dict), ...coded].find(isTooLarge);
    if (large) return `has an image of ${large.width} x ${large.height} pixels, which takes too long to draw; save it with a smaller one`;
  }
  return null;
}

function isTooLarge({ width, height, components, bits }: CodedSize): boolean {
  const samples = width * height * components;
  return samples > MOST_SAMPLES || (samples * bits) / 8 > MOST_BYTES;
}

function sizeIn(dict: PDFDict): CodedSize {
  const isMask = dict.lookup(name('ImageMask'))?.toString() === 'true';
  const components = isMask ? 1 : componentsOf(dict.lookup(name('ColorSpace')));
  const bits = isMask ? 1 : numberIn(dict, 'BitsPerComponent', 8);
  return { width: numberIn(dict, 'Width'), height: numberIn(dict, 'Height'), components, bits };
}

/** Null if the filters in front of the image's own cannot be decoded. */
function codedSizes(stream: PDFStream): CodedSize[] | null {
  if (!(stream instanceof PDFRawStream)) return [];
  const filters = listOf(stream.dict.lookup(name('Filter')));
  const sizesOf = CODED[String(filters.at(-1))];
  if (!sizesOf) return [];
  try {
    return sizesOf(filters.length === 1 ? bufferOf(stream.contents) : decoded(stream, filters.slice(0, -1)));
  } catch {
    // a stream that is too long is refused by `withinLimits`, whatever is caught here
    return null;
  }
}

/** What `filters` of a stream, the first of its own, make of it. */
function decoded({ dict, contents }: PDFRawStream, filters: readonly PDFObject[]): Buffer {
  const { context } = dict;
  const parameters = listOf(dict.lookup(name('DecodeParms'))).slice(0, filters.length);
  const own = context.obj({ Filter: context.obj([...filters]), DecodeParms: context.obj([...parameters]) });
  return bufferOf(decodePDFRawStream(PDFRawStream.of(own, contents)).decode());
}

/** One value can stand without its array. */
function listOf(value: PDFObject | undefined): PDFObject[] {
  if (value === undefined) return [];
  return value instanceof PDFArray ? Array.from({ length: value.size() }, (_, index) => value.lookup(index) ?? PDFNull) : [value];
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function componentsOf(space: PDFObject | undefined): number {
  const kind = space instanceof PDFArray ? space.lookup(0) : space;
  const profile = kind === name('ICCBased') ? (space as PDFArray).lookup(1) : undefined;
  if (profile instanceof PDFStream) return numberIn(profile.dict, 'N', 3);
  return COMPONENTS[String(kind)] ?? 3;
}
