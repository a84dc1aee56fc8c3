import type { EarlierSignature } from '../../model/core/placed-fields.js';
import type { Watermark } from '../content/printed-words.js';
import { frameData } from '../pdf/page-frame.js';
import { piecesOf } from '../pdf/pieces.js';
import { printable } from '../typst/glyphs.js';
import { typeset } from '../typst/typst.js';
import type { SigningFacts } from './certificate-evidence.js';
import { historyLines, type HistoryEvent } from './history.js';
import { certificateTexts, moment, signatureLine, type CertificateTexts } from './certificate-texts.js';

export interface CertificateInput {
  document: { id: string; number: string | null; title: string };
  /** In the order in which they signed. */
  parties: CertifiedParty[];
  /** That sent it. */
  organization?: string;
  content_sha256: string;
  /** Of the document as it was sent to the parties; the file begins with these bytes. */
  content_bytes?: number;
  /** Of a document that consists of several: the certificate is a file of its own. */
  files?: readonly CertifiedFile[];
  executed_at: string;
  /** BCP 47, of the document. */
  language: string;
  /** Whether the seal has a time stamp. */
  hasTimeStamp: boolean;
  /** In the order in which it happened. */
  history?: readonly HistoryEvent[];
  watermark?: Watermark;
  /** The pages of the document before the certificate. */
  pagesBefore?: number;
  /** Whether it is a file of its own that is attached to the document. */
  isAttached?: boolean;
  /** Digital signatures that the file of the document already had. */
  earlier_signatures?: readonly EarlierSignature[];
}

export interface CertifiedParty extends SigningFacts {
  evidence_sha256: string;
  /** What it filled in, as the pages show it. */
  entries?: readonly { label: string; text: string }[];
}

/** One of several files of a document. */
export interface CertifiedFile {
  name: string;
  pages: number;
  /** As it was sent to the parties; the signed file begins with these bytes. */
  sent: { sha256: string; bytes: number };
  /** Of the file with the signatures and its seal. */
  signed_sha256: string;
  earlier_signatures: readonly EarlierSignature[];
}

/** Longer cards may be broken between pages. */
const SHORT = { characters: 1500, lines: 25 };
/** Longer words, such as hashes, may be broken. */
const LONGEST_WORD = 24;
const PIECE = 16;

/**
 * Pages to append to the document, or to hand over beside its files: who signed, when, from which address, and the consent text each party
 * agreed to.
 */
export function certificatePages({
  document,
  parties,
  content_sha256,
  content_bytes = 0,
  files: several = [],
  executed_at,
  language: asked,
  hasTimeStamp,
  history = [],
  watermark,
  pagesBefore = 0,
  isAttached = false,
  earlier_signatures = [],
  organization,
}: CertificateInput): Buffer {
  const { texts, language } = certificateTexts(asked);
  const isFile = several.length > 0;
  const inWords = (bytes: number) => bytes.toLocaleString(language);
  const { frame, files } = frameData({
    title: document.title,
    number: document.number,
    subject: texts.heading,
    language,
    created_at: new Date(executed_at),
    watermark,
    part: texts.heading,
    pagesBefore: isAttached ? 0 : pagesBefore,
  });
  const facts: Fact[] = [
    [texts.facts.document, document.title],
    [texts.facts.number, document.number ?? '—'],
    [texts.facts.id, document.id],
    [texts.facts.executed, moment(executed_at)],
    ...(organization === undefined ? [] : [[texts.facts.sender, organization] satisfies Fact]),
    [texts.facts.sha256, content_sha256],
    [texts.facts.covers, isFile ? texts.several.covered : texts.covered(inWords(content_bytes), pagesBefore)],
    ...earlier_signatures.map((signature): Fact => [texts.facts.signedBefore, signatureLine(signature, texts)]),
    ...several.flatMap(({ name, pages, sent, signed_sha256, earlier_signatures: earlier }, index): Fact[] => [
      [texts.several.file(index + 1), texts.several.named(name, pages)],
      [texts.several.sent, texts.several.sentAs(sent.sha256, inWords(sent.bytes))],
      [texts.several.signed, signed_sha256],
      ...earlier.map((signature): Fact => [texts.facts.signedBefore, signatureLine(signature, texts)]),
    ]),
  ];
  const sealed = isFile ? texts.several.seal : texts.seal;
  const { heading, lines } = historyLines(language, history);
  const data = {
    frame,
    heading: texts.heading,
    facts: facts.map(factData),
    parties: parties.map((party, index) => partyData(party, `/signature-${index}.png`, files, texts)),
    history: lines.length > 0 ? { heading, lines: lines.map(([at, text]) => factData([moment(at), text])) } : null,
    notes: [texts.chain, hasTimeStamp ? `${sealed} ${texts.timeStamp}` : sealed],
  };
  return typeset('certificate', { language, data, files, part: isAttached ? undefined : 'pages' }).pdf;
}

type Fact = [name: string, value: string];

/** A party as the template reads it; a drawing is added to `files`. */
function partyData(
  party: CertifiedParty,
  path: string,
  files: Record<string, Uint8Array>,
  { party: labels, filledIn, authenticated, madeBy, earlier }: CertificateTexts,
): object {
  const { signature, consent_text, user_agent, entries = [] } = party;
  const line = (raw: string) => raw.replace(/\s+/g, ' ');
  if (signature.kind !== 'typed') files[path] = signature.png;
  const facts: Fact[] = [
    [labels.name, line(party.name)],
    [labels.email, line(party.email)],
    ...(party.earlier_signers ?? []).map(({ name, email, replaced_by, replaced_at }): Fact => [
      labels.earlier,
      earlier[replaced_by](line(name), line(email), moment(replaced_at)),
    ]),
    [labels.signed, moment(party.signed_at)],
    [labels.address, line(party.ip)],
    [labels.browser, line(user_agent ?? '—')],
    ...(party.authentication
      ? [[labels.by, authenticated[party.authentication](line(party.email)) + makerText(party, madeBy)] satisfies Fact]
      : []),
    [labels.consent, consent_text],
    [labels.evidence, party.evidence_sha256],
  ];
  return {
    label: printable(line(party.label)),
    name: printable(line(party.name)),
    typed: signature.kind === 'typed' ? pieces(line(signature.text)) : [],
    face: (signature.kind === 'typed' && signature.face) || null,
    image: signature.kind === 'typed' ? null : path,
    facts: facts.map(factData),
    filled_in: entries.length > 0 ? { heading: filledIn, lines: entries.map(({ label, text }) => factData([line(label), text])) } : null,
    together: isShort([consent_text, user_agent ?? '', ...entries.flatMap(({ label, text }) => [label, text])]),
  };
}

function isShort(texts: readonly string[]): boolean {
  const lines = texts.reduce((sum, text) => sum + text.split('\n').length, 0);
  return lines <= SHORT.lines && texts.join('').length <= SHORT.characters;
}

function factData([name, value]: Fact): [string, string[]] {
  return [printable(name), pieces(value)];
}

function pieces(text: string): string[] {
  return piecesOf(printable(text), (word) => word.length > LONGEST_WORD, PIECE);
}

function makerText({ link_made_by }: SigningFacts, madeBy: CertificateTexts['madeBy']): string {
  return link_made_by
    ? `. ${madeBy(link_made_by.type === 'api_key' ? 'key' : 'member', String(link_made_by.id ?? link_made_by.email))}`
    : '';
}
