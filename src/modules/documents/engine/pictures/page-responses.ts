import { CommonErrors, FileResponse, html, PRIVATE_HEADERS } from '../../../../kit/index.js';
import type { PagePictures, PdfSource } from './page-pictures.service.js';
import type { PictureQuery } from './pages.dto.js';

/** The address of a page names the file, so that its picture never changes. */
const CACHED = { ...PRIVATE_HEADERS, 'Cache-Control': 'private, no-transform, max-age=3600, immutable' };
/** Positions are thousandths of the page's width. */
const GRAIN = 1000;

/** A page as a picture. */
export async function pictureResponse(
  pictures: PagePictures,
  source: PdfSource,
  page: string,
  { width = '1440' }: PictureQuery,
): Promise<FileResponse> {
  const { type, bytes } = await pictures.picture(source, numberOf(page), Number(width));
  return new FileResponse(type, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), { headers: CACHED });
}

/** The text of a page as an SVG that lies over the picture, so that it can be selected. */
export async function pageTextResponse(pictures: PagePictures, source: PdfSource, page: string): Promise<FileResponse> {
  const number = numberOf(page);
  const { sizes } = await pictures.pages(source);
  if (number > sizes.length) throw notFound();
  const { width, height } = sizes[number - 1];
  const texts = await pictures.texts(source, number);
  const tall = (GRAIN * height) / width;
  const svg = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${GRAIN} ${rounded(tall)}" preserveAspectRatio="none">${texts.map(
    ({ text, x, y, w, h }) =>
      html`<text x="${rounded(x * GRAIN)}" y="${rounded((y + h * 0.8) * tall)}" font-size="${rounded(h * tall)}" textLength="${rounded(
        w * GRAIN,
      )}" lengthAdjust="spacingAndGlyphs" xml:space="preserve">${text.replace(/[\s\p{Cc}]+/gu, ' ')}</text>
`,
  )}</svg>`;
  return new FileResponse('image/svg+xml', svg.markup, { headers: { ...CACHED, 'Content-Security-Policy': "default-src 'none'" } });
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
