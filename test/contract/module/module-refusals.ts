import type { Json } from '../../harness/api-document.js';
import type { ApiResponse } from '../../harness/client.js';
import { invalidBodies, invalidQueries, requiredQuery, type InvalidInput } from './invalid-values.js';
import type { Call, ModuleContext, Subject } from './module-context.js';

/** An invalid call of a route, and the answer to it. */
export interface Refusal<T> extends InvalidInput<T> {
  answer: ApiResponse;
}

/** The answers to invalid bodies and queries of the same valid call, which are asked for once. */
export class Refusals {
  private static readonly known = new WeakMap<ModuleContext, Map<string, Refusals>>();
  private ofBodies: Promise<Refusal<Json>[]> | undefined;
  private ofQueries: Promise<Refusal<string>[]> | undefined;

  private constructor(private readonly it: Subject) {}

  static of(it: Subject): Refusals {
    const routes = this.known.get(it.context) ?? new Map<string, Refusals>();
    this.known.set(it.context, routes);
    const refusals = routes.get(it.operation.id) ?? new Refusals(it);
    routes.set(it.operation.id, refusals);
    return refusals;
  }

  bodies(): Promise<Refusal<Json>[]> {
    return (this.ofBodies ??= this.askBodies());
  }

  queries(): Promise<Refusal<string>[]> {
    return (this.ofQueries ??= this.askQueries());
  }

  private async askBodies(): Promise<Refusal<Json>[]> {
    const { it } = this;
    const call = await it.context.sameCall(it.route);
    return this.ask(invalidBodies(it.context.api, it.operation, call.body ?? {}), (body) => it.with(call, { body }));
  }

  private async askQueries(): Promise<Refusal<string>[]> {
    const { it } = this;
    const call = await it.context.sameCall(it.route);
    const unknown = { what: 'unknown', param: 'no_such_parameter', code: 'validation_failed' };
    // otherwise the sample's value would repeat the parameter
    const withoutQuery = { ...call, args: call.body ?? {} };
    return this.ask(
      [...invalidQueries(it.context.api, it.operation), { ...unknown, input: `no_such_parameter=1${requiredQuery(it.operation)}` }],
      (query) => it.with(withoutQuery, { query }),
    );
  }

  private async ask<T>(invalid: readonly InvalidInput<T>[], callWith: (input: T) => Call): Promise<Refusal<T>[]> {
    const client = await this.it.context.keys.good();
    const refusals: Refusal<T>[] = [];
    for (const one of invalid) refusals.push({ ...one, answer: await this.it.send(client, callWith(one.input)) });
    return refusals;
  }
}
