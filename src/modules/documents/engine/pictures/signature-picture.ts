import sharp from 'sharp';

/** Of an uploaded picture; a photo of a phone has 12 to 50 million pixels. */
const MOST_PIXELS = 60_000_000;
/** Of a signature, in pixels. */
const SIZES = [1200, 800, 500];
const HEIGHT_TO_WIDTH = 0.4;
const MOST_BYTES = 250 * 1024;
/** How much of the edge must be of one light color for it to count as paper. */
const PAPER_SHARE = 0.85;
const LIGHTEST_INK = 150;
/** Differences of brightness from the paper: below the first, a pixel is paper; from the second, it is ink. */
const [PAPER, INK] = [24, 90];

/** A signature as the pages print it. */
export interface SignaturePicture {
  /** PNG with 8 bit RGBA and nothing else. */
  png: Uint8Array;
}

/**
 * Reads a PNG or JPEG anew, turned as the camera held it, without metadata, as large as a signature needs, without the empty space around
 * it. On white paper, the paper becomes transparent. Throws if it cannot be read, or shows nothing.
 */
export async function signaturePicture(bytes: Uint8Array): Promise<SignaturePicture> {
  for (const width of SIZES) {
    const image = sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'error', pages: 1 });
    const { format } = await image.metadata();
    if (format !== 'png' && format !== 'jpeg') throw new Error('The picture is neither PNG nor JPEG.');
    const { data, info } = await image
      .autoOrient()
      .resize({ width, height: Math.round(width * HEIGHT_TO_WIDTH), fit: 'inside', withoutEnlargement: true })
      .toColorspace('srgb')
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    withoutPaper(data, info.width, info.height);
    const inked = cropped(data, info.width, info.height);
    const png = await sharp(inked.data, { raw: { width: inked.width, height: inked.height, channels: 4 } })
      .png({ compressionLevel: 9, palette: false })
      .toBuffer();
    if (png.length <= MOST_BYTES) return { png };
  }
  throw new Error('The picture is too large.');
}

/** Makes the paper transparent, if the edge of the picture is of one light color. */
function withoutPaper(pixels: Buffer, width: number, height: number): void {
  const brightness = (at: number) => 0.299 * pixels[at] + 0.587 * pixels[at + 1] + 0.114 * pixels[at + 2];
  const edge: number[] = [];
  for (let x = 0; x < width; x++) edge.push(x * 4, ((height - 1) * width + x) * 4);
  for (let y = 0; y < height; y++) edge.push(y * width * 4, (y * width + width - 1) * 4);
  if (edge.some((at) => pixels[at + 3] < 255)) return;
  const paper = edge.map(brightness).sort((one, other) => one - other)[edge.length >> 1];
  const isPaper = edge.filter((at) => Math.abs(brightness(at) - paper) <= PAPER * 2).length >= edge.length * PAPER_SHARE;
  if (paper < LIGHTEST_INK || !isPaper) return;
  for (let at = 0; at < pixels.length; at += 4) {
    const share = (paper - brightness(at) - PAPER) / (INK - PAPER);
    pixels[at + 3] = Math.round(255 * Math.min(1, Math.max(0, share)));
  }
}

/** The part that is not transparent. */
function cropped(pixels: Buffer, width: number, height: number): { data: Buffer; width: number; height: number } {
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if (pixels[(y * width + x) * 4 + 3] === 0) continue;
      [left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), Math.max(bottom, y)];
    }
  if (right < 0) throw new Error('The picture shows nothing.');
  const rows = Array.from({ length: bottom - top + 1 }, (_, row) => {
    const start = (top + row) * width;
    return pixels.subarray((start + left) * 4, (start + right + 1) * 4);
  });
  return { data: Buffer.concat(rows), width: right - left + 1, height: rows.length };
}
