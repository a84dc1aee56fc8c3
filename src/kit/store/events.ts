import type { Type } from '@nestjs/common';
import type { Actor } from '../callers/ctx.js';
import { noteDefinition } from './definitions.js';

/** A change that is published to other systems. Declared in `<module>.events.ts`. */
export interface EventDefinition<Payload extends object = object> {
  /** `noun.past_tense_verb`, for example `task.created`. Unique across all modules. */
  readonly name: string;
  readonly description: string;
  /**
   * The permission that a member needs to read an event's `data` in the developer area, as for the resource itself; null if
   * no permission protects the resource.
   */
  readonly permission: string | null;
  /**
   * The scope whose calls cause the event: an API key with it may also state the event itself, where a module lets keys send
   * events. Omit it if no call of a key causes the event.
   */
  readonly scope?: string;
  /** The DTO of `data.object`: the same as in the resource's GET response. */
  readonly payload: Type<Payload>;
  /** The members of `data.context`, each with a description. */
  readonly context?: Readonly<Record<string, string>>;
  /** Internal events start document triggers inside the product and are never delivered to webhooks. */
  readonly internal?: boolean;
}

/** The data of one occurrence of an event. */
export interface EventData<Payload extends object> {
  /** The resource after the change, as in its GET response. */
  object: Payload;
  /** The changed members with their previous values. */
  previous?: Partial<Payload>;
  context?: Record<string, unknown>;
  /** The resource's project; null for resources outside projects. */
  projectId: string | null;
}

/** An event's body. It is serialized when emitted and delivered byte for byte the same on every attempt. Times are RFC 3339 UTC. */
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

/** An event as a listener (the manifest's `onInternalEvent`) receives it. */
export interface InternalEvent {
  /** The event's id: the same in every run of the job, so that the listener can be idempotent. */
  id: string;
  type: string;
  project_id: string | null;
  /** The event's `data.object` at the time it was emitted. */
  data: object;
}

/** An event type that the suite emits. */
export interface CatalogEvent {
  type: string;
  description: string;
  /** Assembled from the examples of the payload's fields. */
  example: object;
  payload: Type;
  /** The scope that a key needs to state such an event itself. Null: no key may. */
  scope: string | null;
}

/**
 * The catalog of all events of the suite, public and internal.
 *
 * @example
 * ```ts
 * import type { EventCatalog } from 'work-suite/kit';
 *
 * export const describedTypes = (catalog: EventCatalog) => catalog.list().map(({ type, description }) => `${type}: ${description}`);
 * ```
 */
export abstract class EventCatalog {
  /** Sorted by type. */
  abstract list(): readonly CatalogEvent[];
  abstract find(type: string): CatalogEvent | undefined;
}

/**
 * Declares a module's events by the names that the module's code uses.
 *
 * @example
 * ```ts
 * import { defineEvents, event, Field, ResourceDto } from 'work-suite/kit';
 *
 * class NoteDto extends ResourceDto {
 *   @Field.constant('note')
 *   object: string;
 * }
 *
 * export const NoteEvents = defineEvents({
 *   created: event({ name: 'note.created', description: 'A note was created.', permission: 'notes.note.view', payload: NoteDto }),
 * });
 * ```
 */
export function defineEvents<T extends Record<string, EventDefinition>>(definitions: T): Readonly<T> {
  return Object.freeze(definitions);
}

/**
 * Declares one event and keeps its payload type.
 *
 * @example
 * ```ts
 * import { event } from 'work-suite/kit';
 * import { TripDto } from './trip.dto.js';
 *
 * export const TRIP_CREATED = event({
 *   name: 'trip.created',
 *   description: 'A trip was planned.',
 *   permission: 'fleet.trip.view',
 *   payload: TripDto,
 * });
 * ```
 */
export function event<Payload extends object>(definition: EventDefinition<Payload>): EventDefinition<Payload> {
  noteDefinition('event', definition.name, definition);
  return Object.freeze(definition);
}

/**
 * The members of `before` that differ in `after`: an event's `previous`. Leaves out `version` and `updated_at`.
 *
 * @example
 * ```ts
 * import { changedFrom } from 'work-suite/kit';
 *
 * const previous = changedFrom({ title: 'Draft', version: 1 }, { title: 'Final', version: 2 }); // { title: 'Draft' }
 * ```
 */
export function changedFrom<Payload extends object>(before: Payload, after: Payload): Partial<Payload> {
  const differs = (name: keyof Payload) => before[name] !== after[name] && JSON.stringify(before[name]) !== JSON.stringify(after[name]);
  const names = (Object.keys(before) as (keyof Payload)[]).filter((name) => name !== 'version' && name !== 'updated_at' && differs(name));
  return Object.fromEntries(names.map((name) => [name, before[name]])) as Partial<Payload>;
}
