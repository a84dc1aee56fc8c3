import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { providerOf } from './inside.js';

// For `TestApp.inside`: replaces jest.spyOn, because the application runs in another process.

/** A call of a provider's method fails: the next one, or the one after so many others. Later ones are as before. */
export function failNextCall(app: NestFastifyApplication, service: string, method: string, message: string, after = 0): void {
  const provider = providerOf(app, service);
  const original = provider[method];
  let calls = 0;
  provider[method] = (...args: unknown[]) => {
    if (calls++ < after) return original.apply(provider, args);
    provider[method] = original;
    return Promise.reject(new Error(message));
  };
}

const counts = new WeakMap<object, number>();

/** Starts counting the calls of a provider's method, for `callsOf`. */
export function countCalls(app: NestFastifyApplication, service: string, method: string): void {
  const provider = providerOf(app, service);
  const original = provider[method];
  counts.set(provider, 0);
  provider[method] = (...args: unknown[]) => {
    counts.set(provider, counts.get(provider)! + 1);
    return original.apply(provider, args);
  };
}

/** The number of calls since the last query. */
export function callsOf(app: NestFastifyApplication, service: string): number {
  const provider = providerOf(app, service);
  const calls = counts.get(provider) ?? 0;
  counts.set(provider, 0);
  return calls;
}
