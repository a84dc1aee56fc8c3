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
  /** Changes when the records have been replaced. */
  version(): number;
}

/** The ids that the samples of the documentation send. Without a demo there are none, and samples show placeholders. */
@Injectable()
export class SampleIdsSource {
  private search: SampleSearch = { find: async () => NONE, version: () => 0 };
  private found = new Lazy(() => this.search.find());
  private version = 0;

  /** The search begins when the ids are first needed, and again after a failure or with a new version. */
  offer(search: SampleSearch): void {
    this.search = search;
    this.searchAgain();
  }

  /** The same map until the ids change. It is empty before `offer` and after a failure. */
  get(): Promise<SampleIds> {
    if (this.version !== this.search.version()) this.searchAgain();
    return this.found.get().catch(() => NONE);
  }

  private searchAgain(): void {
    this.version = this.search.version();
    this.found = new Lazy(() => this.search.find());
  }
}
