import { PDFDocument, PDFName } from '@cantoo/pdf-lib';
import { Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { deflateSync } from 'node:zlib';
import { documentContent } from '../content/content.factory.js';
import { renderHtml } from '../content/render-html.js';
import { renderPdf, type PdfInput } from '../pdf/render-pdf.js';
import { selfSignedSeal } from '../sealing/seal-file.js';
import { PdfTypesetter, TypesetterOptions } from './pdf-typesetter.js';

const input = (template: string): PdfInput => ({
  content: documentContent({ template }),
  subject: 'Customer agreement',
  created_at: new Date('2026-02-11T10:00:00Z'),
});
const LONG = Array.from(
  { length: 40 },
  (_, index) => `## ${index + 1}. Clause\n\n${'The Supplier shall perform the services with care. '.repeat(30)}`,
).join('\n\n');

/** Returns one byte, for the subject "slow" after 0.2 s; for "never" it blocks its thread, without computing. */
const FAKE_SOURCE = `export async function pdf({ subject }) {
  if (subject === 'never') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  if (subject === 'slow') await new Promise((resolve) => setTimeout(resolve, 200));
  return new Uint8Array([1]);
}
export const zones = () => { for (;;); };
export const signatures = () => pdf({ subject: 'never' });`;
const folder = mkdtempSync(join(tmpdir(), 'work-suite-worker-'));
const FAKE = pathToFileURL(join(folder, 'fake-worker.mjs'));
writeFileSync(FAKE, FAKE_SOURCE);
// a worker that cannot be loaded is logged
Logger.overrideLogger(false);
afterAll(() => rmSync(folder, { recursive: true }));
const fake = (subject: string): PdfInput => ({ ...input('x'), subject });

/** A file with a page whose contents, which show nothing, have this size in MiB. */
async function inflating(size: number): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  const deflated = deflateSync(Buffer.alloc(size * 2 ** 20, '() Tj '));
  const contents = pdf.context.register(pdf.context.stream(deflated, { Filter: 'FlateDecode' }));
  pdf.addPage().node.set(PDFName.of('Contents'), contents);
  return Buffer.from(await pdf.save());
}

let typesetter: PdfTypesetter;
afterEach(() => typesetter.onApplicationShutdown());

function start(options: Partial<TypesetterOptions> = {}): PdfTypesetter {
  return (typesetter = new PdfTypesetter(Object.assign(new TypesetterOptions(), options)));
}

/** The thread of a job that was ended is replaced, which takes its time on a busy machine; jobs must not time out meanwhile. */
const THREAD_START_MS = 2_000;

describe('PdfTypesetter', () => {
  it('returns the bytes that a direct call returns and keeps the event loop free', async () => {
    start();
    await typesetter.pdf(input('warm'));
    let turns = 0;
    const others = setInterval(() => turns++, 5);
    const [one, two] = await Promise.all([typesetter.pdf(input(LONG)), typesetter.rendition(input('For {{customer}}.'))]);
    clearInterval(others);
    expect(one.equals(renderPdf(input(LONG)))).toBe(true);
    expect(two.pdf.equals(renderPdf(input('For {{customer}}.')))).toBe(true);
    expect(two.html).toBe(renderHtml(input('For {{customer}}.').content));
    // a direct call would block the loop until it is done
    expect(turns).toBeGreaterThan(10);
  });

  it('signs without the kit and what reads fonts, whose packages take longer to load than all others', async () => {
    start();
    const program = `
      const { prepare } = await import(process.argv[1]);
      await prepare({ p12: Buffer.from(process.argv[2], 'base64'), passphrase: '' });
      const loaded = Object.keys((await import('node:module')).createRequire(process.argv[1]).cache);
      console.log([...new Set(loaded.map((file) => file.split('node_modules/').at(-1).split('/')[0]))].join());`;
    const args = ['--input-type=module', '--eval', program, new TypesetterOptions().worker.href, selfSignedSeal().toString('base64')];
    const packages = (await promisify(execFile)(process.execPath, args)).stdout.trim().split(',');
    expect(packages).toContain('node-forge');
    for (const name of ['typeorm', 'class-validator', 'brotli']) expect(packages).not.toContain(name);
  });

  it('reports the error of a job and continues with the next', async () => {
    start();
    const content = documentContent({ language: 'no language', template: '{{start_on}}', values: { start_on: '2026-03-01' } });
    await expect(typesetter.pdf({ ...input('x'), content })).rejects.toThrow('locale');
    const created_at = (() => new Date()) as unknown as Date;
    await expect(typesetter.pdf({ ...input('x'), created_at })).rejects.toThrow('could not be cloned');
    expect((await typesetter.pdf(input('x'))).length).toBeGreaterThan(1000);
  });

  it('ends a job that takes too long with 503, and no other job', async () => {
    start({ worker: FAKE, threads: 1, timeoutMs: THREAD_START_MS });
    const results = [typesetter.pdf(fake('never')), typesetter.pdf(fake('never')), typesetter.pdf(fake('x'))];
    // the second waits for 2 s before it begins, which does not count
    await expect(results[0]).rejects.toMatchObject({
      message: 'The PDF was not ready within 2 s, because the service is busy or the document is large. Retry the request.',
      spec: { status: 503, code: 'unavailable' },
    });
    await expect(results[1]).rejects.toThrow('not ready within 2 s');
    expect(await results[2]).toEqual(Buffer.from([1]));
  });

  it('rejects jobs with 503 while too many wait', async () => {
    start({ worker: FAKE, threads: 1, timeoutMs: THREAD_START_MS, maxWaiting: 2 });
    const taken = [typesetter.pdf(fake('never')), typesetter.pdf(fake('x')), typesetter.pdf(fake('x'))];
    const gaveUp = expect(taken[0]).rejects.toMatchObject({ spec: { code: 'unavailable' } });
    await sleep(50);
    await expect(typesetter.pdf(fake('x'))).rejects.toMatchObject({
      spec: { status: 503, code: 'unavailable' },
      occurrence: { headers: { 'Retry-After': '5' } },
    });
    await gaveUp;
    expect(await Promise.all(taken.slice(1))).toHaveLength(2);
    expect(await typesetter.pdf(fake('x'))).toEqual(Buffer.from([1]));
  });

  it('ends a job with 503 if the worker cannot be loaded', async () => {
    start({ worker: new URL('../typesetting/nowhere.js', import.meta.url), timeoutMs: 300 });
    await expect(typesetter.pdf(input('x'))).rejects.toMatchObject({ spec: { status: 503 } });
  });

  it('stops idle threads and starts new ones when needed', async () => {
    start({ worker: FAKE, threads: 1, idleMs: 20 });
    await typesetter.pdf(fake('x'));
    await sleep(300);
    expect(await typesetter.pdf(fake('y'))).toEqual(Buffer.from([1]));
  });

  it('does not inflate a stream of 48 MiB in a small file, and reads the next file', async () => {
    start({ readingTimeoutMs: 60_000 });
    const zones = [{ page: 1, x: 0, y: 0, w: 1, h: 1, separator: null }];
    const file = await inflating(48);
    expect(file.length).toBeLessThan(500_000);
    expect(await typesetter.zones(file, zones)).toEqual({ problem: expect.stringContaining('has a stream that is longer than 32 MiB') });
    expect(await typesetter.zones(await inflating(0), zones)).toMatchObject({ count: 1 });
  });

  it('says of a file that takes too long that it does, as another attempt does not help', async () => {
    start({ worker: FAKE, readingCpuMs: 500 });
    expect(await typesetter.zones(Buffer.alloc(0), [])).toEqual({ problem: 'takes too long to read' });
  });

  it('says of a file that a busy machine has not read in time that it is to be sent again', async () => {
    start({ worker: FAKE, readingTimeoutMs: 2_000 });
    await expect(typesetter.signatures(Buffer.alloc(0))).rejects.toMatchObject({ spec: { status: 503 } });
  });

  it('finishes the PDFs of requests and jobs that a shutdown waits for', async () => {
    start({ worker: FAKE, threads: 1 });
    // as the server and the workers do
    const lastRequest = { pdf: null as Promise<Buffer> | null, beforeApplicationShutdown: () => lastRequest.pdf };
    const running = await NestFactory.createApplicationContext(
      {
        module: class {},
        providers: [
          { provide: PdfTypesetter, useFactory: () => typesetter },
          { provide: 'last request', useValue: lastRequest },
        ],
      },
      { logger: false },
    );
    lastRequest.pdf = typesetter.pdf(fake('slow'));
    const finished = expect(lastRequest.pdf).resolves.toEqual(Buffer.from([1]));
    await running.close();
    await finished;
  });
});
