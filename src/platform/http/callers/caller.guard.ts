import { hash } from 'node:crypto';
import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { CommonErrors } from '../../../kit/index.js';
import { lacksPermission, lacksScope } from '../../../kit/internal.js';
import type { AppConfig } from '../../config/settings.js';
import { limitKeyOf } from '../../net/address.js';
import { KeyAuthenticator, rejectedKeyOf, type AuthenticatedKey } from '../../keys/key-authenticator.js';
import type { KeyRecord } from '../../keys/key-record.js';
import { sessionTokenOf } from '../../people/sessions/session-cookie.js';
import { requireConfirmation } from '../../people/sessions/confirmation.js';
import { SessionReader } from '../../people/sessions/session-reader.js';
import { CallContext } from '../../persistence/transactions/call-context.js';
import type { Bucket } from '../../rate-limit/limiter.js';
import type { LimitedCaller } from '../../rate-limit/limits.guard.js';
import { RouteRegistry, type Route } from '../../registry/route-registry.js';
import type { Request, RequestState } from '../../request/request-state.js';
import { isSecret } from '../../request/secret-comparison.js';

const NONE: ReadonlySet<string> = new Set();

/** The rate limits for callers without a key. */
export type KeylessLimits = Pick<AppConfig, 'rateLimitPerPublicAddress' | 'rateLimitPerMember'>;
export const KEYLESS_LIMITS = Symbol('keyless limits');

/** Identifies the caller, by the plane of the route. */
@Injectable()
export class CallerGuard implements CanActivate {
  constructor(
    private readonly routes: RouteRegistry,
    private readonly keys: KeyAuthenticator,
    private readonly sessions: SessionReader,
    @Inject(KEYLESS_LIMITS) private readonly limits: KeylessLimits,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const route = this.routes.of(context.getHandler()) as Route;
    const request = context.switchToHttp().getRequest<Request>();
    request.state.route = route;
    if (!route.write && route.writesOnGet === null) request.work.readingRoute = `${route.method} ${route.path}`;
    if (route.plane === 'keyed') return this.authenticateKey(request);
    if (route.plane === 'product') return this.authenticateSession(request, route);
    if (route.open.partOfPage) request.caller = partsLimit(request.state.address, this.limits);
    else if (route.open.limited !== false) request.caller = addressLimit(request.state.address, this.limits, pathLimits(request, route));
    return true;
  }

  private authenticateKey(request: Request): boolean | Promise<boolean> {
    try {
      const found = this.keys.authenticate(request.headers.authorization, request.state.address, {
        peekedAt: request.state.outer,
        atMcp: request.state.outer !== undefined,
      });
      if (request.state.partOfPage) return this.authenticatePart(request, found);
      if (!(found instanceof Promise)) return attachKey(request, found);
      return found.then(
        (key) => attachKey(request, key),
        (error) => rethrowRejectedKey(request.state, error),
      );
    } catch (error) {
      return rethrowRejectedKey(request.state, error);
    }
  }

  /** A page of an export, which no limiter confirms: the key is read again, so that one that is revoked meanwhile ends the file. */
  private async authenticatePart(request: Request, found: AuthenticatedKey | Promise<AuthenticatedKey>): Promise<boolean> {
    try {
      const key = await found;
      await key.reload();
      return attachKey(request, key);
    } catch (error) {
      return rethrowRejectedKey(request.state, error);
    }
  }

  private async authenticateSession(request: Request, route: Route): Promise<boolean> {
    const token = sessionTokenOf(request.headers.cookie);
    const session = token ? await this.sessions.read(token) : null;
    if (!session) throw CommonErrors.notSignedIn();
    request.state.organizationId = session.organizationId;
    if (route.write && !isSecret(request.headers['x-csrf-token'], session.csrfToken)) throw CommonErrors.csrfTokenInvalid();
    const { member, organizationId, permissions } = session;
    const mode = request.headers['svc-mode'] === 'test' ? 'test' : 'live';
    const actor = { type: 'user' as const, id: member.id, email: member.email };
    request.ctx = new CallContext(request.state.requestId, organizationId, null, mode, actor, member.id, NONE, permissions);
    request.ctx.session = { id: session.sessionId, confirmedAt: session.confirmedAt, lacksSecondFactor: session.lacksSecondFactor };
    request.ctx.origin = request.state;
    // a page counts once, however many calls it makes
    if (!request.state.partOfPage) request.caller = memberLimit(member.id, this.limits);
    return true;
  }
}

/** Attaches the key's data to the request before the limit is charged; `confirm` attaches it again if the key has changed. */
export function attachKey(request: Request, key: AuthenticatedKey): true {
  applyKey(request, key.record);
  // an export counts once, however many pages it reads
  if (!request.state.partOfPage) request.caller = new KeyCaller(request, key);
  return true;
}

class KeyCaller implements LimitedCaller {
  constructor(
    private readonly request: Request,
    private readonly key: AuthenticatedKey,
  ) {}

  bucketsFor(): readonly Bucket[] {
    return this.key.record.buckets;
  }

  get subjects(): readonly string[] {
    return this.key.record.subjects;
  }

  confirm(changedAt: number): void | Promise<void> {
    const reloaded = this.key.confirm(changedAt);
    if (reloaded === false) return;
    return reloaded.then(
      () => applyKey(this.request, this.key.record),
      (error) => rethrowRejectedKey(this.request.state, error),
    );
  }
}

class FixedLimit implements LimitedCaller {
  constructor(private readonly buckets: readonly Bucket[]) {}

  bucketsFor(): readonly Bucket[] {
    return this.buckets;
  }
}

function applyKey(request: Request, record: KeyRecord): void {
  recordKey(request.state, record);
  const ctx = new CallContext(
    request.state.requestId,
    record.organizationId,
    record.projectId,
    record.mode,
    record.actor,
    record.memberId,
    record.scopes,
    NONE,
  );
  ctx.withheld = record.withheld;
  ctx.requiresPlan = record.requiresPlan;
  ctx.origin = request.state;
  request.ctx = ctx;
}

function recordKey(state: RequestState, record: KeyRecord): void {
  state.apiKeyId = record.id;
  state.isConnection = record.isConnection;
  state.organizationId = record.organizationId;
  state.projectId = record.projectId;
  state.mode = record.mode;
  state.keptBodies = record.keptBodies;
}

/** Throws the error again. If it rejects a known key, the request is logged for the key's organization. */
export function rethrowRejectedKey(state: RequestState, error: unknown): never {
  const record = rejectedKeyOf(error);
  if (record) recordKey(state, record);
  throw error;
}

/** Scope, permission and actor: checks what the caller may do, after authentication and rate limits. */
@Injectable()
export class AccessGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    const { ctx, state } = request;
    const endpoint = state.route?.endpoint;
    if (!ctx || !endpoint) return true;
    const { scope, permission, confirmation, requiresActor } = endpoint;
    const withheld = scope ? ctx.withheld.get(scope) : undefined;
    if (withheld !== undefined && ctx.memberId === null && requiresActor) throw CommonErrors.keyMissingActor();
    if (withheld !== undefined)
      throw CommonErrors.permissionDenied({
        message: `The member to whom this API key is bound lacks the permission ${withheld}, which the scope ${scope} requires.`,
        extra: { required_permission: withheld },
      });
    if (scope && !ctx.scopes.has(scope)) throw lacksScope(scope);
    const anyOf = typeof permission === 'string' ? [permission] : (permission ?? []);
    if (anyOf.length > 0 && !anyOf.some((one) => ctx.permissions.has(one))) throw lacksPermission(anyOf);
    if (anyOf.length > 0 && ctx.session?.lacksSecondFactor) throw CommonErrors.secondFactorRequired();
    if (confirmation) requireConfirmation(ctx);
    if (requiresActor && ctx.memberId === null) throw CommonErrors.keyMissingActor();
    return true;
  }
}

const PARTS_PER_PAGE = 10;
/**
 * The documentation of all built-in modules has about 200 pages, each also as Markdown. A link checker that reads all of them with their
 * files, more than once, is not refused. Making a page takes 6 ms of CPU, so one address can take a quarter of a core at most.
 */
const DOCUMENTS_PER_CALL = 20;

export function memberLimit(memberId: string, { rateLimitPerMember }: KeylessLimits): LimitedCaller {
  return new FixedLimit([{ name: 'member', id: memberId, limit: rateLimitPerMember, windowSeconds: 60 }]);
}

/** The limit of a caller that has neither a key nor a session. */
export function addressLimit(address: string, { rateLimitPerPublicAddress }: KeylessLimits, own: readonly Bucket[] = []): LimitedCaller {
  return new FixedLimit([{ name: 'address', id: limitKeyOf(address), limit: rateLimitPerPublicAddress, windowSeconds: 60 }, ...own]);
}

/** The limit of what pages load, so that reading a long document leaves room for signing it. */
function partsLimit(address: string, { rateLimitPerPublicAddress }: KeylessLimits): LimitedCaller {
  const limit = rateLimitPerPublicAddress * PARTS_PER_PAGE;
  return new FixedLimit([{ name: 'address_parts', id: limitKeyOf(address), limit, windowSeconds: 60 }]);
}

/** The limit of the documentation, so that an agent can read all pages in one go and still make its calls. */
export function documentationLimit(address: string, { rateLimitPerPublicAddress }: KeylessLimits): LimitedCaller {
  const limit = rateLimitPerPublicAddress * DOCUMENTS_PER_CALL;
  return new FixedLimit([{ name: 'documentation', id: limitKeyOf(address), limit, windowSeconds: 60 }]);
}

/** The limits that a public route declares for itself, by its parameters: different spellings of a path count as one. */
function pathLimits({ params, state }: Request, { open, method, path }: Route): readonly Bucket[] {
  const limits = [
    { name: 'path_minute', limit: open.callsPerMinute, windowSeconds: 60 },
    { name: 'path', limit: open.callsPerTenMinutes, windowSeconds: 600 },
    { name: 'path_hour', limit: open.callsPerHour, windowSeconds: 3600 },
  ];
  return limits.flatMap(({ name, limit, windowSeconds }) => {
    if (limit === undefined) return [];
    const id = hash('sha256', JSON.stringify([state.limitKey, method, path, params]));
    return [{ name, id, limit, windowSeconds }];
  });
}
