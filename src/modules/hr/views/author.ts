import type { Actor, ActorDto, Mode } from '../../../kit/index.js';

/** Members are real people, and a test key must not meet any. */
export function authorOf({ mode, created_by }: { mode: Mode; created_by: Actor }): ActorDto {
  return mode === 'live' ? created_by : { type: created_by.type, id: null, email: null };
}
