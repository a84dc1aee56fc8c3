import { Worker, type WorkerOptions } from 'node:worker_threads';
import type { PdfJob } from './pdf-job.js';

export type PdfAnswer = { id: number; pdf: Uint8Array } | { id: number; error: string };

const IDLE_MS = 30_000;
const LONGEST_MS = 120_000;

interface Waiting {
  resolve(pdf: Buffer): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout;
}

/**
 * Typesets in a thread of its own: twenty milliseconds a page are too long to answer nobody else. The thread is started by the
 * first job, works jobs one after the other, and is ended when there has been none for a while, as it holds memory.
 */
export class PdfThread {
  private worker: Worker | null = null;
  private idle: NodeJS.Timeout | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private count = 0;

  constructor(
    private readonly entry: URL = new URL('./pdf-worker.js', import.meta.url),
    private readonly options: WorkerOptions = {},
    private readonly idleMs = IDLE_MS,
    private readonly longestMs = LONGEST_MS,
  ) {}

  typeset(job: PdfJob): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      clearTimeout(this.idle);
      const id = ++this.count;
      this.worker ??= this.start();
      this.worker.ref();
      // throws when the job is not plain data: then nothing waits for it
      this.worker.postMessage({ id, job });
      const timer = setTimeout(() => this.end(new Error(`The PDF was not done within ${this.longestMs / 1000} s.`)), this.longestMs);
      this.waiting.set(id, { resolve, reject, timer });
    });
  }

  /** Ends the thread; jobs that wait are refused, and may be given again. */
  close(): Promise<void> {
    return this.end(new Error('The PDF was not made: the thread was closed.'));
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
    const waiting = this.waiting.get(answer.id);
    if (!waiting) return;
    this.waiting.delete(answer.id);
    clearTimeout(waiting.timer);
    if ('error' in answer) waiting.reject(new Error(answer.error));
    else waiting.resolve(Buffer.from(answer.pdf.buffer, answer.pdf.byteOffset, answer.pdf.byteLength));
    if (this.waiting.size > 0) return;
    // an idle thread keeps no process alive
    this.worker?.unref();
    this.idle = setTimeout(() => void this.close(), this.idleMs).unref();
  }

  private async end(error: Error): Promise<void> {
    clearTimeout(this.idle);
    const { worker } = this;
    this.worker = null;
    const refused = [...this.waiting.values()];
    this.waiting.clear();
    for (const { reject, timer } of refused) {
      clearTimeout(timer);
      reject(error);
    }
    await worker?.terminate();
  }
}
