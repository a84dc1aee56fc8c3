import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { CommonErrors, type DomainError } from '../../kit/index.js';
import { Metrics } from '../metrics/metrics.js';
import { AuthFailures } from './auth-failures.js';
import { KeyLookup } from './key-lookup.js';
import type { KeyRecord } from './key-record.js';
import { encodedHash, isWellFormed } from './key-secret.js';
import type { ServerRequest } from '../request/server-request.js';
import { KeyChanges } from '../key-changes/key-changes.js';

const CACHED_KEYS = 20_000;
const BEARER = /^Bearer +(\S+) *$/i;
/** 256 random bits in base64url. A key's secret is longer. */
const ACCESS_TOKEN = /^[\w-]{43}$/;
/** Precedes the hash of an access token in a cache key; base64 does not contain it. */
const TOKEN_MARK = '~';

const UNKNOWN_TOKEN = 'This access token is unknown, was revoked, or was issued for another address.';

const NO_MEMBER = 'The member who authorized this connection is not active any more; another member must authorize it.';

type Peeked = Partial<Pick<ServerRequest, 'peekedKey'>>;

interface CachedKey {
  record: KeyRecord;
  /** The count of changes before it was read. */
  readAt: number;
}

/** A key found for a call; `confirm` must receive the last change of its subjects before the call proceeds. */
export class AuthenticatedKey {
  constructor(
    private readonly authenticator: KeyAuthenticator,
    private readonly cacheKey: string,
    private readonly address: string,
    private cached: CachedKey,
  ) {}

  get record(): KeyRecord {
    return this.cached.record;
  }

  /** Reads the key again if it may have changed since it was cached, and then returns true. Throws if it is no longer valid. */
  confirm(changedAt: number): Promise<boolean> | false {
    if (changedAt <= this.cached.readAt) return false;
    return this.reload();
  }

  /** Reads the key again. Throws if it is no longer valid. */
  async reload(): Promise<boolean> {
    // not limited by failures: this key was valid, and an invalid one of the same address must not block it
    this.cached = await this.authenticator.load(this.cacheKey, this.address);
    return true;
  }
}

/** Finds the key of an Authorization header. Keys are cached; see KeyChanges for why a change still applies to the next call. */
@Injectable()
export class KeyAuthenticator {
  private readonly cache = new Map<string, CachedKey>();
  private readonly use = { hits: 0, misses: 0 };

  constructor(
    private readonly lookup: KeyLookup,
    private readonly changes: KeyChanges,
    private readonly failures: AuthFailures,
    metrics: Metrics,
  ) {
    metrics.cache('api_keys', this.use);
  }

  /**
   * Synchronous for a cached key. `peekedAt` is the request with the same header that `peek` has seen, if any. Access tokens are
   * issued for the MCP endpoint and count as keys only there (`atMcp`).
   */
  authenticate(
    authorization: string | undefined,
    address: string,
    { peekedAt, atMcp }: { peekedAt?: IncomingMessage; atMcp: boolean },
  ): AuthenticatedKey | Promise<AuthenticatedKey> {
    const cacheKey = (peekedAt as Peeked | undefined)?.peekedKey ?? cacheKeyIn(authorization);
    if (cacheKey === undefined || (isToken(cacheKey) && !atMcp)) return this.rejectMalformed(authorization, address);
    const cached = this.validCached(cacheKey, address);
    if (cached) {
      this.use.hits++;
      return new AuthenticatedKey(this, cacheKey, address, cached);
    }
    this.use.misses++;
    this.failures.check(address);
    return this.load(cacheKey, address).then((loaded) => new AuthenticatedKey(this, cacheKey, address, loaded));
  }

  /** At the MCP endpoint: the key, if it is cached and valid; nothing is counted, so null does not mean that the key is invalid. */
  peek(request: Peeked & { headers: { authorization?: string } }, address: string): KeyRecord | null {
    const cacheKey = cacheKeyIn(request.headers.authorization);
    if (cacheKey === undefined) return null;
    request.peekedKey = cacheKey;
    return this.validCached(cacheKey, address)?.record ?? null;
  }

  /** An error never comes from the cache: the key may have been reactivated, extended or given a wider allowlist. */
  private validCached(cacheKey: string, address: string): CachedKey | null {
    const cached = this.cache.get(cacheKey);
    return cached && !rejectionOf(cached.record, address) ? cached : null;
  }

  /** Reads a key by its cache key, and caches it. */
  async load(cacheKey: string, address: string): Promise<CachedKey> {
    const readAt = this.changes.count();
    const byToken = isToken(cacheKey);
    const hash = Buffer.from(byToken ? cacheKey.slice(TOKEN_MARK.length) : cacheKey, 'base64');
    const record = await (byToken ? this.lookup.byToken(hash) : this.lookup.byHash(hash));
    if (!record) {
      this.cache.delete(cacheKey);
      await this.failures.charge(address);
      throw byToken ? CommonErrors.invalidApiKey({ message: UNKNOWN_TOKEN }) : CommonErrors.invalidApiKey();
    }
    if (this.cache.size >= CACHED_KEYS) this.cache.clear();
    const cached = { record, readAt };
    // cached even if it is invalid, or a stale valid entry would pass the check above forever
    this.cache.set(cacheKey, cached);
    const rejection = rejectionOf(record, address);
    if (rejection) {
      // a 403 is not a guess: a valid key used from a disallowed address must not block the others there
      if (rejection.spec.status === 401) await this.failures.charge(address);
      throw Object.assign(rejection, { key: record });
    }
    return cached;
  }

  private async rejectMalformed(authorization: string | undefined, address: string): Promise<never> {
    this.failures.check(address);
    await this.failures.charge(address);
    throw authorization === undefined ? CommonErrors.missingApiKey() : CommonErrors.invalidApiKey();
  }
}

/** Undefined without a well-formed secret or token. */
function cacheKeyIn(authorization: string | undefined): string | undefined {
  const secret = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
  if (secret === undefined) return undefined;
  if (isWellFormed(secret)) return encodedHash(secret);
  return ACCESS_TOKEN.test(secret) ? TOKEN_MARK + encodedHash(secret) : undefined;
}

function isToken(cacheKey: string): boolean {
  return cacheKey.startsWith(TOKEN_MARK);
}

function rejectionOf(record: KeyRecord, address: string): DomainError | null {
  const now = Date.now();
  if (record.status === 'revoked' || (record.secretExpiresAt !== null && record.secretExpiresAt <= now))
    return CommonErrors.apiKeyRevoked();
  if (record.isConnection && record.memberId === null) return CommonErrors.apiKeyRevoked({ message: NO_MEMBER });
  if (record.tokenExpiresAt !== null && record.tokenExpiresAt <= now)
    return CommonErrors.apiKeyExpired({ message: 'This access token has expired; refresh it.' });
  if (record.expiresAt !== null && record.expiresAt <= now) return CommonErrors.apiKeyExpired();
  if (record.status === 'inactive') return CommonErrors.apiKeyInactive();
  if (record.admits && !record.admits(address)) return CommonErrors.ipNotAllowed();
  return null;
}

/** The recognized key of a rejected call, so that the error is in the log of its organization. */
export function rejectedKeyOf(error: unknown): KeyRecord | undefined {
  return (error as { key?: KeyRecord } | null)?.key;
}
