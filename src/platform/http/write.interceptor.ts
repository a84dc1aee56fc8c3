import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor, type OnModuleInit } from '@nestjs/common';
import { INTERCEPTORS_METADATA } from '@nestjs/common/constants.js';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { isObject } from '../../kit/index.js';
import { Idempotency, inProgress, type Operation, type StoredResponse } from '../idempotency/idempotency.js';
import { OperationLeases, type OperationLease } from '../idempotency/operation-leases.js';
import { PlanRefused, type PlannedCall } from '../idempotency/plan-tokens.js';
import { PgStore } from '../persistence/transactions/pg-store.js';
import type { CallContext } from '../persistence/transactions/call-context.js';
import { takesDryRun, type Route, type RouteRegistry } from '../registry/route-registry.js';
import { DryRuns } from './dry-runs.js';
import { etagOf, RESTORABLE_UNTIL } from './hooks/response-headers.js';
import { CallLogs } from './logs/call-logs.js';
import type { Request } from '../request/request-state.js';
import { DRY_RUN } from './validation/request-headers.js';

const JSON_TYPE = 'application/json; charset=utf-8';

declare module 'fastify' {
  interface FastifyInstance {
    writes: WriteInterceptor;
  }
}

/** A handler's metadata is shared by all applications of the process, so the interceptor is found through the request. */
const WRITES: NestInterceptor = {
  intercept: (context, next) => context.switchToHttp().getRequest<Request>().server.writes.intercept(context, next),
};

/**
 * Runs a write in one transaction, unless its route has its own transactions, and makes it idempotent. It is attached to the handlers of
 * writes: a global interceptor would run for reads as well, and RxJS would cost them a quarter more time. It is the outermost: the other
 * interceptors of a route are part of the transaction, and see what the handler returns.
 */
@Injectable()
export class WriteInterceptor implements NestInterceptor, OnModuleInit {
  private attached = false;

  constructor(
    private readonly store: PgStore,
    private readonly idempotency: Idempotency,
    private readonly leases: OperationLeases,
    private readonly callLogs: CallLogs,
    private readonly dryRuns: DryRuns,
  ) {}

  /** Called before Nest registers the routes. */
  attach(fastify: FastifyInstance, routes: RouteRegistry): void {
    fastify.decorate('writes', this as WriteInterceptor);
    for (const [handler, { write, controller }] of routes.handlers()) {
      if (!write) continue;
      // Nest runs interceptors of a controller before those of its handlers
      const ofAll = controller !== null && interceptorsOf(controller).length > 0;
      const target = ofAll ? controller : handler;
      const others = interceptorsOf(target);
      if (!others.includes(WRITES)) Reflect.defineMetadata(INTERCEPTORS_METADATA, [WRITES, ...others], target);
    }
    this.attached = true;
  }

  onModuleInit(): void {
    if (!this.attached) throw new Error('WriteInterceptor.attach was not called, so no write would be one transaction.');
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const reply = http.getResponse<FastifyReply>();
    const route = request.state.route as Route;
    if (!request.ctx || !route.write) return next.handle();
    if (request.ctx.dryRun) return from(this.tryOut(request, reply, route, request.ctx, next));
    const operation = this.operationOf(request, request.ctx);
    if (route.endpoint?.ownTransactions) return from(this.writeInOwnTransactions(request, reply, route, request.ctx, operation, next));
    return from(this.write(request, reply, route, request.ctx, operation, next));
  }

  private operationOf(request: Request, ctx: CallContext): Operation | null {
    if (ctx.idempotencyKey === null) return null;
    const [, caller, method, url, body] = callOf(request, ctx);
    return this.idempotency.operationOf(ctx, caller, method, url, body);
  }

  private async write(
    request: Request,
    reply: FastifyReply,
    route: Route,
    ctx: CallContext,
    operation: Operation | null,
    next: CallHandler,
  ): Promise<unknown> {
    const execute = () => this.execute(request, reply, route, ctx, operation, next);
    if (!operation) return send(reply, await execute());
    const { response, isRepeat } = await this.idempotency.once(operation, execute);
    return isRepeat ? replay(request, reply, response) : send(reply, response);
  }

  private async execute(
    request: Request,
    reply: FastifyReply,
    route: Route,
    ctx: CallContext,
    operation: Operation | null,
    next: CallHandler,
  ): Promise<StoredResponse> {
    const call = callOf(request, ctx);
    const tryOut = () => handled(reply, route, ctx, next);
    const plan = await this.dryRuns.planOf(ctx, route, call, tryOut);
    const unit = (ctx.unitOfWork = this.store.begin(ctx));
    let refusal: PlanRefused;
    try {
      return await unit.execute(async () => {
        if (plan) await this.dryRuns.begin(unit, ctx, plan);
        const result = (await lastValueFrom(next.handle(), { defaultValue: undefined })) as unknown;
        if (plan) this.dryRuns.requireSame(unit, ctx, plan);
        const response = responseOf(result, reply, ctx);
        if (unit.current) await this.callLogs.insert(unit.current, request, response.status);
        // rolled back with an error: the same Idempotency-Key may be sent again, also with corrected arguments
        if (operation) this.idempotency.store(await unit.open(), operation, redacted(response, result, route));
        return response;
      });
    } catch (error) {
      if (!(error instanceof PlanRefused)) throw error;
      refusal = error;
    } finally {
      ctx.unitOfWork = null;
    }
    throw await this.dryRuns.refusal(ctx, call, tryOut, refusal.message);
  }

  private async tryOut(request: Request, reply: FastifyReply, route: Route, ctx: CallContext, next: CallHandler): Promise<unknown> {
    const { status, body } = await this.dryRuns.answer(ctx, route, callOf(request, ctx), () => handled(reply, route, ctx, next));
    void reply.status(status).header(DRY_RUN, 'true').type(JSON_TYPE);
    return body;
  }

  /** No transaction is open around the handler; its writes commit by themselves. */
  private async writeInOwnTransactions(
    request: Request,
    reply: FastifyReply,
    route: Route,
    ctx: CallContext,
    operation: Operation | null,
    next: CallHandler,
  ): Promise<unknown> {
    const taken = operation && (await this.leases.take(operation));
    if (taken && !('end' in taken)) return replay(request, reply, taken);
    if (taken) requireLease(ctx, taken);
    let result: unknown;
    try {
      await this.followPlan(request, reply, route, ctx, next);
      result = await lastValueFrom(next.handle(), { defaultValue: undefined });
    } catch (error) {
      await taken?.end(null);
      throw taken?.lease.signal.aborted ? inProgress() : error;
    }
    const response = responseOf(result, reply, ctx);
    await taken?.end(redacted(response, result, route));
    return send(reply, response);
  }

  private async followPlan(request: Request, reply: FastifyReply, route: Route, ctx: CallContext, next: CallHandler): Promise<void> {
    if (!takesDryRun(route)) return;
    const call = callOf(request, ctx);
    const tryOut = () => handled(reply, route, ctx, next);
    const plan = await this.dryRuns.planOf(ctx, route, call, tryOut);
    if (plan) await this.dryRuns.useBefore(ctx, plan, tryOut);
  }
}

/** Another process that has taken the operation over writes the same, so nothing may be written without the lease. */
function requireLease(ctx: CallContext, { lease }: OperationLease): void {
  ctx.requireLease = () => lease.requireHeld();
  ctx.renewLease = () => lease.requireRenewed();
}

function interceptorsOf(target: object): NestInterceptor[] {
  return (Reflect.getMetadata(INTERCEPTORS_METADATA, target) ?? []) as NestInterceptor[];
}

function callerOf(request: Request, ctx: CallContext): string {
  return request.state.apiKeyId ?? ctx.memberId ?? 'none';
}

function callOf(request: Request, ctx: CallContext): PlannedCall {
  const { method, url, body, files = [] } = request;
  return [ctx, callerOf(request, ctx), method, url, files.length > 0 ? { body, files } : body];
}

/** Runs the handler of a write that is tried out; secrets are left out. */
async function handled(reply: FastifyReply, route: Route, ctx: CallContext, next: CallHandler): Promise<StoredResponse> {
  const result = (await lastValueFrom(next.handle(), { defaultValue: undefined })) as unknown;
  return redacted(responseOf(result, reply, ctx), result, route);
}

function responseOf(result: unknown, reply: FastifyReply, { restorableUntil }: CallContext): StoredResponse {
  const etag = etagOf(result);
  const headers: Record<string, string> = etag ? { ETag: etag } : {};
  if (result === undefined && restorableUntil) headers[RESTORABLE_UNTIL] = restorableUntil.toISOString();
  return { status: reply.statusCode, body: result === undefined ? null : JSON.stringify(result), headers };
}

function send(reply: FastifyReply, response: StoredResponse): string | undefined {
  reply.headers(response.headers);
  if (response.body === null) return undefined;
  void reply.type(JSON_TYPE);
  return response.body;
}

function replay(request: Request, reply: FastifyReply, earlier: StoredResponse): string | undefined {
  request.state.replay = earlier;
  void reply.status(earlier.status).header('Idempotent-Replayed', 'true');
  return send(reply, earlier);
}

/** Secrets that are returned once are not stored, so a replay does not contain them. */
function redacted(response: StoredResponse, result: unknown, route: Route): StoredResponse {
  const secrets = route.endpoint?.secrets;
  if (!secrets || !isObject(result)) return response;
  return { ...response, body: JSON.stringify({ ...result, ...Object.fromEntries(secrets.map((name) => [name, null])) }) };
}
