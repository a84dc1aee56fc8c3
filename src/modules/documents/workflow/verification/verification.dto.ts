import { Field } from '../../../../kit/index.js';
import { DOCUMENT_STATES, type DocumentState } from '../../model/core/document-states.js';

export const FILE_VERDICTS = ['unchanged', 'changed', 'altered', 'unknown'] as const;
export const LATER_CHANGES = ['none', 'proofs', 'other'] as const;
export const EVIDENCE_VERDICTS = ['intact', 'broken', 'erased', 'none'] as const;

class VerifiedCertificateDto {
  @Field.string({
    description: 'To whom it was issued.',
    example: 'CN=Nordwind GmbH, O=Nordwind GmbH, C=DE',
    minLength: 0,
    maxLength: 500,
  })
  subject: string;

  @Field.string({
    description: 'Who issued it.',
    example: 'CN=Example Signing CA, C=DE',
    minLength: 0,
    maxLength: 500,
  })
  issuer: string;

  @Field.string({
    description: 'Serial number, hexadecimal.',
    example: '4f9d1c2b',
    maxLength: 100,
  })
  serial_number: string;

  @Field.dateTime({
    description: 'Valid from, UTC.',
    example: '2026-01-01T00:00:00.000Z',
  })
  valid_from: string;

  @Field.dateTime({
    description: 'Valid until, UTC.',
    example: '2028-01-01T00:00:00.000Z',
  })
  valid_until: string;
}

class SignatureTimeStampDto {
  @Field.dateTime({
    description: 'When, as the authority says, UTC.',
    example: '2026-11-21T09:30:01.000Z',
    nullable: true,
  })
  stamped_at: string | null;

  @Field.string({
    description: 'The time-stamp authority, as its certificate says.',
    example: 'Example TSA',
    minLength: 0,
    maxLength: 500,
    nullable: true,
  })
  authority: string | null;

  @Field.boolean({
    description: 'Whether it is over this signature and is itself unchanged; null if its method is not known.',
    example: true,
    nullable: true,
  })
  is_intact: boolean | null;
}

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
    description: 'Whether what it covers is unchanged; null if its method is not known. Whether its certificate is trusted is not checked.',
    example: true,
    nullable: true,
  })
  is_intact: boolean | null;

  @Field.boolean({
    description: 'Whether it covers the whole file. If not, something was added after it, such as a time stamp, a signature or a change.',
    example: true,
  })
  covers_file: boolean;

  @Field.boolean({
    description: 'Whether it is the seal that this server added when all parties had signed.',
    example: true,
  })
  is_own_seal: boolean;

  @Field.oneOf(LATER_CHANGES, {
    description:
      'What was added to the file after it: none; proofs: only what this server adds to its seal, such as proofs that it was ' +
      'not revoked; other: something else, such as another signature or a change.',
    example: 'none',
  })
  later_changes: (typeof LATER_CHANGES)[number];

  @Field.object(() => VerifiedCertificateDto, {
    description: 'The certificate of the signer; null if the file does not contain it.',
    example: undefined,
    nullable: true,
  })
  certificate: VerifiedCertificateDto | null;

  @Field.object(() => SignatureTimeStampDto, {
    description: 'The time stamp (RFC 3161) that is embedded in it.',
    example: undefined,
    nullable: true,
  })
  time_stamp: SignatureTimeStampDto | null;
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

/** A link of the chain of evidence: each hash covers the previous one. */
class EvidenceLinkDto {
  @Field.integer({
    description: 'Position in the chain: 0 is the file that the parties were asked to sign, and each signature is one more.',
    example: 1,
    minimum: 0,
  })
  position: number;

  @Field.string({
    description: 'Role of the party that signed; null for the file.',
    example: 'Customer',
    maxLength: 100,
    nullable: true,
  })
  label: string | null;

  @Field.string({
    description: 'The stored hash, hexadecimal SHA-256, as the certificate of the signatures shows it.',
    example: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
  })
  sha256: string;

  @Field.string({
    description: 'The hash before it in the chain; null for the file.',
    example: '5c8f1e0a7d3b4c2e9f6a1b0d8e7c6f5a4b3c2d1e0f9a8b7c6d5e4f3a2b1c0d9e',
    nullable: true,
  })
  previous_sha256: string | null;

  @Field.boolean({
    description: 'Whether the stored facts still give this hash; null if they were erased at the end of their retention.',
    example: true,
    nullable: true,
  })
  is_intact: boolean | null;
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

  @Field.boolean({
    description: 'Whether the file is the one that all parties have signed; otherwise it is the one that they were asked to sign.',
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
      'The chain of evidence, calculated again from the stored facts: intact, or broken if they have changed; erased if the facts were ' +
      'erased at the end of their retention; none for a file that was not signed.',
    example: 'intact',
  })
  evidence: (typeof EVIDENCE_VERDICTS)[number];

  @Field.object(() => EvidenceLinkDto, {
    description: 'The chain of evidence, link by link; empty for a file that was not signed.',
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
      'unchanged: byte by byte a file of this server; changed: begins with one, but something was added since; altered: not a file of ' +
      'this server, and a signature in it no longer fits: it was changed after it was signed; unknown: any other file, also a print or ' +
      'copy that another program made.',
    example: 'unchanged',
  })
  verdict: (typeof FILE_VERDICTS)[number];

  @Field.object(() => VerifiedDocumentDto, {
    description: 'The document of this server that the file is, or begins with.',
    example: undefined,
    nullable: true,
  })
  document: VerifiedDocumentDto | null;

  @Field.object(() => VerifiedSignatureDto, {
    description: 'The signatures and seals in the file, in the order in which they were added.',
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
