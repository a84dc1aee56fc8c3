import { hash, verify } from '@node-rs/argon2';
import type { ShareLink } from './share-link.entity.js';

/** The parameters OWASP names for argon2id; the ones a hash was made with stand in it. */
const ARGON2ID = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const RECENT_MS = 15 * 60_000;
const RECENT_FAILURES = 5;
const ALL_FAILURES = 20;

type Tries = Pick<ShareLink, 'failures' | 'recent_failures' | 'failing_since'>;

export type PasscodeVerdict = { kind: 'right' } | { kind: 'wrong' } | { kind: 'locked' } | { kind: 'wait'; seconds: number };

export function hashPasscode(passcode: string): Promise<string> {
  return hash(passcode, ARGON2ID);
}

/** Whether so many wrong passcodes were given that the link opens for nobody any more. */
export function isLocked({ failures }: Tries): boolean {
  return failures >= ALL_FAILURES;
}

/**
 * Holds a passcode against a link whose row is locked, so that tries at the same time count one by one. The caller writes the
 * changes in any case. A right one forgives nothing: who knows it may not make room for who guesses.
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
