import { Worker, type WorkerOptions } from 'node:worker_threads';
import { CommonErrors } from '../../../../kit/index.js';
import type { PdfJob } from './pdf-job.js';

export type PdfAnswer = { id: number; pdf: Uint8Array } | { id: number; error: string };

const IDLE_MS = 30_000;
const LONGEST_MS = 30_000;
/** Whoever waits for a PDF may hold a transaction, so few do. */
const MOST_WAITING = 4;

interface Waiting {
  job: PdfJob;
  resolve(pdf: Buffer): void;
  reject(error: Error): void;
}

/** The job that the thread is at. */
interface Current extends Waiting {
  id: number;
  timer: NodeJS.Timeout;
}

/**
 * Typesets in a thread of its own: twenty milliseconds a page are too long to answer nobody else. The thread is started by the
 * first job, is given one after the other, so that one which takes too long or breaks it costs no other, and is ended when
 * there has been none for a while, as it holds memory. More jobs than a few are refused at once.
 */
export class PdfThread {
  private worker: Worker | null = null;
  private idle: NodeJS.Timeout | undefined;
  private current: Current | null = null;
  private readonly waiting: Waiting[] = [];
  private count = 0;

  constructor(
    private readonly entry: URL = new URL('./pdf-worker.js', import.meta.url),
    private readonly options: WorkerOptions = {},
    private readonly idleMs = IDLE_MS,
    private readonly longestMs = LONGEST_MS,
  ) {}

  async typeset(job: PdfJob): Promise<Buffer> {
    if (this.waiting.length >= MOST_WAITING) throw unavailable('Too many PDFs are being made just now; repeat the request shortly.');
    return new Promise((resolve, reject) => {
      this.waiting.push({ job, resolve, reject });
      this.goOn();
    });
  }

  /** Ends the thread; jobs that wait are refused, and may be given again. */
  async close(): Promise<void> {
    const error = new Error('The PDF was not made: the thread was closed.');
    for (const { reject } of this.waiting.splice(0)) reject(error);
    await this.end(error);
  }

  private goOn(): void {
    if (this.current) return;
    const next = this.waiting.shift();
    if (!next) return this.rest();
    clearTimeout(this.idle);
    this.worker ??= this.start();
    this.worker.ref();
    const id = ++this.count;
    const timer = setTimeout(
      () =>
        void this.end(unavailable(`The PDF was not done within ${this.longestMs / 1000} s; repeat the request, or shorten the document.`)),
      this.longestMs,
    );
    this.current = { ...next, id, timer };
    try {
      this.worker.postMessage({ id, job: next.job });
    } catch (error) {
      // the job is not plain data
      this.settle({ id, error: (error as Error).message });
    }
  }

  private rest(): void {
    // an idle thread keeps no process alive
    this.worker?.unref();
    this.idle = setTimeout(() => void this.close(), this.idleMs).unref();
  }

  private start(): Worker {
    const worker = new Worker(this.entry, this.options);
    worker.on('message', (answer: PdfAnswer) => this.settle(answer));
    const lost = (error: Error) => worker === this.worker && void this.end(error);
    worker.on('error', lost);
    worker.on('exit', () => lost(new Error('The PDF was not made: its thread ended.')));
    return worker;
  }

  private settle(answer: PdfAnswer): void {
    if (answer.id !== this.current?.id) return;
    const { resolve, reject, timer } = this.current;
    this.current = null;
    clearTimeout(timer);
    if ('error' in answer) reject(new Error(answer.error));
    else resolve(Buffer.from(answer.pdf.buffer, answer.pdf.byteOffset, answer.pdf.byteLength));
    this.goOn();
  }

  /** Ends the thread and refuses the job that it is at; what waits goes to another thread. */
  private async end(error: Error): Promise<void> {
    clearTimeout(this.idle);
    const { worker, current } = this;
    this.worker = null;
    this.current = null;
    if (current) {
      clearTimeout(current.timer);
      current.reject(error);
    }
    if (this.waiting.length > 0) this.goOn();
    await worker?.terminate();
  }
}

function unavailable(message: string): Error {
  return CommonErrors.unavailable({ message, headers: { 'Retry-After': String(LONGEST_MS / 1000) } });
}
