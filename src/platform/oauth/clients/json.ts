import { isObject } from '../../../kit/index.js';

export type Json = Record<string, unknown>;

/** The object in a JSON text; undefined for anything else. */
export function objectIn(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
