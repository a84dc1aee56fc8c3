import { afterEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { documentContent } from '../content/content.factory.js';
import type { PdfJob } from './pdf-job.js';
import { PdfThread } from './pdf-thread.js';
import { renderPdf } from '../pdf/render-pdf.js';

const ENTRY = new URL('./pdf-worker.ts', import.meta.url);
const FROM_SOURCE = { execArgv: ['--import', new URL('../../../../../test/mcp/ts-loader.mjs', import.meta.url).href] };
const input = (template: string) => ({
  content: documentContent({ template }),
  subject: 'Customer agreement',
  created_at: new Date('2026-02-11T10:00:00Z'),
});
const document = (template: string): PdfJob => ({ kind: 'document', input: input(template) });
const LONG = Array.from(
  { length: 40 },
  (_, index) => `## ${index + 1}. Clause\n\n${'The Supplier shall perform the services with care. '.repeat(30)}`,
).join('\n\n');

const NEVER_ENDS_WITH_A_CERTIFICATE = new URL(
  `data:text/javascript,${encodeURIComponent(`
  import { parentPort } from 'node:worker_threads';
  parentPort.on('message', ({ id, job }) => job.kind === 'document' && parentPort.postMessage({ id, pdf: new Uint8Array([1]) }));
`)}`,
);

let thread: PdfThread;
afterEach(() => thread.close());

describe('a thread that typesets', () => {
  it('makes the bytes that are made without it, and leaves the event loop to others', async () => {
    thread = new PdfThread(ENTRY, FROM_SOURCE);
    await thread.typeset(document('warm'));
    let turns = 0;
    const others = setInterval(() => turns++, 5);
    const [one, two] = await Promise.all([thread.typeset(document(LONG)), thread.typeset(document('For {{customer}}.'))]);
    clearInterval(others);
    expect(one.equals(await renderPdf(input(LONG)))).toBe(true);
    expect(two.equals(await renderPdf(input('For {{customer}}.')))).toBe(true);
    // made on this loop, it would let nobody have a turn before it is done
    expect(turns).toBeGreaterThan(10);
  });

  it('makes certificates with drawings', async () => {
    thread = new PdfThread(ENTRY, FROM_SOURCE);
    const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
    const party = {
      name: 'Ada',
      email: 'ada@example.com',
      label: 'Customer',
      signed_at: '2026-03-01T10:30:05.000Z',
      ip: '203.0.113.7',
      user_agent: null,
      consent_text: 'I agree.',
      signature: { kind: 'drawn' as const, png },
      evidence_sha256: '0'.repeat(64),
    };
    const pdf = await thread.typeset({
      kind: 'certificate',
      input: {
        document: { id: 'd', number: null, title: 'NDA' },
        parties: [party],
        content_sha256: '0'.repeat(64),
        executed_at: '2026-03-01T10:30:06.000Z',
        verification: 'Ask us.',
      },
    });
    expect(pdf.toString('latin1')).toContain('/Subtype /Image');
  });

  it('says what failed, and goes on', async () => {
    thread = new PdfThread(ENTRY, FROM_SOURCE);
    await expect(
      thread.typeset({
        kind: 'document',
        input: {
          ...input('x'),
          content: documentContent({ language: 'no language', template: '{{start_on}}', values: { start_on: '2026-03-01' } }),
        },
      }),
    ).rejects.toThrow('locale');
    await expect(
      thread.typeset({ kind: 'document', input: { ...input('x'), created_at: (() => new Date()) as unknown as Date } }),
    ).rejects.toThrow('could not be cloned');
    expect((await thread.typeset(document('x'))).length).toBeGreaterThan(1000);
  });

  it('refuses what takes too long, and is another thread afterwards', async () => {
    thread = new PdfThread(ENTRY, FROM_SOURCE, 30_000, 150);
    await expect(thread.typeset(document(LONG.repeat(20)))).rejects.toThrow('not done within 0.15 s');
    thread = new PdfThread(ENTRY, FROM_SOURCE, 30_000, 60_000);
    const closed = thread.typeset(document(LONG));
    await thread.close();
    await expect(closed).rejects.toThrow('the thread was closed');
    expect((await thread.typeset(document('x'))).length).toBeGreaterThan(1000);
  });

  it('refuses only the one that takes too long: those behind it are made, and their time runs from their own beginning', async () => {
    thread = new PdfThread(NEVER_ENDS_WITH_A_CERTIFICATE, {}, 30_000, 1_000);
    const results = [
      thread.typeset({ kind: 'certificate' } as PdfJob),
      thread.typeset({ kind: 'certificate' } as PdfJob),
      thread.typeset(document('x')),
    ];
    await expect(results[0]).rejects.toThrow('not done within 1 s');
    await expect(results[1]).rejects.toThrow('not done within 1 s');
    expect(await results[2]).toEqual(Buffer.from([1]));
  });

  it('refuses more than a few that wait, at once and for a moment', async () => {
    thread = new PdfThread(NEVER_ENDS_WITH_A_CERTIFICATE, {}, 30_000, 500);
    const taken = [thread.typeset({ kind: 'certificate' } as PdfJob), ...Array.from({ length: 4 }, () => thread.typeset(document('x')))];
    const refused = expect(thread.typeset(document('x'))).rejects.toMatchObject({
      spec: { status: 503, code: 'unavailable' },
      occurrence: { headers: { 'Retry-After': '30' } },
    });
    await expect(taken[0]).rejects.toMatchObject({ spec: { code: 'unavailable' } });
    await refused;
    expect(await Promise.all(taken.slice(1))).toHaveLength(4);
    expect(await thread.typeset(document('x'))).toEqual(Buffer.from([1]));
  });

  it('is refused when its thread cannot start', async () => {
    thread = new PdfThread(new URL('./nowhere.js', import.meta.url), FROM_SOURCE);
    await expect(thread.typeset(document('x'))).rejects.toThrow('nowhere');
  });

  it('ends when there is nothing to do, and starts again', async () => {
    thread = new PdfThread(ENTRY, FROM_SOURCE, 20);
    await thread.typeset(document('x'));
    await sleep(300);
    expect((await thread.typeset(document('y'))).length).toBeGreaterThan(1000);
  });
});
