import { createHash, createVerify } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { decodePDFRawStream, PDFArray, PDFDict, PDFDocument, PDFHexString, PDFName, PDFNumber, PDFRawStream } from '@cantoo/pdf-lib';
import forge from 'node-forge';
import { poppler } from '../../testing/poppler.js';
import { documentContent } from '../content/content.factory.js';
import { renderPdf, renderPdfWithFields } from '../pdf/render-pdf.js';
import { stampPdf } from '../stamping/stamp-pdf.js';
import { readSealKey } from './seal-cms.js';
import { keyFile, selfSigned } from './seal-key.fixture.js';
import { seal, type SealOptions } from './seal.js';

const tools = poppler();
const judged = tools ? it : it.skip;
const { asn1, pki } = forge;
const name = (text: string) => PDFName.of(text);

let pdf: Buffer;
let sealed: Buffer;
let options: SealOptions;

beforeAll(async () => {
  pdf = renderPdf({ content: documentContent(), subject: 'Customer agreement', created_at: new Date('2026-02-11T10:00:00Z') });
  options = {
    ...keyFile(),
    reason: 'Execution of AGR-1 – größer',
    location: 'Zürich',
    name: 'Nordwind GmbH (seal) \\',
    signingTime: new Date('2026-03-01T10:30:05Z'),
  };
  sealed = await seal(pdf, options);
});

describe('a sealed document', () => {
  judged('is valid for an independent verifier', () => {
    const verdict = (tools as NonNullable<typeof tools>).signatures(sealed);
    expect(verdict).toContain('Signature is Valid');
    expect(verdict).toContain('Total document signed');
    expect(verdict).toContain('ETSI.CAdES.detached');
    expect(verdict).toContain('Seal of the test');
    expect(verdict).toContain('SHA-256');
    expect((tools as NonNullable<typeof tools>).text(sealed)).toBe((tools as NonNullable<typeof tools>).text(pdf));
  });

  judged('is no longer valid once a byte is changed or appended', () => {
    const verdict = (file: Buffer) => (tools as NonNullable<typeof tools>).signatures(file);
    const at = sealed.indexOf('stream\n') + 20;
    const changed = Buffer.from(sealed);
    changed[at] ^= 1;
    expect(verdict(changed)).toContain('Digest Mismatch');
    expect(verdict(changed)).not.toContain('Signature is Valid');
    expect(verdict(Buffer.concat([sealed, Buffer.from('\n% more\n')]))).not.toContain('Total document signed');
  });

  it('begins with the original file, byte for byte', () => {
    expect(sealed.subarray(0, pdf.length).equals(pdf)).toBe(true);
  });

  it('has a signature that covers everything except the signature itself', () => {
    const { range, hole } = signatureOf(sealed);
    expect(range[0]).toBe(0);
    expect(range[2] + range[3]).toBe(sealed.length);
    expect(sealed.toString('latin1', range[1] - 10, range[1])).toBe('/Contents ');
    expect(hole).toMatch(/^<[0-9a-f]+>$/);
    expect(hole).toHaveLength(range[2] - range[1]);
  });

  it('contains the digest, the certificate and the signature that PAdES B-B requires', () => {
    const { attributes, signed, signature, certificate, signedBytes } = partsOf(sealed);
    expect(Object.keys(attributes).sort()).toEqual([pki.oids.contentType, pki.oids.messageDigest, '1.2.840.113549.1.9.16.2.47'].sort());
    expect(Buffer.from(attributes[pki.oids.messageDigest].value as string, 'binary')).toEqual(
      createHash('sha256').update(signedBytes).digest(),
    );
    const [[id]] = [(attributes['1.2.840.113549.1.9.16.2.47'].value as forge.asn1.Asn1[])[0].value as forge.asn1.Asn1[]];
    expect(Buffer.from((id.value as forge.asn1.Asn1[])[0].value as string, 'binary')).toEqual(
      createHash('sha256').update(certificate).digest(),
    );
    const key = pki.publicKeyToPem(
      (pki.certificateFromAsn1(asn1.fromDer(certificate.toString('binary'))) as forge.pki.Certificate).publicKey,
    );
    expect(createVerify('sha256').update(signed).verify(key, signature)).toBe(true);
  });

  it('has the same bytes when it is sealed again, and states the signing time', async () => {
    expect((await seal(pdf, options)).equals(sealed)).toBe(true);
    expect(sealed.toString('latin1')).toContain('/M (D:20260301103005Z)');
  });
});

describe('what parties and the seal add', () => {
  it('is tagged as archives and screen readers expect it (PDF/A-3a)', async () => {
    const content = documentContent({ template: 'By:\n\n{{#signature customer}}' });
    const { pdf: before, fields } = renderPdfWithFields({ content, subject: 'Agreement', created_at: new Date('2026-02-11T10:00:00Z') });
    const [{ page, x, y, w, h }] = fields;
    const stamped = await stampPdf(before, [{ page, x, y, w, h, text: 'Ada Lovelace', isSignature: true, png: null }], 'en');
    const file = await PDFDocument.load(await seal(stamped, options));
    const { node, ref } = file.getPage(0);
    const numbers = file.catalog.lookup(name('StructTreeRoot'), PDFDict).lookup(name('ParentTree'), PDFDict).lookup(name('Nums'), PDFArray);
    const entry = (key: PDFNumber) => {
      const at = numbers.asArray().findIndex((one, index) => index % 2 === 0 && (one as PDFNumber).asNumber() === key.asNumber());
      return numbers.lookup(at + 1);
    };

    const elements = entry(node.lookup(name('StructParents'), PDFNumber)) as PDFArray;
    const signature = elements.lookup(elements.size() - 1, PDFDict);
    expect(signature.lookup(name('Alt'), PDFHexString).decodeText()).toBe('Ada Lovelace');
    expect([signature.get(name('Pg')), signature.lookup(name('K'), PDFNumber).asNumber()]).toEqual([ref, elements.size() - 1]);
    const streams = (node.Contents() as PDFArray).asArray().map((one) => file.context.lookup(one) as PDFRawStream);
    const drawn = Buffer.concat(streams.map((one) => decodePDFRawStream(one).decode())).toString('latin1');
    expect(drawn).toMatch(new RegExp(`/P <</MCID ${elements.size() - 1}>> BDC[^]* Do[^]*EMC`));

    const widget = node.lookup(name('Annots'), PDFArray).lookup(0, PDFDict);
    expect(widget.lookup(name('AP'), PDFDict).lookup(name('N'))).toBeInstanceOf(PDFRawStream);
    const form = entry(widget.lookup(name('StructParent'), PDFNumber)) as PDFDict;
    expect(file.context.lookup(form.lookup(name('K'), PDFDict).get(name('Obj')))).toBe(widget);
    if (tools) expect(tools.signatures(await seal(stamped, options))).toContain('Signature is Valid');
  });
});

describe('a key file is rejected', () => {
  it('if the passphrase is wrong or the file is not PKCS#12', () => {
    expect(() => readSealKey(options.p12, 'wrong')).toThrow('passphrase');
    expect(() => readSealKey(Buffer.from('no key file'), '')).toThrow('must be PKCS#12');
  });

  it('if its certificate belongs to another key', () => {
    const other = pki.rsa.generateKeyPair(1024);
    const file = forge.pkcs12.toPkcs12Asn1(other.privateKey, [selfSigned(pki.rsa.generateKeyPair(1024))], 'x');
    expect(() => readSealKey(Buffer.from(asn1.toDer(file).getBytes(), 'binary'), 'x')).toThrow('no RSA key with its certificate');
  });
});

function signatureOf(file: Buffer): { range: number[]; hole: string } {
  const range = (/\/ByteRange \[(\d+) (\d+) (\d+) (\d+) *\]/.exec(file.toString('latin1')) ?? []).slice(1).map(Number);
  return { range, hole: file.toString('latin1', range[1], range[2]) };
}

/** Parses the CMS structure independently of the code under test. */
function partsOf(file: Buffer) {
  const { range, hole } = signatureOf(file);
  const padded = Buffer.from(hole.slice(1, -1), 'hex');
  const cms = asn1.fromDer(padded.toString('binary', 0, 4 + padded.readUInt16BE(2)));
  const members = (value: forge.asn1.Asn1) => value.value as forge.asn1.Asn1[];
  const bytes = (value: forge.asn1.Asn1) => Buffer.from(asn1.toDer(value).getBytes(), 'binary');
  const [, , , certificates, signers] = members(members(members(cms)[1])[0]);
  const signer = members(members(signers)[0]);
  const signed = bytes(signer[3]);
  // The signature covers the SET OF encoding, not the implicit tag in the SignerInfo.
  signed[0] = 0x31;
  const attributes = Object.fromEntries(
    members(signer[3]).map((attribute) => [asn1.derToOid(members(attribute)[0].value as string), members(members(attribute)[1])[0]]),
  );
  return {
    attributes,
    signed,
    signature: Buffer.from(signer[5].value as string, 'binary'),
    certificate: bytes(members(certificates)[0]),
    signedBytes: Buffer.concat([file.subarray(0, range[1]), file.subarray(range[2])]),
  };
}
