import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { poppler } from '../../testing/poppler.js';
import { documentContent } from '../content/content.factory.js';
import { renderPdf } from '../pdf/render-pdf.js';
import { drawingProblem } from './certificate-drawing.js';
import { canonicalJson, evidenceHash, hashedFacts, type GivenSignature, type SigningFacts } from './certificate-evidence.js';
import { openForUpdate, updated } from '../updates/file-update.js';
import { appendPages } from './append-pages.js';
import { certificatePages, type CertificateInput } from './certificate.js';

const tools = poppler();
const read = tools ? it : it.skip;
const text = (file: Buffer) => tools?.text(file).replace(/\s+/g, ' ') ?? '';
const CONTENT = createHash('sha256').update('the document').digest('hex');

const facts = (name: string, signature: GivenSignature, rest: Partial<SigningFacts> = {}): SigningFacts => ({
  name,
  email: `${name.toLowerCase()}@example.com`,
  label: 'Customer',
  signed_at: '2026-03-01T10:30:05.123Z',
  ip: '2001:db8::7',
  user_agent: 'Mozilla/5.0 (X11)',
  consent_text: 'I agree to sign this document electronically.',
  signature,
  authentication: 'mailed_link',
  field_values: {},
  ...rest,
});
const png = (width = 4, height = 3, raw = Buffer.alloc(height * (1 + width * 4), 0x40), color = 6, filter = 0, more: Buffer[] = []) =>
  Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', Buffer.from([0, 0, width >> 8, width & 255, 0, 0, height >> 8, height & 255, 8, color, 0, 0, 0])),
    chunk('IDAT', deflateSync(raw.map((value, at) => (at % (1 + width * 4) === 0 ? filter : value)))),
    ...more,
    chunk('IEND', Buffer.alloc(0)),
  ]);

function certificate(given: Partial<CertificateInput> = {}): CertificateInput {
  const signers = [
    facts('Ada', { kind: 'typed', text: 'Ada Lovelace' }),
    facts('Grace', { kind: 'drawn', png: png() }, { label: 'Supplier' }),
  ];
  let previous = CONTENT;
  const parties = signers.map((party) => ({ ...party, evidence_sha256: (previous = evidenceHash(previous, hashedFacts(party))) }));
  return {
    document: { id: '0198c0de-0000-7000-8000-000000000001', number: 'AGR-1', title: 'Customer agreement' },
    parties,
    content_sha256: CONTENT,
    content_bytes: 12_345,
    executed_at: '2026-03-01T10:31:00Z',
    language: 'en',
    hasTimeStamp: false,
    pagesBefore: 2,
    ...given,
  };
}

describe('evidence', () => {
  it('is the hash of the previous evidence and the facts in canonical JSON', () => {
    expect(canonicalJson({ b: [1, { d: null, c: 'ü"' }], a: true, e: undefined })).toBe('{"a":true,"b":[1,{"c":"ü\\"","d":null}]}');
    expect(evidenceHash('00', { b: 1, a: 2 })).toBe(createHash('sha256').update('00{"a":2,"b":1}').digest('hex'));
    expect(evidenceHash('00', { a: 2, b: 1 })).toBe(evidenceHash('00', { b: 1, a: 2 }));
  });

  it('changes with every fact, including the drawing', () => {
    const hash = (party: SigningFacts) => evidenceHash(CONTENT, hashedFacts(party));
    const before = facts('Ada', { kind: 'drawn', png: png() });
    for (const name of ['name', 'email', 'label', 'signed_at', 'ip', 'user_agent', 'consent_text'] as const)
      expect(hash({ ...before, [name]: 'other' })).not.toBe(hash(before));
    expect(hash({ ...before, signature: { kind: 'drawn', png: png(5, 3) } })).not.toBe(hash(before));
    expect(hash({ ...before, signature: { kind: 'typed', text: 'Ada' } })).not.toBe(hash(before));
    expect(hash({ ...before, authentication: 'embedded_link' })).not.toBe(hash(before));
    expect(hash({ ...before, link_made_by: { type: 'api_key', id: 'k', email: null } })).not.toBe(hash(before));
    expect(hash({ ...before, field_values: { plate: 'B-AD 1' } })).not.toBe(hash(before));
    const earlier = { name: 'Mary', email: 'mary@example.com', replaced_by: 'party' as const, replaced_at: '2026-03-01T10:00:00.000Z' };
    expect(hash({ ...before, earlier_signers: [earlier] })).not.toBe(hash(before));
    // the evidence of signatures from before this was recorded stays as it is
    expect(hashedFacts({ ...before, authentication: null, field_values: { plate: 'B-AD 1' } })).toEqual(
      hashedFacts({ ...before, authentication: null }),
    );
    expect(evidenceHash('other', hashedFacts(before))).not.toBe(hash(before));
  });

  it('uses JSON that parses to the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

describe('a drawn signature', () => {
  it('is accepted as a PNG written by a canvas', () => {
    expect(drawingProblem(png())).toBeNull();
    expect(drawingProblem(png(300, 100))).toBeNull();
  });

  it('can be rendered if it was accepted, whatever filter its rows use', async () => {
    for (const filter of [0, 1, 2, 3, 4]) {
      const drawn = png(4, 3, undefined, 6, filter);
      expect(drawingProblem(drawn)).toBeNull();
      const input = certificate();
      input.parties[1] = { ...input.parties[1], signature: { kind: 'drawn', png: drawn } };
      expect(certificatePages(input).length).toBeGreaterThan(1000);
    }
  });

  it.each([
    ['nothing', Buffer.alloc(0), 'must be a PNG'],
    ['text', Buffer.from('<svg onload=alert(1)>'), 'must be a PNG'],
    ['cut off', png().subarray(0, -15), 'must be a PNG'],
    ['changed', Buffer.from(png().map((value, at) => (at === 45 ? value ^ 1 : value))), 'must be a PNG'],
    ['with too few pixels', png(4, 3, Buffer.alloc(17)), 'must be a complete PNG'],
    ['with too many pixels', png(4, 3, Buffer.alloc(5000)), 'must be a complete PNG'],
    ['with an unknown row filter', png(4, 3, undefined, 6, 9), 'must be a complete PNG'],
    ['with data after its pixels', png(4, 3, undefined, 6, 0, [chunk('IDAT', Buffer.from('more'))]), 'must be a complete PNG'],
    [
      'with a transparent color',
      png(4, 3, undefined, 6, 0, [chunk('tRNS', Buffer.from([1]))]),
      'must be a PNG without a palette or a transparent color',
    ],
    [
      'with a palette in addition to its pixels',
      png(4, 3, undefined, 6, 0, [chunk('PLTE', Buffer.alloc(1))]),
      'must be a PNG without a palette or a transparent color',
    ],
    ['with palette colors', png(4, 3, undefined, 3), 'must be an 8 bit RGB or RGBA PNG without interlacing'],
    ['without ink', png(4, 3, Buffer.alloc(3 * 17)), 'shows nothing'],
    ['of white paper only', png(4, 3, Buffer.alloc(3 * 17, 0xff)), 'shows nothing'],
    ['too wide', png(2001, 1), 'must be at most 2000 x 1000 pixels'],
    ['empty', png(0, 3), 'must be at most 2000 x 1000 pixels'],
    ['with too many bytes', Buffer.alloc(300 * 1024), 'must be at most 256 KiB'],
  ])('%s is rejected', (_, file, problem) => {
    expect(drawingProblem(file)).toBe(problem);
  });
});

describe('a certificate', () => {
  read('states who signed, when, from which address and with which consent', async () => {
    const input = certificate();
    const shown = text(certificatePages(input));
    for (const part of [
      'Signature certificate',
      'AGR-1',
      CONTENT,
      '2026-03-01 10:31:00 UTC',
      '1. Customer',
      'Ada Lovelace',
      '2. Supplier',
      'grace@example.com',
      '2001:db8::7',
      'Mozilla/5.0 (X11)',
      '2026-03-01 10:30:05 UTC',
      'A secret link in a mail to grace@example.com',
      'The first 12,345 bytes of this file: pages 1 to 2 as sent to the parties',
      'I agree to sign this document electronically.',
      'The file has a digital seal over all of its pages.',
      ...input.parties.map((party) => party.evidence_sha256),
    ])
      expect(shown).toContain(part);
  });

  read('renders markup as text and keeps every word of a long consent', async () => {
    for (const [between, words] of [
      [' ', 3000],
      ['\n', 200],
    ] as const) {
      const consent = Array.from({ length: words }, (_, index) => `w${index}e`).join(between);
      const input = certificate();
      input.parties[0] = { ...input.parties[0], name: '<b>*Ada*</b>', consent_text: consent, user_agent: 'x'.repeat(1000) };
      const file = certificatePages(input);
      expect(text(file)).toContain('<b>*Ada*</b>');
      expect(new Set(text(file).match(/w\d+e/g)).size).toBe(words);
      expect(text(file).match(/x/g)?.length).toBeGreaterThanOrEqual(1000);
    }
  });

  it('has the same bytes for the same signatures', async () => {
    expect(certificatePages(certificate()).equals(certificatePages(certificate()))).toBe(true);
  });

  read('is appended to the document without changing its bytes and text', async () => {
    const frozen = renderPdf({
      content: documentContent(),
      subject: 'Customer agreement',
      created_at: new Date('2026-02-11T10:00:00Z'),
    });
    const document = await openForUpdate(frozen);
    await appendPages(document, (pagesBefore) => certificatePages({ ...certificate(), pagesBefore }));
    const executed = await updated(document);
    expect(executed.subarray(0, frozen.length).equals(frozen)).toBe(true);
    const pages = (tools as NonNullable<typeof tools>).text(executed).split('\f');
    expect(pages[0]).toBe((tools as NonNullable<typeof tools>).text(frozen).split('\f')[0]);
    expect(pages[1]).toContain('Signature certificate');
    expect((tools as NonNullable<typeof tools>).info(executed)).toMatchObject({
      Pages: '2',
      Title: 'Customer agreement',
      Subject: 'Customer agreement',
    });
  });
});

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
