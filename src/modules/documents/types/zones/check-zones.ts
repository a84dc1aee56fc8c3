import { setImmediate as pause } from 'node:timers/promises';
import { RE2JS } from 're2js';
import { CommonErrors, type ErrorDetail } from '../../../../kit/index.js';
import { typeAt } from '../../model/core/field-schema.js';
import type { ZoneDto } from './zones.dto.js';

/** A short pattern can compile to 50,000 instructions, and a request has up to 500: this limits the time to compile them. */
const PATTERNS_MS = 2_000;

/** Rejects zones outside the page, with an unknown field or with an invalid pattern, listing every problem. */
export async function requireZones(zones: readonly ZoneDto[], schema: Record<string, unknown>): Promise<void> {
  const details = [...placeProblems(zones), ...fieldProblems(zones, schema), ...(await patternProblems(zones))];
  if (details.length > 0) throw CommonErrors.validationFailed({ param: details[0].param, message: details[0].message, details });
}

function placeProblems(zones: readonly ZoneDto[]): ErrorDetail[] {
  return zones.flatMap(({ x, y, w, h }, index) => [
    ...(w > 0 ? [] : [problem(index, 'w', 'must be more than 0')]),
    ...(h > 0 ? [] : [problem(index, 'h', 'must be more than 0')]),
    ...(x + w <= 1 ? [] : [problem(index, 'w', 'must keep x + w at 1 or less')]),
    ...(y + h <= 1 ? [] : [problem(index, 'h', 'must keep y + h at 1 or less')]),
  ]);
}

function fieldProblems(zones: readonly ZoneDto[], schema: Record<string, unknown>): ErrorDetail[] {
  return zones.flatMap(({ field }, index) =>
    typeAt(schema, field) === null ? [problem(index, 'field', `names ${field}, which is not a field of the type`)] : [],
  );
}

/** RE2 has no lookaround and no back-references, so matching takes linear time. */
async function patternProblems(zones: readonly ZoneDto[]): Promise<ErrorDetail[]> {
  const problems: ErrorDetail[] = [];
  const known = new Map<string, string | null>();
  let spent = 0;
  for (const [index, { pattern }] of zones.entries()) {
    if (pattern === undefined || pattern === null) continue;
    if (!known.has(pattern)) {
      if (spent > PATTERNS_MS)
        return [...problems, problem(index, 'pattern', 'makes the patterns too large in total; use smaller {n} repetitions')];
      const since = performance.now();
      known.set(pattern, patternProblem(pattern));
      spent += performance.now() - since;
      await pause();
    }
    const found = known.get(pattern);
    if (found) problems.push(problem(index, 'pattern', `is not an RE2 regular expression: ${found}`));
  }
  return problems;
}

function patternProblem(pattern: string): string | null {
  try {
    RE2JS.compile(pattern);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

function problem(index: number, member: string, message: string): ErrorDetail {
  return { param: `zones.${index}.${member}`, code: 'invalid_value', message: `zones.${index}.${member} ${message}` };
}
