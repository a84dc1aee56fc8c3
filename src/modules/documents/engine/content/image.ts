import MarkdownIt, { type Token } from 'markdown-it';
import { escapeHtml } from '../../../../kit/index.js';

/** A picture that a document can print, by its reference. */
export interface ContentImage {
  media_type: 'image/png' | 'image/jpeg';
  /** Null as long as nothing is drawn: in a transaction, contents of files are not read. */
  base64: string | null;
  /** In pixels. */
  width: number;
  height: number;
}

/** A picture as printed; sizes in points. */
export interface PrintedImage {
  reference: string;
  image: ContentImage;
  width: number;
  height: number;
  /** For those who cannot see it. */
  alt: string;
}

const POINTS_PER_MM = 72 / 25.4;
/** A picture without a width is as large as at 150 pixels per inch, within these limits; in millimeters. */
const PIXELS_PER_INCH = 150;
/** Of a picture that a template gives a width, in millimeters. */
export const LEAST_WIDTH = 5;
const LARGEST = { block: { width: 160, height: 120 }, cell: { width: 28, height: 28 } } as const;

/** `width` in millimeters; null for that of the picture. */
export function imageToken(
  reference: string,
  image: ContentImage,
  { alt, width, place }: { alt: string; width: number | null; place: keyof typeof LARGEST },
): Token {
  const most = LARGEST[place];
  const natural = { width: (image.width / PIXELS_PER_INCH) * 25.4, height: (image.height / PIXELS_PER_INCH) * 25.4 };
  const scale = width !== null ? width / natural.width : Math.min(1, most.width / natural.width, most.height / natural.height);
  const token = new MarkdownIt.Token('image', '', 0);
  const size = { width: natural.width * scale * POINTS_PER_MM, height: natural.height * scale * POINTS_PER_MM };
  token.meta = { reference, image, alt, ...size } satisfies PrintedImage;
  return token;
}

export function base64Of({ base64 }: ContentImage): string {
  if (base64 === null) throw new Error('The picture was not read.');
  return base64;
}

export function imageOf(token: Token): PrintedImage {
  return token.meta as unknown as PrintedImage;
}

/** How a page shows it; a point is 4/3 of a pixel of CSS. */
export const IMAGE_RULE = {
  image: (tokens: readonly Token[], index: number) => {
    const { image, width, height, alt } = imageOf(tokens[index]);
    const size = `width="${Math.round((width * 4) / 3)}" height="${Math.round((height * 4) / 3)}"`;
    return `<img class="image" src="data:${image.media_type};base64,${base64Of(image)}" alt="${escapeHtml(alt)}" ${size}>`;
  },
};
