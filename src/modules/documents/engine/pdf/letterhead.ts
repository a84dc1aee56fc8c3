import { brandTone } from '../../../../kit/index.js';

/** The organization as its documents show it. */
export interface Letterhead {
  name: string;
  /** Of the name, as `#rrggbb`. */
  ink: string;
  /** Of the line below it. */
  color: string;
  /** A PNG or JPEG file, in base64. */
  logo: string | null;
}

const INK = '#14181f';

/** On white paper, a light color can be seen, but not read; a pale one neither. Threads get the result, so that they need no kit. */
export function letterheadOf({ color, ...rest }: { name: string; color: string | null; logo: string | null }): Letterhead {
  const tone = color === null ? null : brandTone(color);
  return {
    ...rest,
    ink: color === null || tone?.onColor === '#000' ? INK : color,
    color: color === null || tone?.isPale ? INK : color,
  };
}
