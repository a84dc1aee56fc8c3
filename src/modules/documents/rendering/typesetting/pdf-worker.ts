// The program of the thread that pdf-thread.ts starts; nothing imports it.
import { parentPort } from 'node:worker_threads';
import { typesetJob, type PdfJob } from './pdf-job.js';
import type { PdfAnswer } from './pdf-thread.js';

const answer = (message: PdfAnswer) => parentPort?.postMessage(message);

parentPort?.on('message', ({ id, job }: { id: number; job: PdfJob }) => {
  typesetJob(job).then(
    (pdf) => answer({ id, pdf }),
    (error: Error) => answer({ id, error: error.message }),
  );
});
