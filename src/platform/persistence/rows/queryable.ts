import type { Work } from '../../../kit/internal.js';

/** A pg pool or client. */
export interface Queryable {
  query<R extends object>(config: {
    name?: string;
    text: string;
    values?: unknown[];
    /** As a prepared statement even without values. */
    queryMode?: 'extended';
    /** Of the rows: they need not be given it later. */
    prototype?: object;
    /** What it is part of, if another work may run when it is sent. */
    work?: Work | undefined;
  }): Promise<{ rows: R[]; rowCount: number | null; command: string }>;
}
