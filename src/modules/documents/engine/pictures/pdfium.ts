import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { PdfProblem } from '../reading/pdf-text.js';
import { TextOfPage, withoutSpace, type PageText } from './page-text.js';
import type { Pdfium } from './pdfium-module.js';

/** Of WebAssembly, of which Node's types have nothing. */
interface Memory {
  readonly buffer: ArrayBuffer;
  grow(this: Memory, pages: number): number;
}

/** A file needs its own size, its largest decoded picture and the page that is drawn. */
const MOST_MEMORY_BYTES = 512 * 2 ** 20;
/** A page can be a hundred times as high as wide. */
const MOST_PIXELS = 16_000_000;
/** Documents with more pages show their text only. */
const MOST_SHOWN_PAGES = 500;

const WRONG_PASSWORD = 4;
const WHITE = 0xffffffff;
const BYTES_PER_PIXEL = 3;
/** `FPDFBitmap_BGR`; `REVERSE_BYTE_ORDER` makes it RGB. */
const BGR = 2;
const ANNOTATIONS = 0x01;
const REVERSE_BYTE_ORDER = 0x10;

export interface PageSize {
  /** In points, as a reader shows the page: cropped and turned. */
  width: number;
  height: number;
}

/** A text to find, whatever its white space; on all pages if `page` is null. */
export interface TextSearch {
  text: string;
  page: number | null;
}

/** Where a text stands. */
export interface FoundText extends Omit<PageText, 'text'> {
  page: number;
}

/** Rows of RGB pixels. */
export interface Pixels {
  width: number;
  height: number;
  data: Uint8Array;
}

let pdfium: Promise<Pdfium> | undefined;
let isLimited = false;

/** Opens a file in the PDFium of this thread. */
export async function openFile(bytes: Uint8Array): Promise<PdfiumFile | PdfProblem> {
  const module = await pdfiumOfThread();
  const address = module.pdfium.wasmExports.malloc(bytes.length);
  if (address === 0) return { problem: 'takes too much memory to read' };
  module.pdfium.HEAPU8.set(bytes, address);
  const document = module.FPDF_LoadMemDocument(address, bytes.length, '');
  if (document === 0) {
    const isProtected = module.FPDF_GetLastError() === WRONG_PASSWORD;
    module.pdfium.wasmExports.free(address);
    return { problem: isProtected ? 'is protected by a password' : 'is not a PDF that can be read' };
  }
  const file = new PdfiumFile(module, address, document);
  if (file.pages <= MOST_SHOWN_PAGES) return file;
  file.close();
  return { problem: `has ${file.pages} pages; at most ${MOST_SHOWN_PAGES} are shown` };
}

export function pdfiumOfThread(): Promise<Pdfium> {
  return (pdfium ??= load());
}

/** Whether a file broke PDFium, whose memory then cannot be trusted, or needs more than the limit. */
export function isOfFile(error: unknown): boolean {
  return error instanceof RangeError || (error instanceof Error && error.name === 'RuntimeError');
}

/** The next file is opened in a new instance. */
export function discardPdfium(): void {
  pdfium = undefined;
}

async function load(): Promise<Pdfium> {
  limitMemory();
  const { init } = await import('@embedpdf/pdfium');
  const wasm = await readFile(fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm')));
  const module = (await init({ wasmBinary: new Uint8Array(wasm).buffer, printErr: () => undefined } as Parameters<
    typeof init
  >[0])) as Pdfium;
  module.PDFiumExt_Init();
  return module;
}

/**
 * `resourceLimits` of a thread do not count the memory of WebAssembly. An allocation beyond the limit fails, as without memory. This relies
 * on the package growing its memory from JavaScript, so its version is pinned; a test fails if a new one does not.
 */
function limitMemory(): void {
  if (isLimited) return;
  isLimited = true;
  const { prototype } = (globalThis as unknown as { WebAssembly: { Memory: { prototype: Memory } } }).WebAssembly.Memory;
  const grow = Object.getOwnPropertyDescriptor(prototype, 'grow')?.value as Memory['grow'];
  prototype.grow = function (this: Memory, pages: number) {
    if (this.buffer.byteLength + pages * 65_536 > MOST_MEMORY_BYTES) throw new RangeError('The file takes too much memory.');
    return grow.call(this, pages);
  };
}

/** An open file. Pages are numbered from 1. */
export class PdfiumFile {
  readonly pages: number;
  private readonly formInfo: number;
  private readonly form: number;

  constructor(
    private readonly module: Pdfium,
    private readonly address: number,
    private readonly document: number,
  ) {
    this.pages = module.FPDF_GetPageCount(document);
    // without it PDFium draws no form fields
    this.formInfo = module.PDFiumExt_OpenFormFillInfo();
    this.form = module.PDFiumExt_InitFormFillEnvironment(document, this.formInfo);
  }

  get memoryBytes(): number {
    return this.module.pdfium.HEAPU8.length;
  }

  sizes(): PageSize[] {
    return this.within(8, (size) =>
      Array.from({ length: this.pages }, (_, index) => {
        if (!this.module.FPDF_GetPageSizeByIndexF(this.document, index, size)) return { width: 0, height: 0 };
        return { width: this.float(size), height: this.float(size + 4) };
      }),
    );
  }

  /** Null for a page that cannot be drawn: damaged, without an area, or too large. */
  draw(number: number, maxWidth: number): Pixels | null {
    return this.onPage(number, (page) => {
      const [pageWidth, pageHeight] = [this.module.FPDF_GetPageWidthF(page), this.module.FPDF_GetPageHeightF(page)];
      if (!(pageWidth > 0 && pageHeight > 0)) return null;
      const width = Math.max(1, Math.floor(Math.min(maxWidth, Math.sqrt((MOST_PIXELS * pageWidth) / pageHeight))));
      const height = Math.max(1, Math.round((width * pageHeight) / pageWidth));
      const bitmap = this.module.FPDFBitmap_CreateEx(width, height, BGR, 0, 0);
      if (bitmap === 0) return null;
      try {
        const flags = ANNOTATIONS | REVERSE_BYTE_ORDER;
        this.module.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
        this.module.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags);
        this.module.FPDF_FFLDraw(this.form, bitmap, page, 0, 0, width, height, 0, flags);
        return { width, height, data: this.rows(bitmap, width * BYTES_PER_PIXEL, height) };
      } finally {
        this.module.FPDFBitmap_Destroy(bitmap);
      }
    });
  }

  /** The text of a page in the order of its contents. */
  texts(number: number): PageText[] {
    return this.onPage(number, (page) => TextOfPage.on(this.module, page, (text) => text.runs())) ?? [];
  }

  /** The places of each text, in the order of the pages and their contents; at most `most`. */
  find(searches: readonly TextSearch[], most: number): FoundText[][] {
    const found: FoundText[][] = searches.map(() => []);
    for (let page = 1; page <= this.pages; page++) {
      const wanted = searches.filter((search) => search.page === null || search.page === page);
      if (wanted.length === 0) continue;
      this.onPage(page, (handle) =>
        TextOfPage.on(this.module, handle, (content) => {
          const { text, characters } = content.withoutSpace();
          for (const [index, search] of searches.entries())
            if (wanted.includes(search))
              for (const [from, to] of occurrencesOf(withoutSpace(search.text), text, most - found[index].length))
                found[index].push({ page, ...content.boxOf(characters.slice(from, to)) });
        }),
      );
    }
    return found;
  }

  close(): void {
    this.module.PDFiumExt_ExitFormFillEnvironment(this.form);
    this.module.PDFiumExt_CloseFormFillInfo(this.formInfo);
    this.module.FPDF_CloseDocument(this.document);
    this.module.pdfium.wasmExports.free(this.address);
  }

  private rows(bitmap: number, bytes: number, height: number): Uint8Array {
    const [start, stride] = [this.module.FPDFBitmap_GetBuffer(bitmap), this.module.FPDFBitmap_GetStride(bitmap)];
    const rows = new Uint8Array(bytes * height);
    for (let row = 0; row < height; row += 1) {
      const from = start + row * stride;
      rows.set(this.module.pdfium.HEAPU8.subarray(from, from + bytes), row * bytes);
    }
    return rows;
  }

  private onPage<R>(number: number, use: (page: number) => R): R | null {
    const page = number >= 1 && number <= this.pages ? this.module.FPDF_LoadPage(this.document, number - 1) : 0;
    if (page === 0) return null;
    this.module.FORM_OnAfterLoadPage(page, this.form);
    try {
      return use(page);
    } finally {
      this.module.FORM_OnBeforeClosePage(page, this.form);
      this.module.FPDF_ClosePage(page);
    }
  }

  private within<R>(bytes: number, use: (address: number) => R): R {
    const address = this.module.pdfium.wasmExports.malloc(bytes);
    if (address === 0) throw new RangeError('The file takes too much memory.');
    try {
      return use(address);
    } finally {
      this.module.pdfium.wasmExports.free(address);
    }
  }

  private float(address: number): number {
    return this.module.pdfium.getValue(address, 'float');
  }
}

function* occurrencesOf(wanted: string, text: string, most: number): Generator<[from: number, to: number]> {
  if (wanted === '') return;
  for (let at = text.indexOf(wanted), count = 0; at >= 0 && count < most; at = text.indexOf(wanted, at + wanted.length), count++)
    yield [at, at + wanted.length];
}
