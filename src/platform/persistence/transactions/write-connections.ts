import type { Pool, PoolClient } from 'pg';
import { CommonErrors } from '../../../kit/index.js';
import { CONNECTION_LIMITS } from '../database/pool.js';
import { toDomainError } from '../database/pg-errors.js';
import type { PooledClient } from '../database/pooled-client.js';
import type { Queryable } from '../rows/queryable.js';

/** The part of the pool that the writes of one organization may take, if that leaves one connection to other writes. */
const SHARE = 0.8;

export type Client = PoolClient & PooledClient & Queryable;

interface Organization {
  active: number;
  /** Each starts a write that waits. */
  waiting: (() => void)[];
}

/** The connections of one organization's writes. */
export interface Connections {
  /** Rejects with 503 if no connection becomes free in time, or the database cannot be reached. */
  acquire(): Promise<Client>;
  /** With an error, the connection is closed. */
  release(client: Client, error?: Error): void;
}

/**
 * The pool's connections for writes. A write holds one while it waits for a lock, so the writes that wait for one row could take them all,
 * and everybody else would wait, too. Therefore the writes of one organization take four fifths of the pool at most, and all writes leave
 * one connection to reads. The rest waits here, at most as long as it then may wait for a connection of the pool.
 */
export class WriteConnections {
  private readonly mostOfAll: number;
  private readonly mostOfOne: number;
  private active = 0;
  /** With a write that is active or waits, ordered by latest start: the one that has waited longest comes first. */
  private readonly organizations = new Map<string, Organization>();

  constructor(private readonly pool: Pool) {
    const { max } = pool.options;
    this.mostOfAll = Math.max(1, max - 1);
    this.mostOfOne = Math.max(1, Math.min(Math.floor(max * SHARE), this.mostOfAll - 1));
  }

  of(organizationId: string): Connections {
    return {
      acquire: () => this.acquire(organizationId),
      release: (client, error) => {
        client.release(error);
        this.end(organizationId);
      },
    };
  }

  private async acquire(organizationId: string): Promise<Client> {
    const organization = this.organizationOf(organizationId);
    if (this.mayStart(organization)) this.start(organizationId, organization);
    else await this.turnOf(organizationId, organization);
    try {
      return (await this.pool.connect()) as Client;
    } catch (error) {
      this.end(organizationId);
      throw toDomainError(error);
    }
  }

  private organizationOf(id: string): Organization {
    let organization = this.organizations.get(id);
    if (!organization) this.organizations.set(id, (organization = { active: 0, waiting: [] }));
    return organization;
  }

  private mayStart({ active }: Organization): boolean {
    return active < this.mostOfOne && this.active < this.mostOfAll;
  }

  private start(id: string, organization: Organization): void {
    organization.active++;
    this.active++;
    this.organizations.delete(id);
    this.organizations.set(id, organization);
  }

  private turnOf(id: string, organization: Organization): Promise<void> {
    const { waiting } = organization;
    return new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(start), 1);
        this.forgetIdle(id, organization);
        reject(tooBusy());
      }, CONNECTION_LIMITS.connectionTimeoutMillis);
      waiting.push(start);
    });
  }

  private end(organizationId: string): void {
    const ended = this.organizations.get(organizationId) as Organization;
    ended.active--;
    this.active--;
    this.startNext();
    this.forgetIdle(organizationId, ended);
  }

  private forgetIdle(id: string, { active, waiting }: Organization): void {
    if (active === 0 && waiting.length === 0) this.organizations.delete(id);
  }

  /** Organizations take turns, or the one with the most writes would leave the others the least. */
  private startNext(): void {
    for (const [id, organization] of this.organizations) {
      if (organization.waiting.length === 0 || !this.mayStart(organization)) continue;
      this.start(id, organization);
      organization.waiting.shift()?.();
      return;
    }
  }
}

function tooBusy(): Error {
  const message = 'Too many writes wait for a connection to the database; nothing was written. Repeat the request shortly.';
  return CommonErrors.unavailable({ message, headers: { 'Retry-After': '5' } });
}
