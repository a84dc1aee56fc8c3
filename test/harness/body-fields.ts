import type { Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { fieldsOf } from '../../src/kit/index.js';
import type { FieldSpec } from '../../src/kit/internal.js';
import { isPage, RouteRegistry, type Plane } from '../../src/platform/registry/route-registry.js';

// Called inside the application's process: what its routes take as a body, and what its process has spent.

const ROUNDS = 3;
const PARSES = 10;

export interface BodyField {
  /** Members and indexes from the body to the field. */
  at: (string | number)[];
  kind: FieldSpec['kind'];
  /** Null unless it is a list. */
  maxItems: number | null;
  maxProperties: number | null;
  required: boolean;
}

export interface BodyRoute {
  method: string;
  path: string;
  plane: Plane;
  module: string | null;
  operation: string | null;
  isPage: boolean;
  /** A body of the examples of all fields. */
  sample: Record<string, unknown>;
  /** All fields at any depth; of the items of a list, those of the first. */
  fields: BodyField[];
}

export function bodyRoutes(app: NestFastifyApplication): BodyRoute[] {
  return app
    .get(RouteRegistry)
    .routes.filter(({ bodyDto }) => bodyDto !== null)
    .map((route) => ({
      method: route.method,
      path: route.path,
      plane: route.plane,
      module: route.module,
      operation: route.endpoint?.operation ?? null,
      isPage: isPage(route),
      sample: sampleOf(route.bodyDto as Type),
      fields: fieldsIn(route.bodyDto as Type, []),
    }));
}

/** Those of one member's route and its keyed twin, which read the same body by the same code, are one. */
export function distinctBodyRoutes(app: NestFastifyApplication): BodyRoute[] {
  const same = Map.groupBy(bodyRoutes(app), ({ module, fields, sample }) => JSON.stringify([module, fields, sample]));
  return [...same.values()].map(([first]) => first);
}

function sampleOf(dto: Type): Record<string, unknown> {
  return Object.fromEntries(
    [...fieldsOf(dto)].map(([name, { type, list, example }]) => {
      if (!type) return [name, list && !Array.isArray(example) ? [example] : example];
      const inner = sampleOf(type());
      return [name, list ? [inner] : inner];
    }),
  );
}

function fieldsIn(dto: Type, path: (string | number)[]): BodyField[] {
  return [...fieldsOf(dto)].flatMap(([name, { kind, type, list, maxProperties, required = true }]) => {
    const at = [...path, name];
    const inner = type ? fieldsIn(type(), list ? [...at, 0] : at) : [];
    return [{ at, kind, maxItems: list?.maxItems ?? null, maxProperties: maxProperties ?? null, required }, ...inner];
  });
}

/** Milliseconds of CPU that the main thread has used: what worker threads do stalls no other request. */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The same for parsing a JSON text once, at least. */
export function parsingMs(_app: NestFastifyApplication, text: string): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const before = cpuMs();
    // many times, because a thread's CPU time advances in steps of up to 4 ms
    for (let n = 0; n < PARSES; n++) JSON.parse(text);
    return (cpuMs() - before) / PARSES;
  });
  return Math.min(...times);
}
