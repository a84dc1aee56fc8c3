import { PDFDocument } from '@cantoo/pdf-lib';
import type { Content, CustomTableLayout } from 'pdfmake';
import { SANS } from '../pdf/pdf-fonts.js';
import { TEXT_WIDTH, typeset } from '../pdf/pdf-page.js';
import type { Watermark } from '../content/render-html.js';
import type { GivenSignature, SigningFacts } from './certificate-evidence.js';

export interface CertificateInput {
  document: { id: string; number: string | null; title: string };
  /** In the order in which they signed. */
  parties: (SigningFacts & { evidence_sha256: string })[];
  content_sha256: string;
  executed_at: string;
  /** Tells the reader how to verify the document. */
  verification: string;
  watermark?: Watermark;
}

type Printable = (raw: string) => string;

const EXPLANATION =
  'The evidence of each party is the SHA-256 of the evidence of the previous party (for the first party, of the hash of the document) ' +
  'followed by the facts above in canonical JSON. A change to any fact, or to the order of the signatures, changes every later hash.';
const LABEL_WIDTH = 96;
const SIGNATURE_HEIGHT = 64;
const GREY = '#595959';
const FACTS: CustomTableLayout = {
  hLineWidth: () => 0,
  vLineWidth: () => 0,
  paddingLeft: () => 0,
  paddingRight: () => 8,
  paddingTop: () => 1,
  paddingBottom: () => 1,
};
const BOX: CustomTableLayout = {
  hLineWidth: () => 0.6,
  vLineWidth: () => 0.6,
  hLineColor: () => '#8c8c8c',
  vLineColor: () => '#8c8c8c',
  paddingLeft: () => 12,
  paddingRight: () => 12,
  paddingTop: () => 9,
  paddingBottom: () => 9,
};
const BOX_WIDTH = TEXT_WIDTH - 2 * 12 - 2;

/** Pages to append to the document: who signed, when, from which address, and the consent text each party agreed to. */
export function certificatePage({
  document,
  parties,
  content_sha256,
  executed_at,
  verification,
  watermark,
}: CertificateInput): Promise<Buffer> {
  const frame = {
    title: document.title,
    number: document.number,
    subject: 'Signature certificate',
    language: 'en',
    created_at: new Date(executed_at),
    watermark,
    part: 'Signature certificate',
  };
  return typeset(frame, (text) => [
    { text: 'Signature certificate', font: SANS, bold: true, fontSize: 17, margin: [0, 0, 0, 12] },
    facts(
      [
        ['Document', text(document.title)],
        ['Number', text(document.number ?? '—')],
        ['Identifier', document.id],
        ['Executed', moment(executed_at)],
        ['SHA-256 of the document', content_sha256],
      ],
      TEXT_WIDTH,
    ),
    ...parties.map((party, index) => partyBox(party, index + 1, text)),
    {
      text: EXPLANATION,
      fontSize: 8,
      color: GREY,
      margin: [0, 12, 0, 4],
    },
    { text: text(verification), fontSize: 8, color: GREY },
  ]);
}

function partyBox(party: CertificateInput['parties'][number], position: number, text: Printable): Content {
  const line = (raw: string) => text(raw).replace(/\s+/g, ' ');
  return {
    table: {
      widths: [BOX_WIDTH],
      body: [
        [
          {
            stack: [
              { text: `${position}. ${line(party.label)}`, font: SANS, bold: true, fontSize: 10, margin: [0, 0, 0, 4] },
              drawn(party.signature, line),
              { canvas: [{ type: 'line', x1: 0, y1: 0, x2: 260, y2: 0, lineWidth: 0.6, lineColor: '#333333' }], margin: [0, 2, 0, 6] },
              facts(
                [
                  ['Name', line(party.name)],
                  ['E-mail', line(party.email)],
                  ['Signed', moment(party.signed_at)],
                  ['IP address', line(party.ip)],
                  ['Browser', line(party.user_agent ?? '—')],
                  ['Agreed to', text(party.consent_text)],
                  ['Evidence', party.evidence_sha256],
                ],
                BOX_WIDTH,
              ),
            ],
          },
        ],
      ],
    },
    layout: BOX,
    // pdfmake drops an unbreakable block that is longer than a page. Only these two fields can be that long.
    unbreakable: party.consent_text.length + (party.user_agent ?? '').length <= 1500 && party.consent_text.split('\n').length <= 15,
    margin: [0, 12, 0, 0],
  };
}

/** A typed signature is set in a larger italic type, so that a reader recognizes it as the signature. */
function drawn(signature: GivenSignature, text: Printable): Content {
  if (signature.kind === 'typed') return { text: text(signature.text), italics: true, fontSize: 20, margin: [0, 8, 0, 0] };
  return { image: `data:image/png;base64,${signature.png.toString('base64')}`, fit: [240, SIGNATURE_HEIGHT], margin: [0, 4, 0, 0] };
}

function facts(pairs: [label: string, value: string][], width: number): Content {
  const label = (text: string) => ({
    text,
    font: SANS,
    fontSize: 7.5,
    color: GREY,
    margin: [0, 1, 0, 0] as [number, number, number, number],
  });
  return {
    table: {
      widths: [LABEL_WIDTH, width - LABEL_WIDTH - 16],
      body: pairs.map(([name, value]) => [label(name), { text: value, fontSize: 8.5 }]),
    },
    layout: FACTS,
  };
}

/** To the second, in UTC: evidence must not depend on the reader's time zone. */
function moment(time: string): string {
  return `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/**
 * Appends pages to a file as an incremental update. The original file stays at the beginning, byte for byte, so that its hash
 * can still be verified.
 */
export async function appendPages(pdf: Buffer, pages: Buffer): Promise<Buffer> {
  const document = await PDFDocument.load(pdf, { forIncrementalUpdate: true, updateMetadata: false });
  const behind = await PDFDocument.load(pages, { updateMetadata: false });
  for (const page of await document.copyPages(behind, behind.getPageIndices())) document.addPage(page);
  return Buffer.from(await document.commit({ useObjectStreams: false }));
}
