import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { EN, type Texts } from '../../../pages/texts/en.js';
import type { SignatureParty } from '../../../model/records/signature-party.entity.js';

export const CODE_MINUTES = 10;
const TRIES_PER_CODE = 5;
/** Wrong attempts per link, over all its codes. Without this limit, requesting new codes would allow unlimited guesses. */
const TRIES_PER_LINK = 25;
const PAUSE_MS = 60_000;

type Problems = Texts['problems'];
type CodeState = Pick<SignatureParty, 'otp_hash' | 'otp_expires_at' | 'otp_failures'>;

/** Why no new code can be sent now. Null if one can be sent. */
export function newCodeProblem({ otp_failures, otp_expires_at }: CodeState, now: Date, texts: Problems = EN.problems): string | null {
  if (otp_failures >= TRIES_PER_LINK) return texts.codeBlocked;
  const sentAt = (otp_expires_at?.getTime() ?? 0) - CODE_MINUTES * 60_000;
  return now.getTime() - sentAt < PAUSE_MS ? texts.codePause : null;
}

/** Creates a code and the changes to the party's row. Attempts left for the previous code do not carry over. */
export function newCode(partyId: string, { otp_failures }: CodeState, now: Date): { code: string; changes: CodeState } {
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const changes = {
    otp_hash: hashOf(partyId, code),
    otp_expires_at: new Date(now.getTime() + CODE_MINUTES * 60_000),
    otp_failures: Math.ceil(otp_failures / TRIES_PER_CODE) * TRIES_PER_CODE,
  };
  return { code, changes };
}

/** Checks a code. The caller must write the changes to the party's row in any case, because they count failures. */
export function tryCode(
  partyId: string,
  state: CodeState,
  given: string,
  now: Date,
  texts: Problems = EN.problems,
): { problem: string | null; changes: Partial<SignatureParty> } {
  const { otp_hash, otp_expires_at, otp_failures } = state;
  if (otp_hash === null || otp_expires_at === null || otp_expires_at <= now) return { problem: texts.codeFirst, changes: {} };
  if (given === '') return { problem: texts.codeMissing, changes: {} };
  if (timingSafeEqual(Buffer.from(hashOf(partyId, given), 'hex'), Buffer.from(otp_hash, 'hex')))
    return { problem: null, changes: { otp_hash: null } };
  const failures = otp_failures + 1;
  if (failures % TRIES_PER_CODE !== 0) return { problem: texts.codeWrong, changes: { otp_failures: failures } };
  return {
    problem: texts.codeUsedUp,
    changes: { otp_failures: failures, otp_hash: null },
  };
}

/** Includes the party, so that equal codes of two parties have different hashes. */
function hashOf(partyId: string, code: string): string {
  return createHash('sha256').update(`${partyId} ${code}`).digest('hex');
}
