import { TooLong, withinLimits } from './reading-limits.js';
import { contentOf, matchesOf, type PageText, type PlacedField, type PlacedText, type ZoneContent, type ZoneToRead } from './zone-text.js';

/** A file with more than this is not a filled-in form. The texts and characters are those of all pages that have zones. */
const MOST_PAGES = 200;
const MOST_TEXTS = 100_000;
const MOST_CHARACTERS = 1_000_000;
/** Zones can overlap, so that 500 of them can contain the whole text 500 times. */
const MOST_ZONE_LINES = 10_000;
const MOST_ZONE_CHARACTERS = 200_000;

/** Of a file of 200 pages, also if it places each word on its own. */
const MOST_FILE_TEXTS = 300_000;

/** Why a file cannot be read: not a PDF, damaged, protected by a password, or too long. */
export interface PdfProblem {
  problem: string;
}

/** The number of pages, and the content of each zone in their order; null if the file has no such page. */
export interface ZoneContents {
  count: number;
  /** That the file states for itself. */
  title: string | null;
  contents: (ZoneContent | null)[];
}

type Document = Awaited<ReturnType<typeof import('unpdf').getDocumentProxy>>;

/**
 * Reads what the zones of a file contain. Runs in a worker thread: a file can take seconds. Returns no more than a caller on the
 * main thread can work through in a moment.
 */
export async function readZones(bytes: Uint8Array, zones: readonly ZoneToRead[]): Promise<ZoneContents | PdfProblem> {
  return reading(bytes, (document) => contentsOf(document, zones));
}

/**
 * The texts and form fields of all pages, for a caller in the same thread. What the caller has `added` to the file does not count
 * towards the limits.
 */
export async function readPages(bytes: Uint8Array, added: Partial<Count> = {}): Promise<PageText[] | PdfProblem> {
  return reading(bytes, async (document) => {
    const pages: PageText[] = [];
    const read = budget({ text: MOST_FILE_TEXTS, character: MOST_CHARACTERS }, 'on its pages', added);
    for (let page = 1; page <= document.numPages; page++) pages.push(await pageText(await document.getPage(page), read));
    return pages;
  });
}

async function reading<R>(bytes: Uint8Array, use: (document: Document) => Promise<R>): Promise<R | PdfProblem> {
  const { getDocumentProxy } = await import('unpdf');
  let document: Document | undefined;
  try {
    return await withinLimits(async () => {
      // no fonts, scripts or other files are needed to read text
      document = await getDocumentProxy(new Uint8Array(bytes), { disableFontFace: true, useSystemFonts: false, verbosity: 0 });
      return use(document);
    });
  } catch (error) {
    if (error instanceof TooLong) return { problem: error.message };
    return { problem: (error as Error).name === 'PasswordException' ? 'is protected by a password' : 'is not a PDF that can be read' };
  } finally {
    await document?.loadingTask.destroy();
  }
}

/** The number of pages that a reader sees, which repairs a damaged file. */
export async function pageCount(bytes: Uint8Array): Promise<number> {
  const { getDocumentProxy } = await import('unpdf');
  const document = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
  const { numPages } = document;
  await document.loadingTask.destroy();
  return numPages;
}

async function contentsOf(document: Document, zones: readonly ZoneToRead[]): Promise<ZoneContents> {
  const { numPages: count } = document;
  if (count > MOST_PAGES) throw new TooLong(`has ${count} pages; at most ${MOST_PAGES} are read`);
  const pages = new Map<number, PageText>();
  const read = budget({ text: MOST_TEXTS, character: MOST_CHARACTERS }, 'on the pages with zones');
  for (const page of new Set(zones.map(({ page: number }) => number)))
    if (page <= count) pages.set(page, await pageText(await document.getPage(page), read));
  const found = budget({ line: MOST_ZONE_LINES, character: MOST_ZONE_CHARACTERS }, 'in its zones');
  const contents = zones.map((zone) => {
    const page = pages.get(zone.page);
    if (!page) return null;
    const content = contentOf(page, zone);
    for (const line of content.lines) found({ line: 1, character: line.length });
    return { ...content, matches: matchesOf(content.lines, zone) };
  });
  return { count, title: await titleOf(document), contents };
}

const LONGEST_TITLE = 1_000;

async function titleOf(document: Document): Promise<string | null> {
  const { info } = await document.getMetadata();
  const { Title: title } = info as { Title?: unknown };
  return typeof title === 'string' ? storable(title.slice(0, LONGEST_TITLE)) : null;
}

/** Of texts, and of their characters. */
type Count = Record<'text' | 'character', number>;

/** Counts what was read; throws at the first that exceeds its limit and what is free. */
function budget<K extends string>(
  limits: Record<K, number>,
  where: string,
  free: Partial<Record<K, number>> = {},
): (used: Record<K, number>) => void {
  const left = { ...limits };
  for (const unit of Object.keys(limits) as K[]) left[unit] += free[unit] ?? 0;
  return (used) => {
    for (const unit of Object.keys(used) as K[])
      if ((left[unit] -= used[unit]) < 0) throw new TooLong(`has more than ${limits[unit].toLocaleString('en')} ${unit}s ${where}`);
  };
}

type Page = Awaited<ReturnType<Document['getPage']>>;
type TextContent = Awaited<ReturnType<Page['getTextContent']>>;
type TextItem = Extract<TextContent['items'][number], { str: string }>;

/** Streamed, so that reading ends at a limit. pdf.js needs a reason to cancel, which `for await` over its stream does not give. */
async function* itemsOf(page: Page): AsyncGenerator<TextContent['items']> {
  const reader = (page.streamTextContent() as ReadableStream<TextContent>).getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value.items;
  } finally {
    // not awaited: it has no end if pdf.js has read the whole page, but not all of it was taken
    void reader.cancel(new Error('The rest is not needed.')).catch(() => undefined);
  }
}

async function pageText(page: Page, read: (used: Count) => void): Promise<PageText> {
  const viewport = page.getViewport({ scale: 1 });
  const place = (points: [x: number, y: number][]) => {
    const shown = points.map(([x, y]) => viewport.convertToViewportPoint(x, y) as [number, number]);
    const [xs, ys] = [shown.map(([x]) => x / viewport.width), shown.map(([, y]) => y / viewport.height)];
    const [x, y] = [Math.min(...xs), Math.min(...ys)];
    return { x, y, w: Math.max(...xs) - x, h: Math.max(...ys) - y };
  };
  const printed: TextItem[] = [];
  for await (const items of itemsOf(page)) {
    for (const item of items) {
      if (!('str' in item)) continue;
      read({ text: 1, character: item.str.length });
      if (item.str.trim() !== '') printed.push(item);
    }
  }
  // behind the limits: to place a text takes as long as to read it
  const texts = printed.map((item): PlacedText => {
    const [a, b, c, d, e, f] = item.transform as number[];
    const [width, height] = [item.width / (Math.hypot(a, b) || 1), item.height / (Math.hypot(c, d) || 1)];
    const at = (u: number, v: number): [number, number] => [e + a * u + c * v, f + b * u + d * v];
    return { text: storable(item.str), ...place([at(0, 0), at(width, 0), at(0, height), at(width, height)]) };
  });
  const fields: PlacedField[] = [];
  for (const annotation of (await page.getAnnotations()) as Widget[]) {
    if (annotation.subtype !== 'Widget' || !annotation.rect) continue;
    const value = valueOf(annotation);
    read({ text: 1, character: typeof value === 'string' ? value.length : 0 });
    const [left, bottom, right, top] = annotation.rect;
    if (value !== null)
      fields.push({
        value,
        ...place([
          [left, bottom],
          [right, top],
        ]),
      });
  }
  return { texts, fields };
}

interface Widget {
  subtype: string;
  rect?: number[];
  fieldValue?: unknown;
  checkBox?: boolean;
  radioButton?: boolean;
  exportValue?: string;
  buttonValue?: string;
}

function valueOf({ fieldValue, checkBox, radioButton, exportValue, buttonValue }: Widget): string | boolean | null {
  if (checkBox || radioButton) return fieldValue === (checkBox ? exportValue : buttonValue);
  const text = Array.isArray(fieldValue) ? fieldValue.join(', ') : fieldValue;
  return typeof text === 'string' && text !== '' ? storable(text) : null;
}

/** PostgreSQL stores neither NUL nor unpaired surrogates. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
