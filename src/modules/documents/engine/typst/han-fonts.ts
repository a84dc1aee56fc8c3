import { createRequire } from 'node:module';

const packages = createRequire(import.meta.url);

const COUNTRIES = ['jp', 'sc', 'tc', 'kr'] as const;

/** The entry of a package of fonts, or null: the image contains these fonts, of 140 MB, only if it is built with them. */
export function hanFonts(country: (typeof COUNTRIES)[number]): string | null {
  try {
    return packages.resolve(`@embedpdf/fonts-${country}`);
  } catch {
    return null;
  }
}

export const HAS_HAN = COUNTRIES.every((country) => hanFonts(country) !== null);
