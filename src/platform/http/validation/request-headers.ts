import { CommonErrors, isInstant, type Mode } from '../../../kit/index.js';

/**
 * The versions that an `If-Match` accepts; null means any. An ETag is a version in quotes. Weak ones count, because a proxy that compresses
 * answers weakens theirs; a version is as strict. Empty elements of the list say nothing (RFC 9110, 5.6.1.2).
 */
export function readIfMatch(value: string | undefined): readonly number[] | null {
  if (value === undefined || value.trim() === '*') return null;
  const tags = value.split(',').filter((tag) => tag.trim() !== '');
  const versions = tags.map((tag) => Number(/^\s*(?:W\/)?"(\d{1,9})"\s*$/.exec(tag)?.[1]));
  if (versions.length > 0 && !versions.some(Number.isNaN)) return versions;
  throw CommonErrors.validationFailed({
    param: 'If-Match',
    message: 'If-Match must be the ETag of an earlier response, for example "3"',
  });
}

/** The request header of a write that is only tried out. */
export const DRY_RUN = 'Svc-Dry-Run';

export function readIdempotencyKey(value: string | undefined): string | null {
  if (value === undefined) return null;
  if (!/^[\x20-\x7e]{1,255}$/.test(value) || value.trim() === '') {
    throw CommonErrors.validationFailed({
      param: 'Idempotency-Key',
      message: 'Idempotency-Key must be 1 to 255 printable ASCII characters',
    });
  }
  return value;
}

/** The request header of a write that follows a plan. */
export const PLAN_TOKEN = 'Svc-Plan-Token';

export function readPlanToken(value: string | undefined): string | null {
  if (value === undefined) return null;
  if (/^plan_[\w-]{1,200}$/.test(value)) return value;
  throw CommonErrors.validationFailed({ param: PLAN_TOKEN, message: `${PLAN_TOKEN} must be the plan_token that a dry run returned` });
}

/** The request header of a call on test data that decides as of another time. */
export const TEST_CLOCK = 'Svc-Test-Clock';

/** On live data the time is that of the clock: a call that asks for another one is a mistake. */
export function readTestClock(value: string | undefined, mode: Mode): Date | null {
  if (value === undefined) return null;
  if (mode === 'live') throw CommonErrors.validationFailed({ param: TEST_CLOCK, message: `${TEST_CLOCK} is for test data only` });
  if (isInstant(value)) return new Date(value);
  throw CommonErrors.validationFailed({
    param: TEST_CLOCK,
    message: `${TEST_CLOCK} must be an RFC 3339 time with its offset, for example 2027-03-01T08:00:00Z`,
  });
}

export function readDryRun(value: string | undefined): boolean {
  if (value === undefined || value === 'false') return false;
  if (value === 'true') return true;
  throw CommonErrors.validationFailed({ param: DRY_RUN, message: `${DRY_RUN} must be true or false`, allowed: ['true', 'false'] });
}
