import { hash, verify } from '@node-rs/argon2';
import type { ShareLink } from './share-link.entity.js';

/** The parameters that OWASP recommends for argon2id. Each hash contains the parameters it was made with. */
const ARGON2ID = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const RECENT_MS = 15 * 60_000;
const RECENT_FAILURES = 5;
const ALL_FAILURES = 20;

type Tries = Pick<ShareLink, 'failures' | 'recent_failures' | 'failing_since'>;

export type PasscodeVerdict = { kind: 'right' } | { kind: 'wrong' } | { kind: 'locked' } | { kind: 'wait'; seconds: number };

export function hashPasscode(passcode: string): Promise<string> {
  return hash(passcode, ARGON2ID);
}

/** Whether too many wrong passcodes have permanently locked the link. */
export function isLocked({ failures }: Tries): boolean {
  return failures >= ALL_FAILURES;
}

/**
 * Checks a passcode. The caller must lock the link's row, so that concurrent attempts are all counted, and must always write the
 * changes. A right passcode does not reset the counters, so that someone who knows it cannot give others more attempts.
 */
export async function tryPasscode(
  link: Tries & { passcode_hash: string },
  given: string,
  now: Date,
): Promise<{ verdict: PasscodeVerdict; changes: Partial<ShareLink> }> {
  if (isLocked(link)) return { verdict: { kind: 'locked' }, changes: {} };
  const since = link.failing_since?.getTime() ?? 0;
  const isRecent = now.getTime() - since < RECENT_MS;
  if (isRecent && link.recent_failures >= RECENT_FAILURES)
    return { verdict: { kind: 'wait', seconds: Math.ceil((since + RECENT_MS - now.getTime()) / 1000) }, changes: {} };
  if (await verify(link.passcode_hash, given)) return { verdict: { kind: 'right' }, changes: {} };
  const failures = link.failures + 1;
  const changes = isRecent ? { failures, recent_failures: link.recent_failures + 1 } : { failures, recent_failures: 1, failing_since: now };
  return { verdict: { kind: isLocked({ ...link, failures }) ? 'locked' : 'wrong' }, changes };
}
