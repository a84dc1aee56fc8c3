import { availableParallelism } from 'node:os';
import { Injectable, type OnApplicationShutdown, Optional } from '@nestjs/common';
import type { PdfInput } from '../pdf/render-pdf.js';
import type { PdfProblem, ZoneContents } from '../reading/pdf-text.js';
import type { ZoneToRead } from '../reading/zone-text.js';
import { PdfThreads, type ThreadOptions } from './pdf-threads.js';
import type { ExecutedInput, ReadInput, RenderedDocument } from './pdf-worker.js';

/** Settings of the thread pool, for tests. */
export class TypesetterOptions implements ThreadOptions {
  worker: URL = compiledWorker();
  threads = Math.max(1, availableParallelism() - 1);
  idleMs = 30_000;
  timeoutMs = 30_000;
  maxWaiting = 200;
}

/** Files that others sent: they may be made to take as long and as much memory as possible. */
const READING = { threads: 2, timeoutMs: 10_000, maxWaiting: 20, maxHeapMb: 512 };

/** Typesets and reads PDFs in worker threads. A page takes about 20 ms, which would block all other requests. */
@Injectable()
export class PdfTypesetter implements OnApplicationShutdown {
  private readonly typesetting: PdfThreads;
  /** Threads of their own, so that no file that is sent holds up the documents. */
  private readonly reading: PdfThreads;

  constructor(@Optional() options: TypesetterOptions = new TypesetterOptions()) {
    this.typesetting = new PdfThreads(options);
    this.reading = new PdfThreads({ ...options, ...READING });
  }

  async pdf(input: PdfInput): Promise<Buffer> {
    return bufferOf(await this.typesetting.run<Uint8Array>('pdf', input));
  }

  /** A document as it is stored when it is finalized: PDF and HTML. */
  async rendition(input: PdfInput): Promise<{ pdf: Buffer; html: string }> {
    const { pdf, html } = await this.typesetting.run<RenderedDocument>('rendition', input);
    return { pdf: bufferOf(pdf), html };
  }

  /** The sealed file of an executed document. */
  async executed(input: ExecutedInput): Promise<Buffer> {
    return bufferOf(await this.typesetting.run<Uint8Array>('executed', input));
  }

  /** The text and form fields in the zones of a file that somebody sent. */
  async zones(bytes: Uint8Array, zones: readonly ZoneToRead[]): Promise<ZoneContents | PdfProblem> {
    try {
      return await this.reading.run('zones', { bytes, zones } satisfies ReadInput);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
      return { problem: 'takes too much memory to read' };
    }
  }

  /** Runs after requests and jobs have finished: they may still wait for PDFs before. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.typesetting.close(), this.reading.close()]);
  }
}

/** Threads run compiled code. An application that runs from source, as in tests, uses the worker of the last build. */
function compiledWorker(): URL {
  const beside = new URL('./pdf-worker.js', import.meta.url);
  if (import.meta.url.endsWith('.js')) return beside;
  return new URL(beside.href.replace(/\/src\/(?=modules\/documents\/)/, '/dist/src/'));
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
