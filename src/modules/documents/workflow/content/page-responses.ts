import { CommonErrors, FileResponse, html, PRIVATE_HEADERS } from '../../../../kit/index.js';
import type { PagePictures, PdfSource } from '../../engine/pictures/page-pictures.service.js';
import type { FileInput } from '../../engine/pictures/picture-worker.js';
import type { PageTextQuery, PictureQuery } from './pages.dto.js';

/** Positions are thousandths of the page's width. */
const GRAIN = 1000;
/** Whose first letter is of a script that is written from the right. */
const FROM_RIGHT = /^\P{L}*[\u0590-\u08ff\ufb1d-\ufefc]/u;

/** A page as a picture. */
export async function pictureResponse(
  pictures: PagePictures,
  source: PdfSource,
  page: string,
  { width = '1440', file: shown }: PictureQuery,
): Promise<FileResponse> {
  const file = await shownFile(pictures, source, shown);
  const { type, bytes } = await pictures.picture(file, numberOf(page), Number(width));
  return new FileResponse(type, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), { headers: PRIVATE_HEADERS });
}

/** The text of a page as an SVG that lies over the picture, so that it can be selected. */
export async function pageTextResponse(
  pictures: PagePictures,
  source: PdfSource,
  page: string,
  { file: shown }: PageTextQuery,
): Promise<FileResponse> {
  const number = numberOf(page);
  const file = await shownFile(pictures, source, shown);
  const { sizes } = await pictures.pages(source);
  if (number > sizes.length) throw notFound();
  const { width, height } = sizes[number - 1];
  const texts = await pictures.texts(file, number);
  const tall = (GRAIN * height) / width;
  const lines = texts.map(({ text, x, y, w, h }) => {
    const fromRight = FROM_RIGHT.test(text);
    const start = rounded((fromRight ? x + w : x) * GRAIN);
    const length = rounded(w * GRAIN);
    const place = html`x="${start}" y="${rounded((y + h * 0.8) * tall)}" font-size="${rounded(h * tall)}" textLength="${length}"`;
    const direction = fromRight ? html`direction="rtl" ` : '';
    return html`<text ${direction}${place} lengthAdjust="spacingAndGlyphs" xml:space="preserve">${visible(text)}</text>
`;
  });
  const box = `0 0 ${GRAIN} ${rounded(tall)}`;
  const svg = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}" preserveAspectRatio="none">${lines}</svg>`;
  return new FileResponse('image/svg+xml', svg.markup, {
    headers: { ...PRIVATE_HEADERS, 'Content-Security-Policy': "default-src 'none'" },
  });
}

/** `shown`: the file that the page names. If it was replaced since, a picture of the new one would stand beside those of the old one. */
async function shownFile(pictures: PagePictures, source: PdfSource, shown?: string): Promise<FileInput> {
  const file = await pictures.file(source);
  if (shown !== undefined && !file.sha256.startsWith(shown))
    throw CommonErrors.notFound({ message: 'The document has changed; open its page again.' });
  return file;
}

/** U+0002 is how PDFium reports a hyphen at the end of a line. XML has no control characters and no non-characters. */
function visible(text: string): string {
  return text.replaceAll('\u0002', '-').replace(/[\s\p{Cc}\uFFFE\uFFFF]+/gu, ' ');
}

function numberOf(page: string): number {
  if (!/^[1-9]\d{0,3}$/.test(page)) throw notFound();
  return Number(page);
}

function notFound(): Error {
  return CommonErrors.notFound({ message: 'The document has no such page.' });
}

function rounded(value: number): string {
  return String(Math.round(value * 100) / 100);
}
