import { CommonErrors, type ErrorDetail } from '../../../../kit/index.js';
import { typeAt } from '../../model/core/field-schema.js';
import { patternProblems } from '../../model/core/linear-patterns.js';
import type { ZoneDto } from './zones.dto.js';

/** Rejects zones outside the page, with an unknown field or with an invalid pattern, listing every problem. */
export async function requireZones(zones: readonly ZoneDto[], schema: Record<string, unknown>): Promise<void> {
  const details = [...placeProblems(zones), ...fieldProblems(zones, schema), ...(await wrongPatterns(zones))];
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

async function wrongPatterns(zones: readonly ZoneDto[]): Promise<ErrorDetail[]> {
  const problems = await patternProblems(zones.map(({ pattern }) => pattern));
  return problems.flatMap((found, index) => (found === null ? [] : [problem(index, 'pattern', found)]));
}

function problem(index: number, member: string, message: string): ErrorDetail {
  return { param: `zones.${index}.${member}`, code: 'invalid_value', message: `zones.${index}.${member} ${message}` };
}
