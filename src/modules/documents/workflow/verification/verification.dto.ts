import { Field } from '../../../../kit/index.js';
import type { SignerCertificate, TimeStampOfSignature } from '../../engine/signatures/verification.js';
import { DOCUMENT_STATES, type DocumentState } from '../../model/core/document-states.js';

export const FILE_VERDICTS = ['unchanged', 'changed', 'altered', 'unreadable', 'unknown'] as const;
const LATER_CHANGES = ['none', 'proofs', 'other'] as const;
const EVIDENCE_VERDICTS = ['intact', 'broken', 'erased', 'none'] as const;

class VerifiedSignatureDto {
  @Field.string({
    description: 'Who signed or sealed it, as the certificate says.',
    example: 'Nordwind GmbH',
    maxLength: 200,
  })
  signer: string;

  @Field.oneOf(['signature', 'time_stamp'] as const, {
    description: 'A signature or seal, or a time stamp of its own.',
    example: 'signature',
  })
  kind: 'signature' | 'time_stamp';

  @Field.dateTime({
    description: 'When, as the signer or the time-stamp authority says, UTC.',
    example: '2026-11-21T09:30:00.000Z',
    nullable: true,
  })
  signed_at: string | null;

  @Field.boolean({
    description: 'Whether what it covers is unchanged; null if its method is unknown. Whether its certificate is trusted is not checked.',
    example: true,
    nullable: true,
  })
  is_intact: boolean | null;

  @Field.boolean({
    description: 'Whether it covers the whole file.',
    example: true,
  })
  covers_file: boolean;

  @Field.boolean({
    description: 'Whether this server added it when all had signed.',
    example: true,
  })
  is_own_seal: boolean;

  @Field.oneOf(LATER_CHANGES, {
    description: 'Added after it: proofs: only what this server adds to its seal; other: a signature, a change or anything else.',
    example: 'none',
  })
  later_changes: (typeof LATER_CHANGES)[number];

  @Field.map({
    description: 'Of the signer: subject, issuer, valid_from, valid_until; null if the file lacks it.',
    example: { subject: 'CN=Nordwind GmbH' },
    nullable: true,
  })
  certificate: SignerCertificate | null;

  @Field.map({
    description: 'Its time stamp (RFC 3161): stamped_at, authority, is_intact, each null if unknown.',
    example: { authority: 'Example TSA' },
    nullable: true,
  })
  time_stamp: TimeStampOfSignature | null;
}

class VerifiedPartyDto {
  @Field.string({
    description: 'Role.',
    example: 'Customer',
    maxLength: 100,
  })
  label: string;

  @Field.string({
    description: 'Name.',
    example: 'Ada Lovelace',
    maxLength: 255,
  })
  name: string;

  @Field.string({
    description: 'E-mail address, masked.',
    example: 'a***@example.com',
    maxLength: 255,
  })
  email: string;

  @Field.dateTime({
    description: 'When they signed, UTC.',
    example: '2026-11-21T09:30:00.000Z',
  })
  signed_at: string;
}

/** A link of the chain of evidence. */
class EvidenceLinkDto {
  @Field.string({
    description: 'Role of the party; null for the file.',
    example: 'Customer',
    maxLength: 100,
    nullable: true,
  })
  label: string | null;

  @Field.string({
    description: 'The stored hash, as in the certificate of the signatures.',
    example: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
  })
  sha256: string;

  @Field.boolean({
    description: 'Whether the facts give it; null if they were erased.',
    example: true,
    nullable: true,
  })
  is_intact: boolean | null;
}

/** Which of several files of the document the file is. */
class VerifiedFileDto {
  @Field.string({
    description: 'Title of the document.',
    example: 'Agreement with Acme',
  })
  title: string;

  @Field.string({
    description: 'Name of the file.',
    example: 'Data processing agreement',
  })
  name: string;

  @Field.integer({
    description: 'Position among the files, from 1.',
    example: 2,
    minimum: 1,
  })
  position: number;

  @Field.integer({
    description: 'Number of files, with the certificate of the signatures.',
    example: 4,
    minimum: 2,
  })
  of: number;
}

/** The document that the file belongs to: only what the file itself shows, and what became of it. */
class VerifiedDocumentDto {
  @Field.string({
    description: 'Organization that sent it.',
    example: 'Nordwind GmbH',
  })
  organization: string;

  @Field.string({
    description: 'Number.',
    example: 'AGR-2026-00042',
    nullable: true,
  })
  number: string | null;

  @Field.object(() => VerifiedFileDto, {
    description: 'Which of its files this is; null if it has only one.',
    example: undefined,
    nullable: true,
  })
  file: VerifiedFileDto | null;

  @Field.boolean({
    description: 'Whether all parties have signed the file; otherwise it is the one that they were asked to sign.',
    example: true,
  })
  is_executed: boolean;

  @Field.dateTime({
    description: 'When the last party signed, UTC.',
    example: '2026-11-21T09:30:00.000Z',
    nullable: true,
  })
  completed_at: string | null;

  @Field.oneOf(DOCUMENT_STATES, {
    description: 'What became of the document.',
    example: 'executed',
  })
  state: DocumentState;

  @Field.boolean({
    description: 'Whether it was made for a test, so that its signatures have no effect.',
    example: false,
  })
  is_test: boolean;

  @Field.object(() => VerifiedPartyDto, {
    description: 'Who signed it, in order; empty for a file that was not signed.',
    example: undefined,
    list: { maxItems: 100, repeats: true },
  })
  parties: VerifiedPartyDto[];

  @Field.oneOf(EVIDENCE_VERDICTS, {
    description:
      'The stored facts: intact if they give the hashes, else broken; erased at the end of their retention; none if it was not signed.',
    example: 'intact',
  })
  evidence: (typeof EVIDENCE_VERDICTS)[number];

  @Field.object(() => EvidenceLinkDto, {
    description:
      'The file that was to be signed, then each signature; each hash covers the one before it. Empty for a file that was not signed.',
    example: undefined,
    list: { maxItems: 101, repeats: true },
  })
  evidence_chain: EvidenceLinkDto[];
}

/** What a PDF proves. */
export class VerificationDto {
  @Field.constant('verification')
  object: string;

  @Field.string({
    description: 'Hexadecimal SHA-256 of the file.',
    example: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
  })
  sha256: string;

  @Field.integer({
    description: 'Bytes of the file.',
    example: 81_920,
    minimum: 1,
  })
  bytes: number;

  @Field.oneOf(FILE_VERDICTS, {
    description:
      'unchanged: a file of this server; changed: begins with one; altered: none, and a signature no longer fits; ' +
      'unreadable: none, and whether it has signatures is not known; unknown: any other, also a print or copy.',
    example: 'unchanged',
  })
  verdict: (typeof FILE_VERDICTS)[number];

  @Field.object(() => VerifiedDocumentDto, {
    description: 'The document of this server that the file is, or begins with.',
    example: undefined,
    nullable: true,
  })
  document: VerifiedDocumentDto | null;

  @Field.string({
    description: 'Why signatures in the file could not be read; null if they were.',
    example: null,
    maxLength: 200,
    nullable: true,
  })
  problem: string | null;

  @Field.object(() => VerifiedSignatureDto, {
    description: 'The signatures and seals in the file, in the order in which they were added; empty if there is a problem.',
    example: undefined,
    list: { maxItems: 100, repeats: true },
  })
  signatures: VerifiedSignatureDto[];
}

/** The form of the page, beside its file. */
export class VerificationForm {
  @Field.string({
    description: 'Language of the page.',
    example: 'en',
    minLength: 0,
    maxLength: 12,
    required: false,
  })
  language?: string;
}
