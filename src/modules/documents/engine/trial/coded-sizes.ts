/** The size that a compressed image states. */
export interface CodedSize {
  width: number;
  height: number;
  components: number;
  /** Per component. */
  bits: number;
}

/** Start of a JPEG 2000 codestream: the markers SOC and SIZ (ISO 15444-1, annex A). */
const JPX_START = Buffer.from([0xff, 0x4f, 0xff, 0x51]);
const JPX_HEADER_BYTES = 42;
/** Segments of JBIG2 that begin with a width and a height (ISO 14492, 7.3): regions of all kinds, and information on the page. */
const SIZED_SEGMENTS = new Set([4, 6, 7, 20, 22, 23, 36, 38, 39, 40, 42, 43, 48]);
const UNKNOWN = 0xffffffff;
/** A page of text has a handful. */
const MOST_SEGMENTS = 10_000;

/** Of JPEG 2000; none if it cannot be read. */
export function sizeInJpx(data: Buffer): CodedSize[] {
  const at = data.indexOf(JPX_START);
  if (at < 0 || data.length < at + JPX_HEADER_BYTES) return [];
  const [right, bottom, left, top] = [8, 12, 16, 20].map((offset) => data.readUInt32BE(at + offset));
  const components = data.readUInt16BE(at + 40);
  // decoders keep each sample in 32 bits
  return [{ width: right - left, height: bottom - top, components, bits: 32 }];
}

/** Of the page and of each region in JBIG2 as PDF embeds it. */
export function sizesInJbig2(data: Buffer): CodedSize[] {
  const sizes: CodedSize[] = [];
  try {
    for (let at = 0, count = 0; at < data.length && count < MOST_SEGMENTS; count++) {
      const { kind, start, length } = segmentAt(data, at);
      if (SIZED_SEGMENTS.has(kind)) {
        const [width, height] = [data.readUInt32BE(start), data.readUInt32BE(start + 4)];
        if (height !== UNKNOWN) sizes.push({ width, height, components: 1, bits: 1 });
      }
      if (length === UNKNOWN) break;
      at = start + length;
    }
  } catch (error) {
    // it ends within a segment
    if (!(error instanceof RangeError)) throw error;
  }
  return sizes;
}

/** ISO 14492, 7.2. */
function segmentAt(data: Buffer, at: number): { kind: number; start: number; length: number } {
  const number = data.readUInt32BE(at);
  const flags = data.readUInt8(at + 4);
  let position = at + 5;
  let references = data.readUInt8(position) >> 5;
  if (references === 7) {
    references = data.readUInt32BE(position) & 0x1fffffff;
    position += 4 + Math.ceil((references + 1) / 8);
  } else position += 1;
  position += references * (number <= 256 ? 1 : number <= 65_536 ? 2 : 4);
  position += (flags & 0x40) === 0 ? 1 : 4;
  return { kind: flags & 0x3f, start: position + 4, length: data.readUInt32BE(position) };
}
