import type { Ctx } from '../../../kit/index.js';
import type { EntityPlan } from './entity-plan.js';
import type { ListPlan } from './list-sql.js';
import type { Values } from './sql.js';

/** Some rows of a list in its order. */
export interface PageRows {
  plan: EntityPlan;
  list: ListPlan;
  /** The condition for the rows behind a cursor. */
  behind: string;
  rows: number;
}

/** Reads the rows of a statement. */
type ReadRows = (text: string) => Promise<object[]>;

/** This many rows show whether the words are common. Reading them takes a fraction of a millisecond. */
const SAMPLE = 400;
/** Reading this many rows in order takes about 10 ms, as long as sorting the rows that a rarer word finds. */
const LONGEST_WALK = 20_000;

export function pageSql({ plan, list, behind, rows }: PageRows, from = list.from): string {
  return `SELECT ${plan.selectAll}${list.sortSelect} FROM ${from} WHERE ${list.where} AND ${behind} ${orderOf(list)} LIMIT ${rows}`;
}

/**
 * A page of a search. Its time is bounded however many rows contain the words: common words are found soon in the order of the list, and
 * all rows with rare words can be sorted. PostgreSQL cannot make this choice, because it does not estimate how many rows contain a
 * prefix.
 */
export async function searchPage(page: PageRows, ctx: Ctx, values: Values, read: ReadRows): Promise<object[]> {
  const { plan, list, behind, rows } = page;
  if (!plan.ordered.has(list.sortColumn)) return read(sortedSql(page));
  const caller = `t."organization_id" = ${values.add(ctx.organizationId)} AND t."mode" = ${values.add(ctx.mode)}`;
  // only conditions that the index has: with others it might read far more rows than it returns
  const first = (count: number) => `(SELECT * FROM ${plan.table} t WHERE ${caller} AND ${behind} ${orderOf(list)} LIMIT ${count}) AS t`;
  const sample = await read(pageSql(page, first(SAMPLE)));
  if (sample.length === rows) return sample;
  if (sample.length > 0 && (rows / sample.length) * SAMPLE <= LONGEST_WALK) {
    const walked = await read(pageSql(page, first(LONGEST_WALK)));
    if (walked.length === rows) return walked;
  }
  values.list.length -= 2;
  return read(sortedSql(page));
}

/** Finds all rows before it sorts them, so that PostgreSQL does not read a whole table in order, expecting to find a page soon. */
function sortedSql({ plan, list, behind, rows }: PageRows): string {
  const direction = list.descending ? 'DESC' : 'ASC';
  return `WITH found AS MATERIALIZED (
      SELECT t."id" AS found_id, ${list.sortExpression} AS sort_key FROM ${plan.table} t WHERE ${list.where} AND ${behind})
    SELECT ${plan.selectAll}${list.sortSelect}
    FROM (SELECT * FROM found ORDER BY sort_key ${direction}, found_id ${direction} LIMIT ${rows}) AS f
    JOIN ${plan.table} t ON t."id" = f.found_id ${orderOf(list)}`;
}

function orderOf({ sortExpression, descending }: ListPlan): string {
  const direction = descending ? 'DESC' : 'ASC';
  return `ORDER BY ${sortExpression} ${direction}, t."id" ${direction}`;
}
