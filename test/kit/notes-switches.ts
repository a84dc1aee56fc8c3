import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { knobs } from './notes.fixture.js';

// For `TestApp.inside`: the switches of notes.fixture.ts in another process.

let release = (): void => undefined;

/** From now on a note is written but its request waits. */
export function holdCreations(_app: NestFastifyApplication): void {
  knobs.hold = new Promise((resolve) => (release = resolve));
}

/** Those that wait go on, and no other waits. */
export function releaseCreations(_app: NestFastifyApplication): void {
  knobs.hold = null;
  release();
}

/** How often the handler ran. */
export function creations(_app: NestFastifyApplication): number {
  return knobs.created;
}

/** The failure that the last creation was asked for. */
export function lastScenario(_app: NestFastifyApplication): string | null {
  return knobs.scenario;
}
