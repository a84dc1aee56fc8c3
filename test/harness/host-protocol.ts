import { CallContext, systemContext } from '../../src/platform/persistence/transactions/call-context.js';
import type { Mode } from '../../src/kit/index.js';

/** A request to the process of `app-host.ts`. */
export type HostCall =
  | { kind: 'shared'; factory: Exported; options: object }
  | { kind: 'start'; factory: Exported; options: object }
  | { kind: 'stop'; app: string }
  | { kind: 'service'; app: string; service: string; method: string; args: unknown[] }
  | { kind: 'inside'; app: string; file: string; name: string; args: unknown[] };

/** A function of a source file, whose path is relative to the project's root. */
export interface Exported {
  file: string;
  name: string;
}

export interface HostedApp {
  id: string;
  url: string;
  databaseUrl: string;
}

/** The value, or the error's name, message, stack and enumerable properties. */
export type HostResult = { value?: unknown } | { error: { name: string; message: string; stack?: string } };

/** JSON that preserves dates, the contexts of background work and signals that are not aborted. */
export function serialize(value: unknown): string {
  return JSON.stringify(value ?? null, function (this: Record<string, unknown>, key, plain) {
    const original = this[key];
    if (original instanceof Date) return { $date: original.getTime() };
    if (original instanceof CallContext) return { $context: [original.organizationId, original.mode] };
    if (original instanceof AbortSignal) return { $signal: true };
    // for an argument's default value
    if (original === undefined && Array.isArray(this)) return { $undefined: true };
    return plain as unknown;
  });
}

export function deserialize<T>(text: string): T {
  return JSON.parse(text, (_key, value: { $date?: number; $context?: [string, Mode]; $signal?: true; $undefined?: true } | null) => {
    if (value?.$date !== undefined) return new Date(value.$date);
    if (value?.$context) return systemContext(...value.$context);
    if (value?.$undefined) return undefined;
    if (value?.$signal) return new AbortController().signal;
    return value;
  }) as T;
}
