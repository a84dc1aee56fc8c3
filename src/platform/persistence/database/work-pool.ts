import pg, { type Pool } from 'pg';
import { currentWork, inWork } from '../../../kit/internal.js';

type Connect = Parameters<Pool['connect']>[0];

/** A pool whose statements are part of the work that asked for them, also those that wait until another one returns a connection. */
export class WorkPool extends pg.Pool {
  // oxlint-disable-next-line typescript/no-explicit-any -- pg declares two overloads, which stay as they are
  override connect(callback?: any): any {
    const work = callback && currentWork();
    if (!work) return super.connect(callback as never);
    // `query` of the pool calls it so
    const then = callback as (...results: unknown[]) => void;
    return super.connect(((...results: unknown[]) => inWork(work, () => then(...results))) as Connect & never);
  }
}

/** For TypeORM, which creates the pool. */
export const DRIVER = Object.assign(Object.create(pg) as typeof pg, { Pool: WorkPool });
