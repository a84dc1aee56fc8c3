import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PDFDict, PDFArray, PDFDocument, PDFName, PDFRawStream, decodePDFRawStream } from '@cantoo/pdf-lib';
import { fromBER, type Sequence } from 'asn1js';
import { BasicOCSPResponse, ContentInfo, OCSPResponse, SignedData } from 'pkijs';
import { certificateAuthority, type CertificateAuthority } from '../../../testing/certificate-authority.js';
import { poppler } from '../../../testing/poppler.js';
import type { DocumentSeal } from '../../../engine/sealing/document-seal.js';
import { documentContent } from '../../../engine/content/content.factory.js';
import { renderPdf } from '../../../engine/pdf/render-pdf.js';
import type { PdfTypesetter } from '../../../engine/typesetting/pdf-typesetter.js';
import type { ExecutedInput } from '../../../engine/typesetting/pdf-worker.js';
import { LongTermSeal } from './long-term-seal.js';
import { seal, type SealOptions } from '../../../engine/sealing/seal.js';
import { signatureIn, withTimeStamp } from '../../../engine/sealing/signature-in-file.js';
import { readSignatures } from '../../../engine/signatures/signatures.js';
import { addValidationStore } from '../../../engine/sealing/validation-store.js';

const tools = poppler();
const authority = await certificateAuthority();
const judged = authority ? it : it.skip;
const ca = authority as CertificateAuthority;

let pdf: Buffer;
beforeAll(async () => {
  pdf = renderPdf({ content: documentContent(), subject: 'Customer agreement', created_at: new Date('2026-02-11T10:00:00Z') });
});
afterAll(() => authority?.close());

/** Does in this thread what the worker thread does. */
const typesetter = {
  executed: ({ seal: options, hasTimeStamp }) => seal(pdf, options, { hasTimeStamp }),
  stamped: ({ sealed, token, data }) => addValidationStore(withTimeStamp(Buffer.from(sealed), token), data),
} as PdfTypesetter;

function sealOptions(p12: Buffer): SealOptions {
  return {
    p12,
    passphrase: '',
    reason: 'Signed by all parties',
    location: 'http://localhost',
    name: 'Nordwind GmbH',
    signingTime: new Date(),
  };
}

function sealed(p12: Buffer, { urls = [ca.timeStampUrl], mode = 'live' as 'live' | 'test' } = {}): Promise<Buffer> {
  const options = sealOptions(p12);
  const key = { key: { p12, passphrase: '' }, timeStampUrls: urls } as unknown as DocumentSeal;
  const sealing = new LongTermSeal(typesetter, key);
  const input = { final: { pdf, stamps: [], language: 'en' }, certificate: {} as never, seal: options };
  return sealing.executed({ ...input, hasTimeStamp: sealing.hasTimeStamp(mode) });
}

/** The time stamp of the signature, and the files of the document security store. */
async function partsOf(file: Buffer) {
  const { cms, value } = signatureIn(file);
  const signed = new SignedData({ schema: new ContentInfo({ schema: fromBER(new Uint8Array(cms)).result }).content });
  const [attribute] = signed.signerInfos[0].unsignedAttrs?.attributes ?? [];
  const token = attribute && Buffer.from((attribute.values[0] as Sequence).valueBeforeDecodeView);
  const { catalog } = await PDFDocument.load(file);
  const store = catalog.lookupMaybe(PDFName.of('DSS'), PDFDict);
  const files = (name: string) => {
    const list = store?.lookupMaybe(PDFName.of(name), PDFArray);
    return Array.from({ length: list?.size() ?? 0 }, (_, index) =>
      Buffer.from(decodePDFRawStream(list?.lookup(index, PDFRawStream) as PDFRawStream).decode()),
    );
  };
  return { value, token, store: { certificates: files('Certs'), ocspResponses: files('OCSPs'), crls: files('CRLs') } };
}

describe('a seal with a time-stamp authority', () => {
  judged('has a time stamp that OpenSSL accepts, and the proofs for every certificate', async () => {
    const file = await sealed(ca.sealWith('ocsp'));
    const { value, token, store } = await partsOf(file);
    expect(ca.accepts(token, value)).toBe(true);
    expect(ca.accepts(token, Buffer.from('other'))).toBe(false);
    // the seal's certificate, the authority's and that of the time stamps
    expect(store.certificates).toHaveLength(3);
    expect(store.ocspResponses).toHaveLength(1);
    const { responseBytes } = OCSPResponse.fromBER(new Uint8Array(store.ocspResponses[0]));
    expect(BasicOCSPResponse.fromBER(responseBytes?.response.getValue() as ArrayBuffer).tbsResponseData.responses).toHaveLength(1);
    expect(store.crls).toHaveLength(1);
    if (tools) expect(tools.signatures(file)).toContain('Signature is Valid');
    expect(file.subarray(0, pdf.length).equals(pdf)).toBe(true);
    const authority = { stamped_at: expect.stringMatching(/Z$/), authority: 'Test stamping' };
    const certificate = { subject: expect.stringMatching(/CN=/), issuer: expect.stringMatching(/CN=/) };
    expect(await readSignatures(await PDFDocument.load(file), file)).toMatchObject([
      { is_intact: true, covers_file: false, certificate, time_stamp: { ...authority, is_intact: true } },
    ]);
    const other = await typesetter.executed({ seal: sealOptions(ca.sealWith('crl')), hasTimeStamp: true } as ExecutedInput);
    const moved = withTimeStamp(other, token);
    expect(await readSignatures(await PDFDocument.load(moved), moved)).toMatchObject([
      { is_intact: true, time_stamp: { ...authority, is_intact: false } },
    ]);
  });

  judged('takes the CRL where a certificate names no OCSP responder', async () => {
    const { store } = await partsOf(await sealed(ca.sealWith('crl')));
    expect(store.ocspResponses).toHaveLength(0);
    expect(store.crls.length).toBeGreaterThan(0);
  });

  judged('asks the next authority if one does not answer, refuses or answers with something else', async () => {
    const { token: other } = await partsOf(await sealed(ca.sealWith('crl')));
    const dead = 'http://127.0.0.1:9/tsa';
    expect((await partsOf(await sealed(ca.sealWith('crl'), { urls: [dead, ca.timeStampUrl] }))).token).toBeDefined();
    const granted = Buffer.concat([Buffer.from([0x30, 0x03, 0x02, 0x01, 0x00]), other]);
    const length = Buffer.from([granted.length >> 8, granted.length & 255]);
    for (const answer of [
      { status: 500 },
      { status: 200, body: Buffer.from('<html>') },
      // the time stamp of another request
      { status: 200, body: Buffer.concat([Buffer.from([0x30, 0x82]), length, granted]) },
    ]) {
      ca.answer(answer);
      await expect(sealed(ca.sealWith('crl'))).rejects.toMatchObject({ spec: { code: 'unavailable' } });
    }
    ca.answer(null);
  });

  judged('does without a time stamp in test mode', async () => {
    const before = ca.requests.length;
    expect((await partsOf(await sealed(ca.sealWith('crl'), { mode: 'test' }))).token).toBeUndefined();
    expect(ca.requests).toHaveLength(before);
  });

  judged.each(['ocsp', 'crl'] as const)('is not made with a revoked certificate (%s)', async (proof) => {
    ca.revoke(proof);
    await expect(sealed(ca.sealWith(proof))).rejects.toMatchObject({ spec: { code: 'unavailable' } });
  });
});
