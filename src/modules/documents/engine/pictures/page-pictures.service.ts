import { hash } from 'node:crypto';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { CommonErrors } from '../../../../kit/index.js';
import { compiledWorker, WorkerThreads } from '../threads/worker-threads.js';
import type { PdfProblem } from '../reading/pdf-text.js';
import type { FileInput, PageInput, Picture, PictureInput } from './picture-worker.js';
import type { PageSize, PageText } from './pdfium.js';

/** Files and pictures that stay in memory, so that the pages of a document are drawn once for all its readers. */
const MOST_FILE_BYTES = 32 * 2 ** 20;
const MOST_PICTURE_BYTES = 32 * 2 ** 20;
const MOST_DOCUMENTS = 1_000;

/** A PDF that is read only if it is not in memory. */
export interface PdfSource {
  /** Names the bytes: other bytes have another key. */
  key: string;
  load(): Promise<Buffer>;
}

/** The pages of a document as a reader shows them. */
export interface ShownPages {
  /** Of the PDF. */
  sha256: string;
  /** Of each page; none if the file cannot be read. */
  sizes: PageSize[];
}

/** Draws the pages of documents, in a thread that is stopped if a file takes too long. */
@Injectable()
export class PagePictures implements OnApplicationShutdown {
  private readonly logger = new Logger(PagePictures.name);
  private readonly threads = new WorkerThreads({
    what: 'picture of the page',
    worker: compiledWorker(new URL('./picture-worker.js', import.meta.url)),
    threads: 1,
    idleMs: 60_000,
    timeoutMs: 10_000,
    maxWaiting: 200,
    maxHeapMb: 256,
  });
  private readonly files = new LRUCache<string, FileInput>({ maxSize: MOST_FILE_BYTES, sizeCalculation: ({ bytes }) => bytes.length });
  private readonly sizes = new LRUCache<string, PageSize[]>({ max: MOST_DOCUMENTS });
  private readonly pictures = new LRUCache<string, Picture>({ maxSize: MOST_PICTURE_BYTES, sizeCalculation: ({ bytes }) => bytes.length });

  async pages(source: PdfSource): Promise<ShownPages> {
    const file = await this.file(source);
    const known = this.sizes.get(file.sha256);
    if (known) return { sha256: file.sha256, sizes: known };
    const found = await this.threads.run<PageSize[] | PdfProblem>('sizes', file);
    if ('problem' in found) this.logger.error(`A PDF cannot be shown (SHA-256 ${file.sha256}): it ${found.problem}.`);
    const sizes = 'problem' in found ? [] : found;
    this.sizes.set(file.sha256, sizes);
    return { sha256: file.sha256, sizes };
  }

  /** `width` in pixels. */
  async picture(source: PdfSource, page: number, width: number): Promise<Picture> {
    const file = await this.file(source);
    const key = `${file.sha256}:${page}:${width}`;
    const known = this.pictures.get(key);
    if (known) return known;
    const input: PictureInput = { ...file, page, width };
    const picture = orNotFound(await this.threads.run<Picture | PdfProblem>('picture', input));
    this.pictures.set(key, picture);
    return picture;
  }

  async texts(source: PdfSource, page: number): Promise<PageText[]> {
    const input: PageInput = { ...(await this.file(source)), page };
    return orNotFound(await this.threads.run<PageText[] | PdfProblem>('texts', input));
  }

  /** Why an uploaded file cannot be shown; null if it can. */
  async problem(bytes: Uint8Array): Promise<string | null> {
    const input: FileInput = { sha256: hash('sha256', bytes), bytes };
    return (await this.threads.run<Partial<PdfProblem>>('trial', input)).problem ?? null;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.threads.close();
  }

  private async file({ key, load }: PdfSource): Promise<FileInput> {
    const known = this.files.get(key);
    if (known) return known;
    const bytes = await load();
    const file = { sha256: hash('sha256', bytes), bytes };
    this.files.set(key, file);
    return file;
  }
}

function orNotFound<R extends object>(result: R | PdfProblem): R {
  if ('problem' in result) throw CommonErrors.notFound({ message: `The file ${result.problem}.` });
  return result;
}
