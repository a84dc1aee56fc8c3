import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { openFile } from '../../engine/pictures/pdfium.js';
import { has, run } from './programs.js';

/** Fractions of a page. */
export interface Place {
  page: number;
  x: number;
  y: number;
  w: number;
  h: number;
}

/** The brightness of a page, blurred, so that the edges of letters do not matter. */
export interface Picture {
  width: number;
  height: number;
  grey: Buffer;
}

const WIDTH = 250;
/** In dots per inch: about as many pixels. */
const RESOLUTION = 30;
const MOST_PAGES = 6;
/** How far around a place its ink may reach, as a fraction of the page. */
const MARGIN = 0.015;
const [FAINT, STRONG] = [25, 60];
/** Both renderers have typefaces of their own for fonts that a file names only. */
const [COARSE, ALIKE] = [[40, 50], 110];

/** The pages as this service shows them. */
export async function shown(pdf: Uint8Array): Promise<Picture[]> {
  const file = await openFile(pdf);
  if ('problem' in file) throw new Error(file.problem);
  const pages = Array.from({ length: Math.min(file.pages, MOST_PAGES) }, (_, index) => file.draw(index + 1, WIDTH));
  file.close();
  return Promise.all(
    pages.map(async (page, index) => {
      if (page === null) throw new Error(`PDFium draws no page ${index + 1}.`);
      const { data, width, height } = page;
      return { width, height, grey: await blurred(sharp(data, { raw: { width, height, channels: 3 } })) };
    }),
  );
}

/** The pages as poppler shows them; null if it is not installed. */
export async function shownByPoppler(path: string): Promise<Picture[] | null> {
  if (!has('pdftoppm')) return null;
  const dir = mkdtempSync(join(tmpdir(), 'corpus-'));
  try {
    const { status, stderr } = run('pdftoppm', [
      '-cropbox',
      '-png',
      '-r',
      String(RESOLUTION),
      '-l',
      String(MOST_PAGES),
      path,
      join(dir, 'page'),
    ]);
    if (status !== 0) throw new Error(`poppler draws no pages: ${stderr}`);
    const pages = readdirSync(dir).sort();
    return await Promise.all(
      pages.map(async (page) => {
        const bytes = readFileSync(join(dir, page));
        const { width, height } = await sharp(bytes).metadata();
        return { width, height, grey: await blurred(sharp(bytes)) };
      }),
    );
  } finally {
    rmSync(dir, { recursive: true });
  }
}

function blurred(image: Sharp): Promise<Buffer> {
  return image.flatten({ background: '#fff' }).greyscale().blur(1.5).raw().toBuffer();
}

/** What is wrong if a page differs outside of the places, or has nothing new in one of them. */
export function changesOutside(before: readonly Picture[], after: readonly Picture[], places: readonly Place[]): string[] {
  if (after.length < before.length) return [`${before.length - after.length} pages are gone`];
  return before.flatMap((one, index) => {
    const other = after[index];
    const page = `page ${index + 1}`;
    if (one.width !== other.width || one.height !== other.height)
      return [`${page} has another size: ${one.width} x ${one.height}, now ${other.width} x ${other.height}`];
    const here = places.filter((place) => place.page === index + 1);
    const ink = here.map(() => 0);
    let changed = 0;
    for (let y = 0; y < one.height; y++)
      for (let x = 0; x < one.width; x++) {
        const difference = Math.abs(one.grey[y * one.width + x] - other.grey[y * one.width + x]);
        if (difference <= FAINT) continue;
        const at = here.findIndex((place) => isIn(place, x / one.width, y / one.height));
        if (at >= 0) ink[at]++;
        else if (difference > STRONG) changed++;
      }
    const empty = here.filter((_, at) => ink[at] < 10);
    return [
      ...(changed > 0 ? [`${page} differs in ${changed} pixels`] : []),
      ...empty.map(({ x, y }) => `${page} has nothing at ${x}, ${y}`),
    ];
  });
}

/** What is wrong if pages look different from afar. */
export async function looksDifferent(one: readonly Picture[], other: readonly Picture[]): Promise<string[]> {
  const problems: string[] = [];
  for (let index = 0; index < Math.min(one.length, other.length); index++) {
    const [first, second] = await Promise.all([coarse(one[index]), coarse(other[index])]);
    const most = Math.max(...first.map((value, at) => Math.abs(value - second[at])));
    if (most > ALIKE) problems.push(`page ${index + 1} looks different: ${most}`);
  }
  return problems;
}

async function coarse({ grey, width, height }: Picture): Promise<Buffer> {
  const image = sharp(grey, { raw: { width, height, channels: 1 } }).blur(3);
  return image.resize(COARSE[0], COARSE[1], { fit: 'fill' }).greyscale().raw().toBuffer();
}

function isIn({ x, y, w, h }: Place, u: number, v: number): boolean {
  return u >= x - MARGIN && u <= x + w + MARGIN && v >= y - MARGIN && v <= y + h + MARGIN;
}
