import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import type { SignatureParty } from '../../model/records/signature-party.entity.js';

export const CODE_MINUTES = 10;
const TRIES_PER_CODE = 5;
/** Wrong codes of one link, over all its codes: a million codes are few for who may ask for new ones without end. */
const TRIES_PER_LINK = 25;
const PAUSE_MS = 60_000;

type CodeState = Pick<SignatureParty, 'otp_hash' | 'otp_expires_at' | 'otp_failures'>;

/** Why no new code can be sent now; null when one can. */
export function newCodeProblem({ otp_failures, otp_expires_at }: CodeState, now: Date): string | null {
  if (otp_failures >= TRIES_PER_LINK) return 'Too many wrong codes were given. Ask the sender for a new link.';
  const sentAt = (otp_expires_at?.getTime() ?? 0) - CODE_MINUTES * 60_000;
  return now.getTime() - sentAt < PAUSE_MS
    ? 'A code was sent less than a minute ago. Look into your mail, or wait a moment and ask for another.'
    : null;
}

/** A fresh code, and what the party's row keeps of it. The tries that were left of the one before are lost. */
export function newCode(partyId: string, { otp_failures }: CodeState, now: Date): { code: string; changes: CodeState } {
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const changes = {
    otp_hash: hashOf(partyId, code),
    otp_expires_at: new Date(now.getTime() + CODE_MINUTES * 60_000),
    otp_failures: Math.ceil(otp_failures / TRIES_PER_CODE) * TRIES_PER_CODE,
  };
  return { code, changes };
}

/** What a given code changes on the party's row, and what is the matter with it; the caller writes the changes in any case. */
export function tryCode(
  partyId: string,
  state: CodeState,
  given: string,
  now: Date,
): { problem: string | null; changes: Partial<SignatureParty> } {
  const { otp_hash, otp_expires_at, otp_failures } = state;
  if (otp_hash === null || otp_expires_at === null || otp_expires_at <= now)
    return { problem: 'Ask for a code first: there is none, or it is no longer valid.', changes: {} };
  if (given === '') return { problem: 'Enter the code that was sent to you.', changes: {} };
  if (timingSafeEqual(Buffer.from(hashOf(partyId, given), 'hex'), Buffer.from(otp_hash, 'hex')))
    return { problem: null, changes: { otp_hash: null } };
  const failures = otp_failures + 1;
  if (failures % TRIES_PER_CODE !== 0) return { problem: 'The code is not right.', changes: { otp_failures: failures } };
  return {
    problem: 'The code is not right, and was tried too often. Ask for a new one.',
    changes: { otp_failures: failures, otp_hash: null },
  };
}

/** Bound to the party, so that equal codes of two parties look different. */
function hashOf(partyId: string, code: string): string {
  return createHash('sha256').update(`${partyId} ${code}`).digest('hex');
}
