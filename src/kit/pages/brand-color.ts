/** What a page takes from an organization's color: its hue and chroma. Lightness stays that of the page, for the contrast. */
export interface BrandTone {
  /** OKLCH hue in degrees. */
  hue: number;
  /** OKLCH chroma, from 0, a gray, to that of the pages' own accents. */
  chroma: number;
  /** Black or white: the one that reads better on the color itself. */
  onColor: '#000' | '#fff';
  /** Whether the color cannot be told from a light page. */
  isPale: boolean;
  /** Whether the color cannot be told from a dark page. */
  isDim: boolean;
}

/** The chroma of the pages' accents. */
const FULL_CHROMA = 0.11;
/** Relative luminance at which black and white have the same contrast (WCAG 2.2). */
const MIDDLE = 0.179;
/** Relative luminances with a contrast of 1.3 to the grounds of the pages. */
const PALE = 0.71;
const DIM = 0.03;

/**
 * `color` is `#rrggbb`. By Björn Ottosson's definition of OKLab.
 *
 * @example
 * ```ts
 * import { brandTone } from 'work-suite/kit';
 *
 * const tone = brandTone('#336699');
 * ```
 */
export function brandTone(color: string): BrandTone {
  const [r, g, b] = [1, 3, 5].map((at) => linear(Number.parseInt(color.slice(at, at + 2), 16) / 255));
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const [x, y] = [1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s, 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s];
  const luminance = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  return {
    hue: Math.round((Math.atan2(y, x) * 180) / Math.PI + 360) % 360,
    chroma: Math.round(Math.min(FULL_CHROMA, Math.hypot(x, y)) * 1000) / 1000,
    onColor: luminance > MIDDLE ? '#000' : '#fff',
    isPale: luminance > PALE,
    isDim: luminance < DIM,
  };
}

/** A color as `#rrggbb`; `lightness` and `chroma` as in OKLCH, from 0 to 1. What a screen cannot show is clipped. */
export function hexOf(lightness: number, chroma: number, hue: number): string {
  const [x, y] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)];
  const l = (lightness + 0.3963377774 * x + 0.2158037573 * y) ** 3;
  const m = (lightness - 0.1055613458 * x - 0.0638541728 * y) ** 3;
  const s = (lightness - 0.0894841775 * x - 1.291485548 * y) ** 3;
  return `#${[
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
    .map((channel) => Math.round(255 * encoded(Math.min(1, Math.max(0, channel)))))
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')}`;
}

function encoded(channel: number): number {
  return channel <= 0.0031308 ? channel * 12.92 : 1.055 * channel ** (1 / 2.4) - 0.055;
}

function linear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
}
