/**
 * SQL for upkeep across organisations, outside of any request: logs written in batches, purges. It narrows nothing, so it
 * is no way to what a caller may see: that is the Store. Each statement commits by itself.
 */
export abstract class Maintenance {
  abstract query<R extends object>(sql: string, values?: readonly unknown[]): Promise<R[]>;
}
