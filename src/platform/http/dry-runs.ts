import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { CommonErrors, type EventListener } from '../../kit/index.js';
import { PlanRefused, PlanTokens, type PlannedCall } from '../idempotency/plan-tokens.js';
import { CallEffects } from '../persistence/transactions/call-effects.js';
import type { CallContext } from '../persistence/transactions/call-context.js';
import { heardEvent, isHeard, type FrozenEvent } from '../persistence/transactions/frozen-event.js';
import { PgStore } from '../persistence/transactions/pg-store.js';
import type { UnitOfWork } from '../persistence/transactions/unit-of-work.js';
import { ModuleRegistry } from '../registry/module-registry.js';
import { takesPlan, type Route } from '../registry/route-registry.js';
import { PLAN_TOKEN } from './validation/request-headers.js';

/** A call that must do what a dry run has shown. */
export interface Plan {
  call: PlannedCall;
  token: string;
}

/** An answer names the first ones of an import; the total stands beside them. */
const MOST_NAMED = 100;

/** What runs a write without the request around it. Returns the response's status and body. */
type Handle = () => Promise<{ status: number; body: string | null }>;

/** Writes that are tried out, and writes that must do what was tried out before. */
@Injectable()
export class DryRuns {
  constructor(
    private readonly store: PgStore,
    private readonly plans: PlanTokens,
    private readonly modules: ModuleRegistry,
    private readonly providers: ModuleRef,
  ) {}

  /** The answer to a dry run. Nothing is kept under the Idempotency-Key, so the same one can be sent for the real call. */
  async answer(ctx: CallContext, route: Route, call: PlannedCall, handle: Handle): Promise<{ status: number; body: string }> {
    const { status, body, summary } = await this.tryOut(ctx, handle);
    const answer = ctx.requiresPlan && takesPlan(route) ? { ...body, plan_token: this.plans.issue(call, summary) } : body;
    return { status: status === 204 ? 200 : status, body: JSON.stringify(answer) };
  }

  /** Whether the call follows a plan. Throws the plan that it needs if it has none, or one that was made for another call. */
  async planOf(ctx: CallContext, route: Route, call: PlannedCall, handle: Handle): Promise<Plan | null> {
    const token = ctx.planToken;
    if (token === null && !(ctx.requiresPlan && takesPlan(route))) return null;
    if (token === null) throw await this.refusal(ctx, call, handle, 'This key asks before it deletes or reaches people.');
    try {
      this.plans.check(token, call);
    } catch (error) {
      throw await this.refusal(ctx, call, handle, (error as Error).message);
    }
    return { call, token };
  }

  /**
   * Before a call with transactions of its own, which cannot be rolled back: it is tried out again instead, and has used its token even if
   * it fails. Throws the plan of now if it differs.
   */
  async useBefore(ctx: CallContext, { call, token }: Plan, handle: Handle): Promise<void> {
    const { body, summary } = await this.tryOut(ctx, handle);
    const unit = this.store.begin(ctx);
    try {
      this.plans.requireSame(token, summary);
      await unit.execute(async () => this.plans.use(await unit.open(), token));
    } catch (error) {
      if (!(error instanceof PlanRefused)) throw error;
      throw this.required(error.message, body, this.plans.issue(call, summary));
    }
  }

  /** At the beginning of a run. */
  async begin(unit: UnitOfWork, ctx: CallContext, { token }: Plan): Promise<void> {
    (ctx.effects ??= new CallEffects()).begin();
    await this.plans.use(await unit.open(), token);
  }

  /** At the end of a run, before its commit. */
  requireSame(unit: UnitOfWork, ctx: CallContext, { token }: Plan): void {
    this.plans.requireSame(token, ctx.effects!.summary(unit.current?.emitted ?? []));
  }

  /** The error with what the call would do now and the token for that. If the call would fail, that error. */
  async refusal(ctx: CallContext, call: PlannedCall, handle: Handle, why: string): Promise<Error> {
    const { body, summary } = await this.tryOut(ctx, handle);
    return this.required(why, body, this.plans.issue(call, summary));
  }

  private required(why: string, plan: object, plan_token: string): Error {
    return CommonErrors.planRequired({
      param: PLAN_TOKEN,
      message: `${why} Nothing was done. Read the plan; if it is right, repeat the call with its plan_token.`,
      extra: { plan, plan_token },
    });
  }

  private async tryOut(ctx: CallContext, handle: Handle) {
    const effects = (ctx.effects = new CallEffects());
    ctx.dryRun = true;
    const unit = this.store.begin(ctx);
    ctx.unitOfWork = unit;
    try {
      let would_follow: readonly string[] = [];
      const { result, events } = await unit.tryOut(async () => {
        const handled = await handle();
        would_follow = await this.foreseen(ctx, unit.current?.emitted ?? []);
        return handled;
      });
      const would = result.body === null ? { object: 'dry_run' } : (JSON.parse(result.body) as object);
      return {
        status: result.status,
        body: {
          ...would,
          dry_run: true,
          ...(effects.deleted.length === 0 ? {} : { would_delete: [...effects.deleted] }),
          ...named('would_emit', events.filter(({ internal }) => !internal).map(plannedEvent)),
          ...named('would_send', effects.mails),
          ...(would_follow.length === 0 ? {} : { would_follow }),
        },
        summary: effects.summary(events),
      };
    } finally {
      ctx.unitOfWork = null;
      ctx.dryRun = false;
    }
  }

  /** What jobs that listen to the events will do once the call is committed. */
  private async foreseen(ctx: CallContext, events: readonly FrozenEvent[]): Promise<readonly string[]> {
    const followed = new Set<string>();
    for (const { onInternalEvent, internalEvents } of this.modules.manifests) {
      const listener = onInternalEvent && this.providers.get<EventListener>(onInternalEvent, { strict: false });
      if (!listener?.foresee) continue;
      for (const event of events) {
        if (followed.size >= MOST_NAMED) return [...followed];
        if (!isHeard(event, internalEvents)) continue;
        for (const one of await listener.foresee(ctx, heardEvent(event))) followed.add(one);
      }
    }
    return [...followed];
  }
}

function named(name: string, all: readonly object[]): object {
  return { [name]: all.slice(0, MOST_NAMED), ...(all.length > MOST_NAMED ? { [`${name}_total`]: all.length } : {}) };
}

/** An event as the answer to a dry run shows it: what changes, and what it was before. */
function plannedEvent({ type, rest }: FrozenEvent): object {
  const { data } = JSON.parse(`{${rest}`) as { data: { object: Record<string, unknown>; previous_attributes: object } };
  const { object, id } = data.object;
  return { type, object, id, previous_attributes: data.previous_attributes };
}
