/**
 * Whether a value is a JSON object: not an array, not null.
 *
 * @example
 * ```ts
 * import { isObject } from 'work-suite/kit';
 *
 * const parsed: unknown = JSON.parse('{"plate":"B-AB 123"}');
 * const plate = isObject(parsed) ? parsed.plate : undefined;
 * ```
 */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
