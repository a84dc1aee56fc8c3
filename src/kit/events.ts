import type { Type } from '@nestjs/common';
import type { Actor } from './ctx.js';

/** A change that other systems are told about. Declared once, in `<module>.events.ts`. */
export interface EventDefinition<Payload extends object = object> {
  /** `noun.verb_in_past`, for example `task.created`. Unique over all modules. */
  readonly name: string;
  readonly description: string;
  /** The DTO of `data.object`: the same shape GET answers with. */
  readonly payload: Type<Payload>;
  /** Members of `data.context` by name, with a line each; empty when the event has none. */
  readonly context?: Readonly<Record<string, string>>;
  /** An internal event drives generation triggers inside the product and is never sent out. */
  readonly internal?: boolean;
}

/** What one occurrence of an event says. */
export interface EventData<Payload extends object> {
  /** The resource after the change, as GET answers with. */
  object: Payload;
  /** The changed members with the values they had before. */
  previous?: Partial<Payload>;
  context?: Record<string, unknown>;
  /** The resource's project; null for what stands above projects. */
  projectId: string | null;
}

/** An event's body as it is frozen at emission and delivered, byte for byte, on every attempt. Times are RFC 3339 UTC. */
export interface EventBody<Payload extends object = object> {
  id: string;
  object: 'event';
  type: string;
  api_version: 'v1';
  mode: 'live' | 'test';
  created_at: string;
  sequence: number;
  organization_id: string;
  project_id: string | null;
  actor: Actor;
  data: { object: Payload; previous_attributes: Partial<Payload>; context: Record<string, unknown> };
  request: { id: string | null; idempotency_key: string | null };
}

/** What a listener (the manifest's `onInternalEvent`) gets of an internal event. */
export interface InternalEvent {
  /** The event's own: the same in every run, so that what follows from it can be done once. */
  id: string;
  type: string;
  project_id: string | null;
  /** The event's `data.object` as it was when it happened. */
  data: object;
}

/** Which internal events there are: what automations can be bound to. */
export abstract class InternalEvents {
  /** By type; the example is made of the examples of the payload's fields. */
  abstract list(): { type: string; description: string; example: object }[];
}

/** Declares a module's events; the keys are the module's own names for them. */
export function defineEvents<T extends Record<string, EventDefinition>>(definitions: T): Readonly<T> {
  return Object.freeze(definitions);
}

/** Declares one event with its payload's type kept. */
export function event<Payload extends object>(definition: EventDefinition<Payload>): EventDefinition<Payload> {
  return Object.freeze(definition);
}

/** The members of `before` that differ in `after`: an event's `previous`. Counters of the change itself are left out. */
export function changedFrom<Payload extends object>(before: Payload, after: Payload): Partial<Payload> {
  const differs = (name: keyof Payload) => before[name] !== after[name] && JSON.stringify(before[name]) !== JSON.stringify(after[name]);
  const names = (Object.keys(before) as (keyof Payload)[]).filter((name) => name !== 'version' && name !== 'updated_at' && differs(name));
  return Object.fromEntries(names.map((name) => [name, before[name]])) as Partial<Payload>;
}
