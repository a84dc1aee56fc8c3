import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { copier } from './fixtures/binders.fixture.js';

// For `TestApp.inside`: the copier of binders.fixture.ts in another process.

const held = new Map<string, () => void>();

/** No copy was begun, and none has to wait. */
export function reset(_app: NestFastifyApplication): void {
  Object.assign(copier, { begun: 0, hold: null });
}

/** Copies that begin from now on wait until this name is released. */
export function hold(_app: NestFastifyApplication, name: string): void {
  copier.hold = new Promise((resolve) => held.set(name, resolve));
}

export function release(_app: NestFastifyApplication, name: string): void {
  held.get(name)?.();
}

/** How many copies were begun. */
export function begun(_app: NestFastifyApplication): number {
  return copier.begun;
}
