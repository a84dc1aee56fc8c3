import { createParamDecorator, type ExecutionContext, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import type { KeyFormat } from '../fields/field-specification.js';
import { endpointOf, readId } from './endpoint.js';

// Handlers of routes that other routes call.

const QUERY_ARGUMENT = 4;

/** A method of a controller that handles a route. */
export interface HandlerOf {
  controller: Type;
  handler: string;
}

type Endpoint = NonNullable<ReturnType<typeof endpointOf>>;

/** Injects what the argument decorators of another handler read. */
export const Execution = createParamDecorator((_: unknown, context: ExecutionContext) => context);

/** The handlers of a controller with `@Endpoint`. */
export function handlersOf(controller: Type): (HandlerOf & { endpoint: Endpoint; method: object })[] {
  const prototype = controller.prototype as Record<string, object>;
  return Object.getOwnPropertyNames(prototype).flatMap((handler) => {
    const method = prototype[handler];
    if (handler === 'constructor' || typeof method !== 'function' || !Reflect.hasMetadata(METHOD_METADATA, method)) return [];
    const endpoint = endpointOf(method);
    return endpoint ? [{ controller, handler, endpoint, method }] : [];
  });
}

/** The path of a controller or a handler, as its decorator has it. */
export function pathOf(target: object): string {
  return `/${[Reflect.getMetadata(PATH_METADATA, target) as string | string[]].flat()[0]}`;
}

/** Without double slashes, and without one at the end. */
export function joinPaths(...parts: readonly string[]): string {
  return parts.join('/').replace(/\/+/g, '/').replace(/\/$/, '');
}

/** The class of the handler's query; null if it takes none. */
export function queryOf({ controller, handler }: HandlerOf): Type | null {
  const found = Object.entries(parametersOf({ controller, handler })).find(([key]) => key.startsWith(`${QUERY_ARGUMENT}:`));
  const types = (Reflect.getMetadata('design:paramtypes', controller.prototype as object, handler) ?? []) as Type[];
  return found ? (types[found[1].index] ?? null) : null;
}

/** The arguments that the decorators of the handler inject, as Nest would apply them to a request to its route. */
export async function argumentsOf(target: HandlerOf, query: object | null, execution: ExecutionContext): Promise<unknown[]> {
  const args: unknown[] = [];
  for (const [key, { index, factory, data }] of Object.entries(parametersOf(target)))
    args[index] = factory ? factory(data, execution) : key.startsWith(`${QUERY_ARGUMENT}:`) ? query : undefined;
  return Promise.all(args);
}

/** The key that the handler takes in its path in place of an id. */
export function keyFormatOf(target: HandlerOf): KeyFormat | undefined {
  const id = Object.values(parametersOf(target)).find(({ factory }) => factory === readId);
  return (id?.data as { orKey?: KeyFormat } | undefined)?.orKey;
}

interface Parameter {
  index: number;
  data?: unknown;
  factory?: (data: unknown, context: ExecutionContext) => unknown;
}

function parametersOf({ controller, handler }: HandlerOf): Record<string, Parameter> {
  return (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler) ?? {}) as Record<string, Parameter>;
}
