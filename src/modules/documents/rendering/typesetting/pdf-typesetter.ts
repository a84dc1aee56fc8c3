import { availableParallelism } from 'node:os';
import { Injectable, Logger, type OnApplicationShutdown, Optional } from '@nestjs/common';
import pLimit, { type LimitFunction } from 'p-limit';
import type { Piscina } from 'piscina';
import { CommonErrors, Lazy } from '../../../../kit/index.js';
import type { PdfInput } from '../pdf/render-pdf.js';
import type { readPdfText } from '../reading/pdf-text.js';
import type { ExecutedInput, ReadInput, RenderedDocument } from './pdf-worker.js';

/** Settings of the thread pool, for tests. */
export class TypesetterOptions {
  /** The file that the threads run. */
  worker: URL = compiledWorker();
  threads = Math.max(1, availableParallelism() - 1);
  /** A thread that is idle for this long is stopped to free its memory. */
  idleMs = 30_000;
  /** A PDF that takes longer fails with 503. */
  timeoutMs = 30_000;
  /** PDFs that may wait for a thread. More are rejected with 503. A waiting request holds no database connection. */
  maxWaiting = 200;
}

/** Typesets and reads PDFs in worker threads. A page takes about 20 ms, which would block all other requests. */
@Injectable()
export class PdfTypesetter implements OnApplicationShutdown {
  private readonly logger = new Logger(PdfTypesetter.name);
  private readonly pool = new Lazy<Piscina>(() => this.start());
  /** Gives the pool only as many jobs as it can run at once, so that waiting does not count toward the time limit. */
  private readonly limit: LimitFunction;

  constructor(@Optional() private readonly options: TypesetterOptions = new TypesetterOptions()) {
    this.limit = pLimit(options.threads);
  }

  async pdf(input: PdfInput): Promise<Buffer> {
    return bufferOf(await this.run<Uint8Array>('pdf', input));
  }

  /** A document as it is stored when it is finalized: PDF and HTML. */
  async rendition(input: PdfInput): Promise<{ pdf: Buffer; html: string }> {
    const { pdf, html } = await this.run<RenderedDocument>('rendition', input);
    return { pdf: bufferOf(pdf), html };
  }

  /** The sealed file of an executed document. */
  async executed(input: ExecutedInput): Promise<Buffer> {
    return bufferOf(await this.run<Uint8Array>('executed', input));
  }

  /** The text and form fields of a file that somebody sent. */
  text(bytes: Uint8Array, pages: readonly number[]): ReturnType<typeof readPdfText> {
    return this.run('text', { bytes, pages } satisfies ReadInput);
  }

  private async run<R>(name: string, input: object): Promise<R> {
    if (this.limit.pendingCount >= this.options.maxWaiting) throw this.unavailable('Too many PDFs are waiting. Retry the request shortly.');
    return this.limit(async () => {
      const signal = AbortSignal.timeout(this.options.timeoutMs);
      try {
        return (await (await this.pool.get()).run(input, { name, signal })) as R;
      } catch (error) {
        if (!signal.aborted) throw error;
        const seconds = this.options.timeoutMs / 1000;
        throw this.unavailable(`The PDF was not ready within ${seconds} s. Retry the request or shorten the document.`);
      }
    });
  }

  private async start(): Promise<Piscina> {
    const { worker, threads, idleMs } = this.options;
    const { Piscina } = await import('piscina');
    const pool = new Piscina({ filename: worker.href, minThreads: 0, maxThreads: threads, idleTimeout: idleMs, atomics: 'disabled' });
    // If a thread cannot start, its job ends by the timeout.
    pool.on('error', (error) => this.logger.error(error));
    return pool;
  }

  private unavailable(message: string): Error {
    return CommonErrors.unavailable({ message, headers: { 'Retry-After': String(Math.ceil(this.options.timeoutMs / 1000)) } });
  }

  /** Runs after requests and jobs have finished: they may still wait for PDFs before. */
  async onApplicationShutdown(): Promise<void> {
    await (await this.pool.ifLoaded())?.destroy();
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
