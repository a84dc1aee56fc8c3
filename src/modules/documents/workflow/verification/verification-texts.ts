import type { VerificationDto } from './verification.dto.js';

/** The texts of the page that verifies files, in one language. */
export interface VerificationTexts {
  title: string;
  lead: string;
  file: string;
  hint: string;
  button: string;
  again: string;
  problem: string;
  problems: { none: string; noPdf: string; tooLarge: string; busy: string };
  verdicts: Record<VerificationDto['verdict'], string>;
  executed: string;
  unsigned: string;
  facts: Record<'organization' | 'number' | 'document' | 'file' | 'completed' | 'state' | 'evidence' | 'sha256' | 'bytes', string>;
  states: { revoked: string; superseded: string; expired: string; other: string };
  test: string;
  signedBy: string;
  evidence: Record<NonNullable<VerificationDto['document']>['evidence'], string>;
  signatures: string;
  noSignatures: string;
  /** About a file that cannot be read. */
  unreadSignatures: string;
  intact: string;
  broken: string;
  unclear: string;
  trust: string;
  /** About a file that is not known and has no signature. */
  print: string;
  /** About a file that is not known, with signatures that fit. */
  elsewhere: string;
  ownSeal: string;
  timeStamp: string;
  later: Record<VerificationDto['signatures'][number]['later_changes'], string>;
  details: string;
  certificate: { subject: string; issuer: string; validity: string; none: string };
  stamp: { label: string; none: string; intact: string; broken: string; unclear: string };
  chain: {
    title: string;
    lead: string;
    file: string;
    sha256: string;
    previous: string;
    intact: string;
    broken: string;
    erased: string;
  };
}
