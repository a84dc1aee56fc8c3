import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Face } from '../../model/records/signature-party.entity.js';
import { hanFonts } from './han-fonts.js';

const packages = createRequire(import.meta.url);

/** A typeface under a free license: the SIL Open Font License, or that of DejaVu. */
interface Family {
  /** As its font files have it. */
  name: string;
  files: string[];
}

const google = (name: string, ...faces: string[]): string[] =>
  faces.map((face) => packages.resolve(`@expo-google-fonts/${name}/${face}.ttf`));

const SERIF: Family = {
  name: 'Source Serif 4',
  files: google(
    'source-serif-4',
    '400Regular/SourceSerif4_400Regular',
    '400Regular_Italic/SourceSerif4_400Regular_Italic',
    '700Bold/SourceSerif4_700Bold',
    '700Bold_Italic/SourceSerif4_700Bold_Italic',
  ),
};
const SANS: Family = {
  name: 'Source Sans 3',
  files: google(
    'source-sans-3',
    '400Regular/SourceSans3_400Regular',
    '400Regular_Italic/SourceSans3_400Regular_Italic',
    '600SemiBold/SourceSans3_600SemiBold',
    '700Bold/SourceSans3_700Bold',
  ),
};
/** Scripts that the two typefaces lack, in the order in which they are tried. */
const SCRIPTS: Family[] = [
  // one glyph per letter: of fonts that draw the dots of a letter on their own, readers of a PDF repeat the letter
  { name: 'Amiri', files: google('amiri', '400Regular/Amiri_400Regular', '700Bold/Amiri_700Bold') },
  {
    name: 'Noto Serif Hebrew',
    files: google('noto-serif-hebrew', '400Regular/NotoSerifHebrew_400Regular', '700Bold/NotoSerifHebrew_700Bold'),
  },
  {
    name: 'Noto Serif Devanagari',
    files: google('noto-serif-devanagari', '400Regular/NotoSerifDevanagari_400Regular', '700Bold/NotoSerifDevanagari_700Bold'),
  },
  { name: 'Noto Sans Thai', files: google('noto-sans-thai', '400Regular/NotoSansThai_400Regular', '700Bold/NotoSansThai_700Bold') },
];
const han = (name: string, country: Parameters<typeof hanFonts>[0], file: string): Family[] => {
  // the package exports its entry only
  const entry = hanFonts(country);
  if (entry === null) return [];
  return [{ name, files: ['Regular', 'Bold'].map((face) => join(dirname(entry), '..', 'fonts', `${file}-${face}.otf`)) }];
};
const JAPANESE = han('Noto Sans Japanese', 'jp', 'NotoSansJP');
const SIMPLIFIED = han('Noto Sans S Chinese', 'sc', 'NotoSansHans');
const TRADITIONAL = han('Noto Sans T Chinese', 'tc', 'NotoSansHant');
const KOREAN = han('Noto Sans Korean', 'kr', 'NotoSansKR');
/** The faces of typed signatures. */
const HANDS: Record<Face, Family> = {
  pen: { name: 'Caveat', files: google('caveat', '400Regular/Caveat_400Regular') },
  script: { name: 'Great Vibes', files: google('great-vibes', '400Regular/GreatVibes_400Regular') },
};
const SYMBOLS: Family[] = [
  { name: 'Noto Emoji', files: google('noto-emoji', '400Regular/NotoEmoji_400Regular', '700Bold/NotoEmoji_700Bold') },
  { name: 'DejaVu Sans', files: ['DejaVuSans', 'DejaVuSans-Bold'].map((face) => packages.resolve(`dejavu-fonts-ttf/ttf/${face}.ttf`)) },
];
const FAMILIES = [SERIF, SANS, ...SCRIPTS, ...JAPANESE, ...SIMPLIFIED, ...TRADITIONAL, ...KOREAN, ...SYMBOLS];

/** By language: the same Chinese character has other shapes in each of them. */
const HAN: Record<string, Family[]> = {
  ja: [...JAPANESE, ...SIMPLIFIED, ...TRADITIONAL, ...KOREAN],
  ko: [...KOREAN, ...JAPANESE, ...SIMPLIFIED, ...TRADITIONAL],
  zh: [...SIMPLIFIED, ...TRADITIONAL, ...JAPANESE, ...KOREAN],
  'zh-Hant': [...TRADITIONAL, ...SIMPLIFIED, ...JAPANESE, ...KOREAN],
};
const TAIWAN = /^zh-(?:hant|tw|hk|mo)\b/i;

/** All font files. */
export function fontFiles(): string[] {
  return [...FAMILIES, ...Object.values(HANDS)].flatMap(({ files }) => files);
}

/** The names of the families to try, from the first, for text in a language (BCP 47). */
export function fontNames(language: string): Record<'serif' | 'sans' | Face, string[]> {
  const han = HAN[TAIWAN.test(language) ? 'zh-Hant' : language.slice(0, 2).toLowerCase()] ?? HAN.ja;
  const rest = [...SCRIPTS, ...han, ...SYMBOLS].map(({ name }) => name);
  const serif = [SERIF.name, SANS.name, ...rest];
  return { serif, sans: [SANS.name, SERIF.name, ...rest], pen: [HANDS.pen.name, ...serif], script: [HANDS.script.name, ...serif] };
}

/** The regular file of each family, from the most used. */
export function regularFiles(): string[] {
  return FAMILIES.map(({ files }) => files[0]);
}

/** The file of a face of signatures, for pages that show what will be printed. */
export function handFile(face: Face): string {
  return HANDS[face].files[0];
}

/** The file of a face of the two main families, whose widths decide the columns of tables. */
export function mainFile(family: 'serif' | 'sans', bold: boolean): string {
  const { files } = family === 'serif' ? SERIF : SANS;
  return files[bold ? 2 : 0];
}
