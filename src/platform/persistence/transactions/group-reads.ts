import { setImmediate as nextTurn } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { PoolClient } from 'pg';
import type { GroupRead } from '../../../kit/index.js';
import { isRolledBack } from '../database/pg-errors.js';
import type { Queryable } from '../rows/reader.js';
import { GroupPlace, GroupRolledBack, holdsLease, type WaitingChange } from './group-place.js';

/** A read on the group's connection. */
export interface ClientRead<Q, S> extends Pick<GroupRead<Q, S>, 'name' | 'requiresCommit'> {
  read(on: Queryable, requests: readonly Q[]): ReturnType<GroupRead<Q, S>['read']>;
}

/** A change that waits for what a group reads for it. */
export interface WaitingRead {
  read: ClientRead<unknown, unknown>;
  request: unknown;
  /** Null if the change must read for itself. */
  resolve(place: GroupPlace | null): void;
}

/** How long groups do not repeat a read that has failed: every group would wait for the lock that it needs. */
const AVOIDED_MS = 1_000;
const MOST_AVOIDED = 1_000;
const log = new Logger('GroupReads');

/** What groups read, with locks, before they commit. */
export class GroupReads {
  private waiting: WaitingRead[] = [];
  /** Names of reads. */
  private readonly avoided = new LRUCache<string, true>({ max: MOST_AVOIDED, ttl: AVOIDED_MS });

  get length(): number {
    return this.waiting.length;
  }

  isAvoided(name: string): boolean {
    return this.avoided.has(name);
  }

  add<Q, S>(read: ClientRead<Q, S>, request: Q): Promise<GroupPlace<S> | null> {
    return new Promise((resolve) => {
      this.waiting.push({ read: read as ClientRead<unknown, unknown>, request, resolve: resolve as WaitingRead['resolve'] });
    });
  }

  take(count: number): WaitingRead[] {
    return this.waiting.splice(0, count);
  }

  /**
   * Reads for the changes of a group in its transaction; resolves to those that are ready to commit then. `places` gets the places of all
   * changes that the group has read for.
   */
  async readyAfter(client: PoolClient, reads: readonly WaitingRead[], places: GroupPlace[]): Promise<WaitingChange[]> {
    for (const { resolve, place } of await this.read(client, reads)) {
      resolve(place);
      if (!place) continue;
      places.push(place);
      // one after the other, because they share what was read; a change that has not settled by then waits for something else
      const isSettled = await Promise.race([place.settled, nextTurn(false)]);
      if (!isSettled) place.close();
    }
    const ready: WaitingChange[] = [];
    let isComplete = true;
    for (const place of places) {
      const change = place.close();
      if (change && holdsLease(change)) ready.push(change);
      // also a change that is late: it may have altered what is shared
      else if (place.isRequired) isComplete = false;
    }
    if (isComplete) return ready;
    for (const { resolve } of ready) resolve(false);
    throw new GroupRolledBack();
  }

  /** The places of the changes, in the order of their requests for each read. */
  private async read(client: PoolClient, reads: readonly WaitingRead[]) {
    // in a fixed order, so that processes lock in the same order
    const byName = [...Map.groupBy(reads, ({ read }) => read.name)].sort(([one], [other]) => (one < other ? -1 : 1));
    const settled = await Promise.allSettled(byName.map(([, same]) => placesOf(client, same)));
    const failed = settled.find((result) => result.status === 'rejected');
    if (!failed) return settled.flatMap((result) => (result as PromiseFulfilledResult<Awaited<ReturnType<typeof placesOf>>>).value);
    if (!isRolledBack(failed.reason)) log.warn(`A group could not read: ${String(failed.reason)}`);
    for (const [name] of byName) this.avoided.set(name, true);
    // each change reads for itself, and reports what is wrong
    for (const { resolve } of [...reads, ...this.takeAvoided()]) resolve(null);
    throw new GroupRolledBack();
  }

  private takeAvoided(): WaitingRead[] {
    const avoided = this.waiting.filter(({ read }) => this.isAvoided(read.name));
    this.waiting = this.waiting.filter((waiting) => !avoided.includes(waiting));
    return avoided;
  }
}

async function placesOf(client: PoolClient, reads: readonly WaitingRead[]) {
  const requests = reads.map(({ request }) => request);
  const [{ read }] = reads;
  const { now, results } = await read.read(client as unknown as Queryable, requests);
  return reads.map(({ resolve }, index) => {
    const result = results[index];
    return { resolve, place: result === null ? null : new GroupPlace(result, now, read.requiresCommit ?? false) };
  });
}
