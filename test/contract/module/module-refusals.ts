import type { Json } from '../../harness/api-document.js';
import type { ApiResponse } from '../../harness/client.js';
import { bodyFaults, bodyWith, queryFaults, queryWith, type Fault } from './invalid-values.js';
import type { Call, ModuleContext, Subject } from './module-context.js';

/** An invalid call of a route, and the answer to it. */
export interface Refusal {
  faults: readonly Fault[];
  answer: ApiResponse;
}

interface Detail {
  param: string;
  code: string;
  allowed?: string[];
}

/** What a tool has no argument for, or takes: a null where the type has none counts as left out. */
export const ONLY_OVER_REST = ['given twice', 'unknown', 'null', 'a decimal as a number'];

/** An answer lists this many faults at most. */
const MOST_FAULTS = 50;
/** Half of the largest body that is read. */
const LARGEST = 512 * 1024;

/**
 * The answers to invalid bodies and queries of the same valid call, which are asked for once. An answer lists the faults of all fields, so
 * that one call has a fault of each; what an answer does not list is sent alone.
 */
export class Refusals {
  private static readonly known = new WeakMap<ModuleContext, Map<string, Refusals>>();
  private ofBodies: Promise<Refusal[]> | undefined;
  private ofQueries: Promise<Refusal[]> | undefined;

  private constructor(private readonly it: Subject) {}

  static of(it: Subject): Refusals {
    const routes = this.known.get(it.context) ?? new Map<string, Refusals>();
    this.known.set(it.context, routes);
    const refusals = routes.get(it.operation.id) ?? new Refusals(it);
    routes.set(it.operation.id, refusals);
    return refusals;
  }

  bodies(): Promise<Refusal[]> {
    return (this.ofBodies ??= this.askBodies());
  }

  queries(): Promise<Refusal[]> {
    return (this.ofQueries ??= this.askQueries());
  }

  private async askBodies(): Promise<Refusal[]> {
    const { it } = this;
    const call = await it.context.sameCall(it.route);
    const body = call.body ?? {};
    return this.ask(bodyFaults(it.context.api, it.operation, body), (faults) => it.with(call, { body: bodyWith(body, faults) }));
  }

  private async askQueries(): Promise<Refusal[]> {
    const { it } = this;
    const call = await it.context.sameCall(it.route);
    // otherwise the sample's value would repeat the parameter
    const withoutQuery = { ...call, args: call.body ?? {} };
    const callWith = (faults: readonly Fault[]) => it.with(withoutQuery, { query: queryWith(it.operation, faults) });
    const faults = queryFaults(it.context.api, it.operation);
    const unknown = { what: 'unknown', param: 'no_such_parameter', code: 'validation_failed', value: '1' };
    const isOnlyOverRest = ({ what }: Fault) => ONLY_OVER_REST.includes(what);
    return [
      ...(await this.ask([...faults.filter(isOnlyOverRest), unknown], callWith)),
      ...(await this.ask(
        faults.filter((fault) => !isOnlyOverRest(fault)),
        callWith,
      )),
    ];
  }

  private async ask(faults: readonly Fault[], callWith: (faults: readonly Fault[]) => Call): Promise<Refusal[]> {
    const client = await this.it.context.keys.good();
    const send = async (some: readonly Fault[]) => ({ faults: some, answer: await this.it.send(client, callWith(some)) });
    const refusals: Refusal[] = [];
    for (const round of roundsOf(faults)) {
      const refusal = await send(round);
      const unlisted = round.length > 1 ? round.filter((fault) => !isListed(fault, refusal.answer)) : [];
      if (unlisted.length < round.length) refusals.push({ ...refusal, faults: round.filter((fault) => !unlisted.includes(fault)) });
      for (const fault of unlisted) refusals.push(await send([fault]));
    }
    return refusals;
  }
}

/** Each with one fault of as many fields as possible; one with an error code of its own is alone. */
function roundsOf(faults: readonly Fault[]): Fault[][] {
  const rounds: { faults: Fault[]; bytes: number }[] = [];
  for (const fault of faults) {
    const bytes = JSON.stringify(fault.value ?? null).length;
    const fits = (round: (typeof rounds)[number]) =>
      hasUsualCode(fault) &&
      round.faults.length < MOST_FAULTS &&
      round.bytes + bytes < LARGEST &&
      round.faults.every((other) => hasUsualCode(other) && !overlap(other.param, fault.param));
    const round = rounds.find(fits);
    if (round) {
      round.faults.push(fault);
      round.bytes += bytes;
    } else rounds.push({ faults: [fault], bytes });
  }
  return rounds.map((round) => round.faults);
}

function hasUsualCode({ code }: Fault): boolean {
  return code === 'missing_fields' || code === 'validation_failed';
}

function overlap(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);
}

function isListed({ param, code, allowed }: Fault, { body }: ApiResponse): boolean {
  const { details = [] } = ((body as Json | undefined)?.error ?? {}) as { details?: Detail[] };
  return details.some(
    (detail) =>
      detail.param === param &&
      (detail.code === 'missing') === (code === 'missing_fields') &&
      (!allowed || JSON.stringify(detail.allowed) === JSON.stringify(allowed.slice(0, MOST_FAULTS))),
  );
}
