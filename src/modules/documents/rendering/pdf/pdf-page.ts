import pdfmake, { type Content } from 'pdfmake';
import { loadFonts, printable, SANS, SERIF } from './pdf-fonts.js';
import type { Watermark } from '../content/render-html.js';

/** Header, footer and metadata of the file. */
export interface PageFrame {
  title: string;
  number: string | null;
  subject: string;
  language: string;
  /** Written to the file instead of the current time, so that the same document has the same bytes and hash. */
  created_at: Date;
  watermark?: Watermark;
  /** Name of the part, if these pages are a part of a file with its own page numbers. */
  part?: string;
}

export const PAGE = { width: 595.28, margin: 68 };
export const TEXT_WIDTH = PAGE.width - 2 * PAGE.margin;
const CREATOR = 'Work suite';
const GREY = '#595959';
const LONGEST_HEADER = 80;

/** Typesets content. `build` gets the function that makes text printable. */
export async function typeset(frame: PageFrame, build: (text: (raw: string) => string) => Content[]): Promise<Buffer> {
  const characters = await loadFonts();
  const text = (raw: string) => printable(raw, characters);
  return pdfmake.createPdf(definition(frame, build(text), text)).getBuffer();
}

function definition(frame: PageFrame, content: Content[], text: (raw: string) => string): Parameters<typeof pdfmake.createPdf>[0] {
  const [title, number] = [text(frame.title).replace(/\s+/g, ' '), frame.number === null ? '' : text(frame.number)];
  const short = title.length > LONGEST_HEADER ? `${title.slice(0, LONGEST_HEADER).trimEnd()}…` : title;
  const line = (left: string, right: string) => ({
    columns: [
      { text: left, width: '*' },
      { text: right, width: 'auto', alignment: 'right' as const },
    ],
    columnGap: 16,
    font: SANS,
    fontSize: 7.5,
    color: GREY,
  });
  return {
    version: '1.7',
    pageSize: 'A4',
    pageMargins: [PAGE.margin, 76, PAGE.margin, 72],
    language: frame.language,
    displayTitle: true,
    info: {
      title,
      subject: text(frame.subject),
      creator: CREATOR,
      producer: CREATOR,
      creationDate: frame.created_at,
      modDate: frame.created_at,
    },
    defaultStyle: { font: SERIF, fontSize: 9.5, lineHeight: 1.32, color: '#111111' },
    header: () => ({ ...line(short, number), margin: [PAGE.margin, 38, PAGE.margin, 0] }),
    footer: (page, pages) => ({
      ...line([frame.part, frame.watermark].filter(Boolean).join(' · '), `Page ${page} of ${pages}`),
      margin: [PAGE.margin, 28, PAGE.margin, 0],
    }),
    ...(frame.watermark ? { watermark: { text: frame.watermark, font: SANS, bold: true, color: '#9b1c1c', opacity: 0.1 } } : {}),
    content,
  };
}
