import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { PoolClient } from 'pg';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { DomainError } from '../../kit/index.js';
import { Idempotency, type Operation, type StoredAnswer } from '../idempotency/idempotency.js';
import { OperationLeases } from '../idempotency/operation-leases.js';
import { PgStore } from '../persistence/transactions/pg-store.js';
import type { CallContext } from '../persistence/transactions/call-context.js';
import type { UnitOfWork } from '../persistence/transactions/unit-of-work.js';
import type { Route } from '../registry/route-registry.js';
import { envelopeOf } from './errors/error-envelope.js';
import { BaseUrl } from '../config/base-url.js';
import { CallLogs } from './logs/call-logs.js';
import type { Request } from '../request/request-state.js';
import { isObject } from './validation/validate-body.js';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Gives a write its one transaction, unless its route has transactions of its own, and its idempotency; reads pass through. */
@Injectable()
export class WriteInterceptor implements NestInterceptor {
  constructor(
    private readonly store: PgStore,
    private readonly idempotency: Idempotency,
    private readonly leases: OperationLeases,
    private readonly baseUrl: BaseUrl,
    private readonly callLogs: CallLogs,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const reply = http.getResponse<FastifyReply>();
    const route = request.state.route as Route;
    if (!route.write || !request.ctx) return next.handle();
    const operation = this.operationOf(request, request.ctx);
    if (route.endpoint?.ownTransactions) return from(this.writeApart(request, reply, route, operation, next));
    return from(this.write(request, reply, route, request.ctx, operation, next));
  }

  private operationOf(request: Request, ctx: CallContext): Operation | null {
    return ctx.idempotencyKey === null
      ? null
      : this.idempotency.operationOf(ctx, callerOf(request, ctx), request.method, request.url, request.body);
  }

  private async write(
    request: Request,
    reply: FastifyReply,
    route: Route,
    ctx: CallContext,
    operation: Operation | null,
    next: CallHandler,
  ): Promise<unknown> {
    const unit = (ctx.unitOfWork = this.store.begin(ctx));
    let claimed = false;
    try {
      const outcome = await unit.run(async () => {
        claimed = false;
        if (operation) {
          const earlier = await this.idempotency.claim((await unit.open()).client, operation);
          if (earlier) return { earlier };
          unit.protect();
          claimed = true;
        }
        return { result: (await lastValueFrom(next.handle(), { defaultValue: undefined })) as unknown };
      });
      if (outcome.earlier) {
        await unit.rollback();
        return replay(request, reply, outcome.earlier);
      }
      const { result } = outcome;
      const answer = answerOf(result, reply);
      if (unit.current) await this.callLogs.keep(unit.current, request, answer.status);
      await unit.commit(operation ? (client) => this.idempotency.store(client, operation, redacted(answer, result, route)) : undefined);
      return send(reply, answer);
    } catch (error) {
      if (operation && claimed && isBusinessAnswer(error)) await this.keepRefusal(request, ctx, unit, operation, error);
      else await unit.rollback();
      throw error;
    } finally {
      ctx.unitOfWork = null;
    }
  }

  /** No transaction is open around the handler; its writes commit by themselves. */
  private async writeApart(
    request: Request,
    reply: FastifyReply,
    route: Route,
    operation: Operation | null,
    next: CallHandler,
  ): Promise<unknown> {
    const lease = operation && (await this.leases.take(operation));
    if (lease && !('end' in lease)) return replay(request, reply, lease);
    let result: unknown;
    try {
      result = await lastValueFrom(next.handle(), { defaultValue: undefined });
    } catch (error) {
      await lease?.end(isBusinessAnswer(error) ? this.refusalOf(request, error) : null);
      throw error;
    }
    const answer = answerOf(result, reply);
    await lease?.end(redacted(answer, result, route));
    return send(reply, answer);
  }

  /** A refusal by the business rules is the operation's answer as much as a success is; its writes are undone. */
  private async keepRefusal(request: Request, ctx: CallContext, unit: UnitOfWork, operation: Operation, error: DomainError): Promise<void> {
    const store = (client: PoolClient) => this.idempotency.store(client, operation, this.refusalOf(request, error));
    if (unit.current) return unit.commitOnly(store);
    // refused by the database at the commit, which ended the transaction: the answer is kept in one of its own
    const own = this.store.begin(ctx);
    try {
      if (await this.idempotency.claim((await own.open()).client, operation)) await own.rollback();
      else await own.commit(store);
    } catch {
      // nothing was written, so a repeat that came between, or comes later, may be answered by itself
      await own.rollback();
    }
  }

  private refusalOf(request: Request, error: DomainError): StoredAnswer {
    return {
      status: error.spec.status,
      body: JSON.stringify(envelopeOf(error, request.state.requestId, this.baseUrl.value)),
      headers: error.occurrence.headers ?? {},
    };
  }
}

function callerOf(request: Request, ctx: CallContext): string {
  return request.state.apiKeyId ?? ctx.memberId ?? 'none';
}

function answerOf(result: unknown, reply: FastifyReply): StoredAnswer {
  const etag = etagOf(result);
  return { status: reply.statusCode, body: result === undefined ? null : JSON.stringify(result), headers: etag ? { ETag: etag } : {} };
}

function send(reply: FastifyReply, answer: StoredAnswer): string | undefined {
  reply.headers(answer.headers);
  if (answer.body === null) return undefined;
  void reply.type(JSON_TYPE);
  return answer.body;
}

function replay(request: Request, reply: FastifyReply, earlier: StoredAnswer): string | undefined {
  request.state.replay = earlier;
  void reply.status(earlier.status).header('Idempotent-Replayed', 'true');
  if (earlier.status >= 400) request.state.errorCode = (JSON.parse(earlier.body as string) as { error: { code: string } }).error.code;
  return send(reply, earlier);
}

/** What is shown once is not stored, so a replay cannot show it again. */
function redacted(answer: StoredAnswer, result: unknown, route: Route): StoredAnswer {
  const secrets = route.endpoint?.secrets;
  if (!secrets || !isObject(result)) return answer;
  return { ...answer, body: JSON.stringify({ ...result, ...Object.fromEntries(secrets.map((name) => [name, null])) }) };
}

function isBusinessAnswer(error: unknown): error is DomainError {
  return error instanceof DomainError && error.spec.status < 500;
}

export function etagOf(payload: unknown): string | null {
  const version = (payload as { version?: unknown } | null | undefined)?.version;
  return typeof version === 'number' ? `"${version}"` : null;
}
