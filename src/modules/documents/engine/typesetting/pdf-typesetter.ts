import { availableParallelism } from 'node:os';
import { Injectable, type OnApplicationShutdown, Optional } from '@nestjs/common';
import type { ReadSignature } from '../signatures/signatures.js';
import type { PdfInput } from '../pdf/render-pdf.js';
import { FileFault } from '../reading/file-fault.js';
import type { PdfProblem, ZoneContents } from '../reading/pdf-text.js';
import type { ZoneToRead } from '../reading/zone-text.js';
import type { TriedFile } from '../trial/trial.js';
import { compiledWorker, tookTooLong, tookTooMuchMemory, WorkerThreads, type ThreadOptions } from '../threads/worker-threads.js';
import type {
  ExecutedInput,
  FitInput,
  FlattenInput,
  ReadInput,
  RenderedDocument,
  SealFile,
  SignedInput,
  StampedInput,
  StampInput,
  TrialInput,
} from './pdf-worker.js';

/** Settings of the thread pool, for tests. */
export class TypesetterOptions implements ThreadOptions {
  what = 'PDF';
  worker: URL = compiledWorker(new URL('./pdf-worker.js', import.meta.url));
  threads = Math.max(1, availableParallelism() - 1);
  /** A new thread takes 0.4 to 0.8 s of CPU to load the packages, and many seconds on a busy machine. */
  idleMs = 10 * 60_000;
  timeoutMs = 90_000;
  /** Of reading an uploaded file, on the clock and of CPU time. */
  readingTimeoutMs = 60_000;
  readingCpuMs = 10_000;
  maxWaiting = 200;
}

/** Limits for uploaded files, which may be crafted to take as much time and memory as possible. */
const READING = { threads: 2, idleMs: 30_000, maxWaiting: 20, maxHeapMb: 512, maxMemoryMb: 1536, inProcesses: true };

/** Typesets PDFs in worker threads, and reads those from outside in processes. A page takes about 20 ms, which blocks other requests. */
@Injectable()
export class PdfTypesetter implements OnApplicationShutdown {
  private readonly typesetting: WorkerThreads;
  /** Separate processes, so that uploaded files neither delay the rendering of documents nor end the service. */
  private readonly reading: WorkerThreads;
  /** Trials take longer than reading, so one of them does not keep others from reading. */
  private readonly trials: WorkerThreads;

  constructor(@Optional() options: TypesetterOptions = new TypesetterOptions()) {
    this.typesetting = new WorkerThreads(options);
    const reading = { ...options, ...READING, timeoutMs: options.readingTimeoutMs, maxCpuMs: options.readingCpuMs };
    this.reading = new WorkerThreads(reading);
    this.trials = new WorkerThreads({ ...reading, threads: 1 }, this.reading);
  }

  async pdf(input: PdfInput): Promise<Buffer> {
    return bufferOf(await this.typesetting.run<Uint8Array>('pdf', input));
  }

  /** A document as it is stored when it is finalized: PDF and HTML. */
  async rendition(input: PdfInput): Promise<RenderedDocument & { pdf: Buffer }> {
    const rendered = await this.typesetting.run<RenderedDocument>('rendition', input);
    return { ...rendered, pdf: bufferOf(rendered.pdf) };
  }

  /** A sealed file of an executed document. Rejects with FileFault if the file cannot be sealed. */
  async executed(input: ExecutedInput): Promise<Buffer> {
    return bufferOf(orFault(await this.typesetting.run<Uint8Array | PdfProblem>('executed', input)));
  }

  /** Loads what signing needs, before somebody waits for it. */
  async prepare(key: SealFile): Promise<void> {
    await this.typesetting.run('prepare', key);
  }

  /** Several files as one to read and print. Rejects with FileFault if one cannot be read. */
  async joined(files: readonly Uint8Array[]): Promise<Buffer> {
    return bufferOf(orFault(await this.typesetting.run<Uint8Array | PdfProblem>('joined', files)));
  }

  /** Rejects with FileFault if the file cannot be read. */
  async pageCount(pdf: Uint8Array): Promise<number> {
    const count = await this.typesetting.run<number | PdfProblem>('pageCount', pdf);
    if (typeof count !== 'number') throw new FileFault(count.problem);
    return count;
  }

  /** The executed file with the time stamp of its seal. */
  async stamped(input: StampedInput): Promise<Buffer> {
    return bufferOf(await this.typesetting.run<Uint8Array>('stamped', input));
  }

  /** The file with the values that the parties filled in. Rejects with FileFault if the file cannot be changed. */
  async stamp(input: StampInput): Promise<Buffer> {
    return bufferOf(orFault(await this.typesetting.run<Uint8Array | PdfProblem>('stamp', input)));
  }

  /** The file with its form fields as part of its pages. Rejects with FileFault if the file cannot be changed. */
  async flattened(input: FlattenInput): Promise<Buffer> {
    return bufferOf(orFault(await this.typesetting.run<Uint8Array | PdfProblem>('flatten', input)));
  }

  /** The indexes of the texts that do not fit into their boxes in a readable size. */
  async unfitting(input: FitInput): Promise<number[]> {
    return this.typesetting.run<number[]>('unfitting', input);
  }

  /** What an uploaded file contains, or why it cannot be stamped and sealed. */
  async trial(input: TrialInput): Promise<TriedFile | PdfProblem> {
    return withinLimits(() => this.trials.run<TriedFile | PdfProblem>('trial', input));
  }

  /** The text and form fields in the zones of an uploaded file. */
  async zones(bytes: Uint8Array, zones: readonly ZoneToRead[]): Promise<ZoneContents | PdfProblem> {
    return withinLimits(() => this.reading.run<ZoneContents | PdfProblem>('zones', { bytes, zones } satisfies ReadInput));
  }

  /** The signatures of a file that anyone has uploaded, or why it cannot be read. */
  async signatures(bytes: Uint8Array): Promise<ReadSignature[] | PdfProblem> {
    return withinLimits(() => this.reading.run<ReadSignature[] | PdfProblem>('signatures', { bytes } satisfies SignedInput));
  }

  /** Runs after requests and jobs have finished, because they may wait for PDFs. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.typesetting.close(), this.reading.close()]);
  }
}

async function withinLimits<R>(work: () => Promise<R>): Promise<R | PdfProblem> {
  try {
    return await work();
  } catch (error) {
    if (tookTooMuchMemory(error)) return { problem: 'takes too much memory to read' };
    if (tookTooLong(error)) return { problem: 'takes too long to read' };
    throw error;
  }
}

function orFault<R extends object>(result: R | PdfProblem): R {
  if ('problem' in result) throw new FileFault(result.problem);
  return result;
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
