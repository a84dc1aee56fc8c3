import type { runningLines, RunningLine } from '../content/document-content.js';
import { pageSize, type PageSize } from '../content/page-layout.js';
import { watermarkText, type Watermark } from '../content/printed-words.js';
import { printable } from '../typst/glyphs.js';
import type { Letterhead } from './letterhead.js';

/** Header, footer and metadata of a file. */
export interface PageFrame {
  title: string;
  number: string | null;
  subject: string;
  /** BCP 47. */
  language: string;
  /** Written to the file instead of the current time, so that the same document has the same bytes and hash. */
  created_at: Date;
  watermark?: Watermark;
  /** Shown at the top of the first page. */
  letterhead?: Letterhead | null;
  /** Whether the text has the letterhead itself, so that the top of the first page does without. */
  isInText?: boolean;
  /** A4 with the standard margins if omitted. */
  size?: PageSize;
  /** The lines above and below the text; the standard ones if omitted. */
  lines?: ReturnType<typeof runningLines> | null;
  /** Name of the part, if these pages are a part of a file. */
  part?: string;
  /** The pages of the file before this part. */
  pagesBefore?: number;
}

const LONGEST_TITLE = 80;
const LOGO = '/logo';
const PAGE_LABELS: Record<string, string> = {
  en: 'Page {page} of {pages}',
  de: 'Seite {page} von {pages}',
  fr: 'Page {page} sur {pages}',
  es: 'Página {page} de {pages}',
};

/** The frame as the templates read it, with the files that it names. */
export function frameData(frame: PageFrame): { frame: object; files: Record<string, Uint8Array> } {
  const { letterhead, created_at: created, lines } = frame;
  const watermark = frame.watermark ? watermarkText(frame.watermark, frame.language) : null;
  const title = printable(frame.title).replace(/\s+/g, ' ').trim();
  const { language, region } = new Intl.Locale(frame.language);
  return {
    frame: {
      title,
      'running-title': title.length > LONGEST_TITLE ? `${title.slice(0, LONGEST_TITLE).trimEnd()}…` : title,
      number: printable(frame.number ?? ''),
      subject: printable(frame.subject),
      language,
      region: region ?? null,
      'brand-in-text': frame.isInText ?? false,
      note: [frame.part, watermark].filter(Boolean).join(' · '),
      watermark,
      sheet: frame.size ?? pageSize(null),
      header: linesOf(lines?.first_header ?? (letterhead ? null : lines?.header), lines?.header),
      footer: linesOf(lines?.first_footer ?? lines?.footer, lines?.footer),
      'page-label': PAGE_LABELS[language] ?? '{page} / {pages}',
      'pages-before': frame.pagesBefore ?? 0,
      brand: letterhead ? { ...letterhead, name: printable(letterhead.name), logo: letterhead.logo ? LOGO : null } : null,
      created: {
        year: created.getUTCFullYear(),
        month: created.getUTCMonth() + 1,
        day: created.getUTCDate(),
        hour: created.getUTCHours(),
        minute: created.getUTCMinutes(),
        second: created.getUTCSeconds(),
      },
    },
    files: letterhead?.logo ? { [LOGO]: Buffer.from(letterhead.logo, 'base64') } : {},
  };
}

/** The line of the first page and that of the others; null for the standard one. */
function linesOf(first: RunningLine | null | undefined, others: RunningLine | null | undefined): object {
  const printed = (line: RunningLine | null | undefined) =>
    line?.map((part) => part.map((piece) => (typeof piece === 'string' ? printable(piece) : piece))) ?? null;
  return { first: printed(first), others: printed(others) };
}
