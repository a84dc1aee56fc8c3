import { Injectable } from '@nestjs/common';
import { Lazy } from '../../../kit/index.js';

/** Ids of records that exist, as an operation shows them or can be called with them. */
export interface OperationIds {
  id?: string;
  /** Of another record of the list. */
  next?: string;
  /** Of the record whose parts the operation lists. */
  parent?: string;
  /** By member of the record, such as `lines`, the id of one of its items. */
  parts: Readonly<Record<string, string>>;
  /** By argument, what the record says of it. */
  values?: Readonly<Record<string, unknown>>;
  /** No record is in the state that the operation needs. */
  isMissing?: true;
}

/** By operation. */
export type SampleIds = ReadonlyMap<string, OperationIds>;

const NONE: SampleIds = new Map();

export interface SampleSearch {
  find(): Promise<SampleIds>;
  /** Whether the records still exist. */
  areCurrent(ids: SampleIds): Promise<boolean>;
}

const CHECKED_FOR_MS = 60_000;

/** The ids that the samples of the documentation send. Without a demo there are none, and samples show placeholders. */
@Injectable()
export class SampleIdsSource {
  private search: SampleSearch = { find: async () => NONE, areCurrent: async () => true };
  private found = new Lazy(() => this.search.find());
  private checkedAt = 0;

  /** The search begins when the ids are first needed, and again after a failure, or if the records were deleted. */
  offer(search: SampleSearch): void {
    this.search = search;
    this.searchAgain();
  }

  /** The same map until the ids change. It is empty before `offer` and after a failure. */
  async get(): Promise<SampleIds> {
    try {
      const ids = await this.found.get();
      if (Date.now() < this.checkedAt + CHECKED_FOR_MS) return ids;
      // who reads meanwhile does not wait
      this.checkedAt = Date.now();
      if (await this.search.areCurrent(ids)) return ids;
      this.searchAgain();
      return await this.found.get();
    } catch {
      return NONE;
    }
  }

  private searchAgain(): void {
    this.found = new Lazy(async () => {
      const ids = await this.search.find();
      this.checkedAt = Date.now();
      return ids;
    });
  }
}
