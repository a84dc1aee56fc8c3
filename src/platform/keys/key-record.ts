import type { Actor, Mode } from '../../kit/index.js';
import type { Bucket } from '../rate-limit/limiter.js';

/** The data of an API key that guards need. Shared by all calls of the key, so it must never be mutated. */
export interface KeyRecord {
  readonly id: string;
  readonly organizationId: string;
  readonly module: string;
  readonly mode: Mode;
  /** What the key may do now: its scopes without the withheld ones. */
  readonly scopes: ReadonlySet<string>;
  /** The scopes that require a permission which the bound member lacks, or has lost by becoming inactive, with that permission. */
  readonly withheld: ReadonlyMap<string, string>;
  readonly projectId: string | null;
  readonly status: 'active' | 'inactive' | 'revoked';
  /** Milliseconds since 1970; null if it never expires. */
  readonly expiresAt: number | null;
  /** When this secret expires, after a roll. */
  readonly secretExpiresAt: number | null;
  /** When the access token of a connection expires; null for a key. */
  readonly tokenExpiresAt: number | null;
  /** Whether the key is the connection of an MCP client. */
  readonly isConnection: boolean;
  readonly actor: Actor;
  /** The bound member, if active. A connection without one is refused. */
  readonly memberId: string | null;
  readonly admits: ((address: string) => boolean) | null;
  /** Which bodies of requests the organization keeps. */
  readonly keptBodies: 'none' | 'test' | 'errors';
  /** Whether calls that delete or reach people must follow a plan. */
  readonly requiresPlan: boolean;
  readonly buckets: readonly Bucket[];
  /** What this record was read from, see KeyChanges. */
  readonly subjects: readonly string[];
}
