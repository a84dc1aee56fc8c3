import sharp from 'sharp';

/** A photo of a phone has 12 to 50 million pixels. */
const MOST_PIXELS = 60_000_000;
/** Longest side in pixels: 1,600 are 270 per inch on 15 cm. */
const SIZES = [1_600, 1_100, 800];
const MOST_BYTES = 400 * 1024;
const JPEG_QUALITY = 85;
const FORMATS = ['png', 'jpeg', 'webp'];

/** A picture as documents print it. */
export interface DocumentPicture {
  media_type: 'image/png' | 'image/jpeg';
  bytes: Uint8Array;
  width: number;
  height: number;
}

/**
 * Reads a PNG, JPEG or WebP anew, turned as the camera held it, without metadata, in the size that pages need. What is transparent or
 * small stays a PNG. Throws if it cannot be read.
 */
export async function documentPicture(given: Uint8Array): Promise<DocumentPicture> {
  for (const side of SIZES) {
    const image = sharp(given, { limitInputPixels: MOST_PIXELS, failOn: 'error', pages: 1 });
    const { format } = await image.metadata();
    if (!FORMATS.includes(format)) throw new Error('The picture is neither PNG, JPEG nor WebP.');
    const { data, info } = await image
      .autoOrient()
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .toColorspace('srgb')
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const { width, height } = info;
    const pixels = sharp(data, { raw: { width, height, channels: 4 } });
    const isOpaque = data.every((value, at) => at % 4 !== 3 || value === 255);
    const png = format === 'jpeg' ? null : await (isOpaque ? pixels.clone().removeAlpha() : pixels.clone()).png().toBuffer();
    if (png && png.length <= MOST_BYTES) return { media_type: 'image/png', bytes: png, width, height };
    if (!isOpaque) continue;
    const jpeg = await pixels.removeAlpha().jpeg({ quality: JPEG_QUALITY }).toBuffer();
    if (jpeg.length <= MOST_BYTES) return { media_type: 'image/jpeg', bytes: jpeg, width, height };
  }
  throw new Error('The picture is too large.');
}
