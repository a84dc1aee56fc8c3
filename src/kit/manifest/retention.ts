/** How long rows of a table are kept. The platform deletes older ones in batches, a few minutes after their time. */
export interface RetentionRule {
  /** That of one of the module's entities. */
  table: string;
  /** The column with the time by which a row's age is measured. */
  column: string;
  /** Default `timestamptz`. The ids of all entities are of type `uuidv7` and start with their creation time. */
  columnType?: 'timestamptz' | 'uuidv7';
  /** From the time in the column on; whole days, in a manifest at least 1. */
  keepDays: number;
  /** An SQL condition: the rule applies to these rows only. */
  where?: string;
  /** Rows deleted by one statement. Default 5,000; fewer if rows are large or have many dependents. */
  batch?: number;
  /**
   * A migration has partitioned the table by its ids. Partitions are made ahead and dropped as a whole, which costs the same however many
   * rows there are; so rows are kept up to a tenth longer. Not with `where`.
   */
  partitioned?: boolean;
  /**
   * How many partitions share the time for which rows are kept, instead of 10: fewer keep rows longer, and are faster where a statement
   * names no id.
   */
  partitions?: number;
}
