import { hash } from 'node:crypto';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { CommonErrors } from '../../../../kit/index.js';
import type { PdfProblem } from '../reading/pdf-text.js';
import { compiledWorker, tookTooLong, tookTooMuchMemory, WorkerThreads, type ThreadOptions } from '../threads/worker-threads.js';
import type { FileInput, FindInput, PageInput, Picture, PictureInput } from './picture-worker.js';
import type { DocumentPicture } from './document-picture.js';
import type { SignaturePicture } from './signature-picture.js';
import type { PageText } from './page-text.js';
import type { FoundText, PageSize, TextSearch } from './pdfium.js';

/** The widths of pictures in pixels: of a phone, of a screen, and of a screen with a high density. */
export const PICTURE_WIDTHS = ['720', '1440', '2160'] as const;

/** Files and pictures that stay in memory, so that the pages of a document are drawn once for all its readers. */
const MOST_FILE_BYTES = 32 * 2 ** 20;
const MOST_RESULT_BYTES = 32 * 2 ** 20;
/** About what a text or a size takes in memory. */
const ITEM_BYTES = 200;
/** What took too long once is tried again. */
const PROBLEM_TTL_MS = 10 * 60_000;
/** A draft also changes with the letterhead, which has no version. */
const FILE_TTL_MS = 60_000;

const THREADS: ThreadOptions = {
  what: 'picture of the page',
  worker: compiledWorker(new URL('./picture-worker.js', import.meta.url)),
  threads: 1,
  idleMs: 60_000,
  // a busy machine needs a multiple of the second that a page takes on an idle one
  timeoutMs: 90_000,
  maxCpuMs: 30_000,
  maxWaiting: 30,
  maxHeapMb: 256,
  maxMemoryMb: 1280,
  inProcesses: true,
};
/** Every page of an uploaded file is drawn once. */
const TRIALS: ThreadOptions = { ...THREADS, what: 'trial of the file', maxWaiting: 10 };

/** A PDF that is read only if it is not in memory. */
export interface PdfSource {
  /** Names the version of the document: another one has another key. */
  key: string;
  load(): Promise<Buffer>;
}

/** The pages of a document as a reader shows them. */
export interface ShownPages {
  /** Of the PDF. */
  sha256: string;
  /** Of each page; none if the file cannot be drawn now. */
  sizes: readonly PageSize[];
}

type Result = Picture | PageSize[] | PageText[];

function sizeOf(result: Result | PdfProblem): number {
  if ('bytes' in result) return result.bytes.length;
  return ITEM_BYTES * (Array.isArray(result) ? result.length + 1 : 1);
}

/** Draws the pages of documents, in processes that are ended if a file takes too long or too much memory. */
@Injectable()
export class PagePictures implements OnApplicationShutdown {
  private readonly logger = new Logger(PagePictures.name);
  private readonly threads = new WorkerThreads(THREADS);
  /** The process of a trial has the file open when its first page is asked for. */
  private readonly trials = new WorkerThreads(TRIALS, this.threads);
  private readonly files = new LRUCache<string, FileInput>({
    maxSize: MOST_FILE_BYTES,
    sizeCalculation: ({ bytes }) => bytes.length,
    ttl: FILE_TTL_MS,
  });
  /** Problems are kept, too: a file that takes too long once is not tried again for every reader. */
  private readonly results = new LRUCache<string, Result | PdfProblem>({ maxSize: MOST_RESULT_BYTES, sizeCalculation: sizeOf });
  /** What is being loaded or drawn: readers who ask at the same time share it. */
  private readonly running = new Map<string, Promise<unknown>>();

  /** Never fails because of the file or of a busy thread: the page that asks has the text of the document as well. */
  async pages(source: PdfSource): Promise<ShownPages> {
    const file = await this.file(source);
    try {
      return { sha256: file.sha256, sizes: await this.result<PageSize[]>(`sizes ${file.sha256}`, 'sizes', file) };
    } catch (error) {
      this.logger.error(`The pages of a document are not shown (SHA-256 ${file.sha256}): ${(error as Error).message}`);
      return { sha256: file.sha256, sizes: [] };
    }
  }

  /** `width` in pixels. */
  picture(file: FileInput, page: number, width: number): Promise<Picture> {
    return this.result(`picture ${file.sha256}:${page}:${width}`, 'picture', { ...file, page, width } satisfies PictureInput);
  }

  texts(file: FileInput, page: number): Promise<PageText[]> {
    return this.result(`texts ${file.sha256}:${page}`, 'texts', { ...file, page } satisfies PageInput);
  }

  file({ key, load }: PdfSource): Promise<FileInput> {
    const known = this.files.get(key);
    if (known) return Promise.resolve(known);
    return this.once(`file ${key}`, async () => {
      const bytes = await load();
      const file = { sha256: hash('sha256', bytes), bytes };
      this.files.set(key, file);
      return file;
    });
  }

  /** The places of each text in a file. */
  find(file: FileInput, searches: readonly TextSearch[], most: number): Promise<FoundText[][] | PdfProblem> {
    return this.tried(() => this.threads.run('find', { ...file, searches, most } satisfies FindInput));
  }

  /** Why an uploaded file cannot be shown; null if it can. */
  async problem(bytes: Uint8Array): Promise<string | null> {
    const input: FileInput = { sha256: hash('sha256', bytes), bytes };
    return (await this.tried(() => this.trials.run<Partial<PdfProblem>>('trial', input))).problem ?? null;
  }

  /** The picture of a signature as the pages print it, as PNG; null if it cannot be read. */
  async signature(bytes: Uint8Array): Promise<Buffer | null> {
    const picture = await this.tried(() => this.threads.run<SignaturePicture | PdfProblem>('signature', bytes));
    return 'problem' in picture ? null : Buffer.from(picture.png);
  }

  /** A picture as documents print it. */
  image(bytes: Uint8Array): Promise<DocumentPicture | PdfProblem> {
    return this.tried(() => this.threads.run<DocumentPicture | PdfProblem>('image', bytes));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.threads.close();
  }

  private async result<R extends Result>(key: string, name: string, input: FileInput | PageInput | PictureInput): Promise<R> {
    const known = this.results.get(key) as R | PdfProblem | undefined;
    const result = known ?? (await this.once(key, () => this.tried(() => this.threads.run<R | PdfProblem>(name, input))));
    if (!known) this.results.set(key, result, 'problem' in result ? { ttl: PROBLEM_TTL_MS } : {});
    if ('problem' in result) throw CommonErrors.notFound({ message: `The file ${result.problem}.` });
    return result;
  }

  /** A file that exceeds the limits has a problem, too. */
  private async tried<R extends object>(run: () => Promise<R>): Promise<R | PdfProblem> {
    try {
      return await run();
    } catch (error) {
      if (tookTooMuchMemory(error)) return { problem: 'takes too much memory to draw' };
      if (tookTooLong(error)) return { problem: 'takes too long to draw' };
      throw error;
    }
  }

  private async once<R>(key: string, work: () => Promise<R>): Promise<R> {
    const known = this.running.get(key) as Promise<R> | undefined;
    if (known) return known;
    const started = work().finally(() => this.running.delete(key));
    this.running.set(key, started);
    return started;
  }
}
