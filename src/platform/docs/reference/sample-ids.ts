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
}

/** By operation. */
export type SampleIds = ReadonlyMap<string, OperationIds>;

const NONE: SampleIds = new Map();

/** The ids that the samples of the documentation send. Without a demo there are none, and samples show placeholders. */
@Injectable()
export class SampleIdsSource {
  private source = new Lazy(async () => NONE);

  /** `find` is called when the ids are first needed, and again after a failure. */
  offer(find: () => Promise<SampleIds>): void {
    this.source = new Lazy(find);
  }

  /** The same map until the ids change. It is empty before `offer` and after a failure. */
  get(): Promise<SampleIds> {
    return this.source.get().catch(() => NONE);
  }
}
