// Runs in the worker threads of PagePictures. A file can take seconds, and can crash PDFium.
import type { PdfProblem } from '../reading/pdf-text.js';
import type { DocumentPicture } from './document-picture.js';
import type { PageText } from './page-text.js';
import { greyPng } from './grey-png.js';
import type { SignaturePicture } from './signature-picture.js';
import { discardPdfium, isOfFile, openFile, type FoundText, type PageSize, type PdfiumFile, type TextSearch } from './pdfium.js';

/** A larger picture is a photo, as a scan is. */
const MOST_PNG_BYTES = 400_000;
const JPEG_QUALITY = 85;
const TRIAL_WIDTH = 100;
/** The memory of an instance of PDFium never shrinks. */
const MOST_KEPT_BYTES = 128 * 2 ** 20;

/** A file, named by its SHA-256. */
export interface FileInput {
  sha256: string;
  bytes: Uint8Array;
}

export interface PageInput extends FileInput {
  /** From 1. */
  page: number;
}

export interface FindInput extends FileInput {
  searches: readonly TextSearch[];
  /** The most places of a text. */
  most: number;
}

export interface PictureInput extends PageInput {
  /** In pixels. */
  width: number;
}

export interface Picture {
  type: 'image/png' | 'image/jpeg';
  bytes: Uint8Array;
}

/** The file of the last call. The pages of a file are drawn one after the other. */
let open: { sha256: string; file: PdfiumFile } | undefined;

export function sizes(input: FileInput): Promise<PageSize[] | PdfProblem> {
  return onFile(input, (file) => file.sizes());
}

export function texts(input: PageInput): Promise<PageText[] | PdfProblem> {
  return onFile(input, (file) => file.texts(input.page));
}

export function find(input: FindInput): Promise<FoundText[][] | PdfProblem> {
  return onFile(input, (file) => file.find(input.searches, input.most));
}

/** Why a page of the file cannot be shown; no problem if all can. */
export function trial(input: FileInput): Promise<Partial<PdfProblem>> {
  return onFile(input, (file) => {
    const broken = Array.from({ length: file.pages }, (_, index) => index + 1).find((page) => file.draw(page, TRIAL_WIDTH) === null);
    return broken === undefined ? {} : undrawable(broken);
  });
}

export function picture(input: PictureInput): Promise<Picture | PdfProblem> {
  return onFile(input, async (file) => {
    const pixels = file.draw(input.page, input.width);
    if (pixels === null) return undrawable(input.page);
    const grey = greyPng(pixels);
    if (grey && grey.length <= MOST_PNG_BYTES) return { type: 'image/png', bytes: grey };
    const { default: sharp } = await import('sharp');
    const { data, width, height } = pixels;
    const image = sharp(data, { raw: { width, height, channels: 3 }, limitInputPixels: false });
    const png = grey ?? (await image.clone().png({ compressionLevel: 3 }).toBuffer());
    if (png.length <= MOST_PNG_BYTES) return { type: 'image/png', bytes: png };
    const jpeg = await image.jpeg({ quality: JPEG_QUALITY }).toBuffer();
    return jpeg.length < png.length ? { type: 'image/jpeg', bytes: jpeg } : { type: 'image/png', bytes: png };
  });
}

/** A picture of a signature that a party uploaded. */
export async function signature(bytes: Uint8Array): Promise<SignaturePicture | PdfProblem> {
  const { signaturePicture } = await import('./signature-picture.js');
  return signaturePicture(bytes).catch((error: unknown) => ({ problem: (error as Error).message }));
}

/** A picture that documents print. */
export async function image(bytes: Uint8Array): Promise<DocumentPicture | PdfProblem> {
  const { documentPicture } = await import('./document-picture.js');
  return documentPicture(bytes).catch((error: unknown) => ({ problem: (error as Error).message }));
}

function undrawable(page: number): PdfProblem {
  return { problem: `has a page that cannot be drawn (${page})` };
}

async function onFile<R>({ sha256, bytes }: FileInput, use: (file: PdfiumFile) => R | Promise<R>): Promise<R | PdfProblem> {
  try {
    if (open?.sha256 !== sha256) {
      open?.file.close();
      open = undefined;
      const file = await openFile(bytes);
      if ('problem' in file) return file;
      open = { sha256, file };
    }
    const result = await use(open.file);
    if (open.file.memoryBytes > MOST_KEPT_BYTES) forget();
    return result;
  } catch (error) {
    forget();
    if (!isOfFile(error)) throw error;
    return { problem: 'has contents that cannot be drawn' };
  }
}

/** A file that broke PDFium leaves memory behind that cannot be trusted, and a large one memory that never shrinks. */
function forget(): void {
  open = undefined;
  discardPdfium();
}
