import { crc32, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const MAX_BYTES = 256 * 1024;
const MAX_WIDTH = 2000;
const MAX_HEIGHT = 1000;
/** Chunks that change how pixels are read: a palette or a transparent color. A canvas writes neither. */
const CHANGES_PIXELS = /^(?!IHDR$|IDAT$|IEND$)(?:[A-Z]|tRNS$)/;
/** The filter types none, sub, up, average and Paeth are numbered 0 to 4. */
const LAST_FILTER = 4;
/** The least that each color of paper has. */
const WHITE = 250;
/** Samples per pixel by PNG color type, for the types that a browser's canvas writes. */
const SAMPLES: Record<number, number> = { 2: 3, 6: 4 };

/**
 * Why a drawn signature cannot be accepted, or null. Check it before storing the signature: a stored drawing that cannot be
 * rendered would make the certificate fail when the last party signs.
 */
export function drawingProblem(png: Buffer): string | null {
  if (png.length > MAX_BYTES) return `must be at most ${MAX_BYTES / 1024} KiB`;
  const chunks = chunksOf(png);
  const header = chunks?.[0];
  if (!chunks || header?.type !== 'IHDR' || header.data.length !== 13 || chunks.at(-1)?.type !== 'IEND') return 'must be a PNG';
  const [width, height] = [header.data.readUInt32BE(0), header.data.readUInt32BE(4)];
  const [depth, color, compression, filter, interlace] = header.data.subarray(8);
  if (width === 0 || height === 0 || width > MAX_WIDTH || height > MAX_HEIGHT) return `must be at most ${MAX_WIDTH} x ${MAX_HEIGHT} pixels`;
  if (depth !== 8 || !Object.hasOwn(SAMPLES, color) || compression !== 0 || filter !== 0 || interlace !== 0)
    return 'must be an 8 bit RGB or RGBA PNG without interlacing';
  if (chunks.some(({ type }) => CHANGES_PIXELS.test(type))) return 'must be a PNG without a palette or a transparent color';
  const row = 1 + width * SAMPLES[color];
  const pixels = inflated(Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data)), height * row);
  if (!pixels || !hasKnownFilters(pixels, row)) return 'must be a complete PNG';
  return isBlank(pixels, row, SAMPLES[color]) ? 'shows nothing' : null;
}

function chunksOf(png: Buffer): { type: string; data: Buffer }[] | null {
  if (!png.subarray(0, 8).equals(SIGNATURE)) return null;
  const chunks = [];
  for (let at = 8; at < png.length;) {
    if (at + 12 > png.length) return null;
    const end = at + 8 + png.readUInt32BE(at);
    if (end + 4 > png.length || crc32(png.subarray(at + 4, end)) !== png.readUInt32BE(end)) return null;
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, end) });
    at = end + 4;
  }
  return chunks;
}

/** The decompressed rows, or null unless the data holds exactly `size` bytes and nothing else. */
function inflated(data: Buffer, size: number): Buffer | null {
  try {
    const { buffer, engine } = inflateSync(data, { maxOutputLength: size, info: true }) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    return buffer.length === size && engine.bytesWritten === data.length ? buffer : null;
  } catch {
    return null;
  }
}

/** Each row begins with its filter type. Rows with an unknown type cannot be decoded. */
function hasKnownFilters(pixels: Buffer, row: number): boolean {
  for (let at = 0; at < pixels.length; at += row) if (pixels[at] > LAST_FILTER) return false;
  return true;
}

/**
 * Whether it is transparent or white all over: every filter leaves the same of all pixels of such a row but the first. Rows are compared
 * only within themselves, so a drawing of nothing but lines over the full width counts as blank as well.
 */
function isBlank(pixels: Buffer, row: number, samples: number): boolean {
  const [red, green, blue, alpha = 255] = pixels.subarray(1, 1 + samples);
  if (alpha > 0 && Math.min(red, green, blue) < WHITE) return false;
  for (let at = 0; at < pixels.length; at += row) {
    const second = at + 1 + samples;
    if (!pixels.subarray(second, at + row - samples).equals(pixels.subarray(second + samples, at + row))) return false;
  }
  return true;
}
