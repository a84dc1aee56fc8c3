import type { Authentication } from '../../model/records/signature-party.entity.js';
import type { Watermark } from '../content/render-html.js';
import { frameData } from '../pdf/page-frame.js';
import { piecesOf } from '../pdf/pieces.js';
import { printable } from '../typst/glyphs.js';
import { typeset } from '../typst/typst.js';
import type { SigningFacts } from './certificate-evidence.js';

export interface CertificateInput {
  document: { id: string; number: string | null; title: string };
  /** In the order in which they signed. */
  parties: (SigningFacts & { evidence_sha256: string })[];
  content_sha256: string;
  /** Of the document as it was sent to the parties; the file begins with these bytes. */
  content_bytes: number;
  executed_at: string;
  /** Tells the reader how to verify the document. */
  verification: string;
  watermark?: Watermark;
  /** The pages of the document before the certificate. */
  pagesBefore?: number;
}

const HEADING = 'Signature certificate';
const EXPLANATION =
  'The evidence of each party is the SHA-256 of the evidence of the previous party (for the first party, of the hash of the document) ' +
  'followed by the facts above in canonical JSON. A change to any fact, or to the order of the signatures, changes every later hash.';
const AUTHENTICATED: Record<Authentication, (email: string) => string> = {
  mailed_link: (email) => `A secret link in a mail to ${email}`,
  mailed_link_and_code: (email) => `A secret link in a mail to ${email}, and a code from a second mail to this address`,
  embedded_link: () => 'A one-time link that the organization showed on a page of its own',
  embedded_link_and_code: (email) =>
    `A one-time link that the organization showed on a page of its own, and a code from a mail to ${email}`,
};
/** Longer cards may be broken between pages. */
const SHORT = { characters: 1500, lines: 15 };
/** Longer words, such as hashes, may be broken. */
const LONGEST_WORD = 24;
const PIECE = 16;

/** Pages to append to the document: who signed, when, from which address, and the consent text each party agreed to. */
export function certificatePages({
  document,
  parties,
  content_sha256,
  content_bytes,
  executed_at,
  verification,
  watermark,
  pagesBefore,
}: CertificateInput): Buffer {
  const { frame, files } = frameData({
    title: document.title,
    number: document.number,
    subject: HEADING,
    language: 'en',
    created_at: new Date(executed_at),
    watermark,
    part: HEADING,
    pagesBefore,
  });
  const facts: Fact[] = [
    ['Document', document.title],
    ['Number', document.number ?? '—'],
    ['Identifier', document.id],
    ['Executed', moment(executed_at)],
    ['SHA-256 of the document', content_sha256],
    ['The hash covers', coveredText(content_bytes, pagesBefore)],
  ];
  const data = {
    frame,
    heading: HEADING,
    facts: facts.map(factData),
    parties: parties.map((party, index) => partyData(party, `/signature-${index}.png`, files)),
    notes: [EXPLANATION, verification].map(printable),
  };
  return typeset('certificate', { language: 'en', data, files }).pdf;
}

type Fact = [name: string, value: string];

/** A party as the template reads it; a drawing is added to `files`. */
function partyData(party: CertificateInput['parties'][number], path: string, files: Record<string, Uint8Array>): object {
  const { signature, consent_text, user_agent } = party;
  const line = (raw: string) => raw.replace(/\s+/g, ' ');
  if (signature.kind === 'drawn') files[path] = signature.png;
  const facts: Fact[] = [
    ['Name', line(party.name)],
    ['E-mail', line(party.email)],
    ['Signed', moment(party.signed_at)],
    ['IP address', line(party.ip)],
    ['Browser', line(user_agent ?? '—')],
    ...(party.authentication
      ? [['Authenticated by', AUTHENTICATED[party.authentication](line(party.email)) + makerText(party)] satisfies Fact]
      : []),
    ...Object.entries(party.field_values).map(([key, text]): Fact => [`Entered in ${key}`, text]),
    ['Agreed to', consent_text],
    ['Evidence', party.evidence_sha256],
  ];
  return {
    label: printable(line(party.label)),
    name: printable(line(party.name)),
    typed: signature.kind === 'typed' ? pieces(line(signature.text)) : [],
    image: signature.kind === 'drawn' ? path : null,
    facts: facts.map(factData),
    together: consent_text.length + (user_agent ?? '').length <= SHORT.characters && consent_text.split('\n').length <= SHORT.lines,
  };
}

function factData([name, value]: Fact): [string, string[]] {
  return [name, pieces(value)];
}

function pieces(text: string): string[] {
  return piecesOf(printable(text), (word) => word.length > LONGEST_WORD, PIECE);
}

function makerText({ link_made_by }: SigningFacts): string {
  if (!link_made_by) return '';
  const { type, id, email } = link_made_by;
  return `. The link was made by ${type === 'api_key' ? 'API key' : 'member'} ${id ?? email}`;
}

function coveredText(bytes: number, pages: number | undefined): string {
  const which = pages === undefined ? 'the document' : pages === 1 ? 'page 1' : `pages 1 to ${pages}`;
  return `The first ${bytes.toLocaleString('en')} bytes of this file: ${which} as sent to the parties, before they signed`;
}

/** To the second, in UTC: evidence must not depend on the reader's time zone. */
function moment(time: string): string {
  return `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
