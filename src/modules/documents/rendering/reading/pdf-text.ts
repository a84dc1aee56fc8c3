/** A piece of text on a page; positions are fractions of the page as it is shown, from its top left corner. */
export interface PlacedText {
  text: string;
  x: number;
  y: number;
  w: number;
  h: number;
}

/** A filled-in field of a PDF form. */
export interface PlacedField extends Omit<PlacedText, 'text'> {
  value: string | boolean;
}

export interface PageText {
  texts: PlacedText[];
  fields: PlacedField[];
}

/** A file with more pages or text than this is not a filled-in form. */
const MOST_PAGES = 200;
const MOST_TEXTS = 20_000;
const MOST_CHARACTERS = 200_000;

/** Why a file cannot be read: not a PDF, damaged, protected by a password, or too long. */
export interface PdfProblem {
  problem: string;
}

/** Reads the text and the form fields of the pages that are asked for. Runs in a worker thread: a file can take seconds. */
export async function readPdfText(
  bytes: Uint8Array,
  pages: readonly number[],
): Promise<{ count: number; pages: Map<number, PageText> } | PdfProblem> {
  const { getDocumentProxy } = await import('unpdf');
  let document: Awaited<ReturnType<typeof getDocumentProxy>>;
  try {
    // no fonts, scripts or other files are needed to read text
    document = await getDocumentProxy(new Uint8Array(bytes), {
      disableFontFace: true,
      useSystemFonts: false,
      verbosity: 0,
    });
  } catch (error) {
    const name = (error as Error).name;
    return { problem: name === 'PasswordException' ? 'is protected by a password' : 'is not a PDF that can be read' };
  }
  try {
    if (document.numPages > MOST_PAGES) return { problem: `has ${document.numPages} pages; at most ${MOST_PAGES} are read` };
    const read = new Map<number, PageText>();
    for (const number of pages.filter((page) => page <= document.numPages))
      read.set(number, await pageText(await document.getPage(number)));
    return { count: document.numPages, pages: read };
  } catch {
    return { problem: 'is not a PDF that can be read' };
  } finally {
    await document.loadingTask.destroy();
  }
}

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof import('unpdf').getDocumentProxy>>['getPage']>>;

async function pageText(page: Page): Promise<PageText> {
  const viewport = page.getViewport({ scale: 1 });
  const place = (points: [x: number, y: number][]) => {
    const shown = points.map(([x, y]) => viewport.convertToViewportPoint(x, y) as [number, number]);
    const [xs, ys] = [shown.map(([x]) => x / viewport.width), shown.map(([, y]) => y / viewport.height)];
    const [x, y] = [Math.min(...xs), Math.min(...ys)];
    return { x, y, w: Math.max(...xs) - x, h: Math.max(...ys) - y };
  };
  const { items } = await page.getTextContent();
  const texts: PlacedText[] = [];
  let characters = 0;
  for (const item of items.slice(0, MOST_TEXTS)) {
    if (!('str' in item) || item.str.trim() === '') continue;
    if ((characters += item.str.length) > MOST_CHARACTERS) break;
    const [a, b, c, d, e, f] = item.transform as number[];
    const [width, height] = [item.width / (Math.hypot(a, b) || 1), item.height / (Math.hypot(c, d) || 1)];
    const at = (u: number, v: number): [number, number] => [e + a * u + c * v, f + b * u + d * v];
    texts.push({ text: item.str, ...place([at(0, 0), at(width, 0), at(0, height), at(width, height)]) });
  }
  const fields: PlacedField[] = [];
  for (const annotation of (await page.getAnnotations()) as Widget[]) {
    if (annotation.subtype !== 'Widget' || !annotation.rect) continue;
    const value = valueOf(annotation);
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
  return typeof text === 'string' && text !== '' ? text : null;
}
