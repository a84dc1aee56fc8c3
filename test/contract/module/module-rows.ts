import { hash } from 'node:crypto';
import type { TestApp } from '../../harness/test-app.js';

/** The locations whose rows a live key that is pinned to the project ENG must not see. */
export const ELSEWHERE = ['another project', 'another organization', 'the other mode'] as const;
/** Those of them that an organization-wide key and a member must not see. */
export const OF_OTHERS = ['another organization', 'the other mode'] as const;
export type Elsewhere = (typeof ELSEWHERE)[number];

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
export const UUIDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
/** Of a text made with `unique()` of a sample. */
export const UNIQUE_LENGTH = 10;
export const UNIQUE = new RegExp(`[0-9a-f]{${UNIQUE_LENGTH}}`);
/** What may contain such a text. */
export const HEX_RUNS = new RegExp(`[0-9a-f]{${UNIQUE_LENGTH},}`, 'g');

/** Who must not see a row, or where rows are. */
export interface Viewer {
  organizationId: string;
  /** Null for all. */
  projectId: string | null;
  /** Null for both. */
  mode: string | null;
}

/** Knows the tables of the database that have rows of organizations. */
export class RowPlaces {
  /** By row. */
  private readonly contentsRead = new Map<string, { version: string; content: string }>();
  /** By what was asked for: the last answer, and the sums of the rows then. */
  private readonly latest = new Map<string, { sums: string; contents: Map<string, string> }>();

  private constructor(
    private readonly app: TestApp,
    private readonly tables: readonly Table[],
  ) {}

  static async of(app: TestApp): Promise<RowPlaces> {
    // the views of information_schema take a second
    const { rows } = await app.sql.query<Table>(
      `SELECT c.relname AS name, array_agg(a.attname::text) AS columns,
         COALESCE(array_agg(a.attname::text) FILTER (WHERE a.atttypid = 'bytea'::regtype), '{}') AS binary,
         bool_or(a.attname = 'id' AND a.atttypid = 'uuid'::regtype) AS "hasId"
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
       GROUP BY c.oid, c.relname HAVING bool_or(a.attname = 'organization_id') ORDER BY c.relname`,
    );
    return new RowPlaces(app, rows);
  }

  /** Which of these texts are ids of rows that the viewer must not see, whatever their table. */
  async hidden(texts: readonly string[], { organizationId, projectId, mode }: Viewer): Promise<Set<string>> {
    const selects = this.tables.flatMap(({ name, columns, hasId }) => {
      if (!hasId) return [];
      const project = name === 'projects' ? 'id' : columns.includes('project_id') ? 'project_id' : 'NULL';
      return `SELECT id, organization_id, ${project}::uuid AS project_id, ${columns.includes('mode') ? 'mode' : 'NULL'} AS mode
        FROM "${name}" WHERE id = ANY($1::uuid[])`;
    });
    const rows = await this.read<{ id: string }>(
      `SELECT id FROM (${selects.join(' UNION ALL ')}) r WHERE organization_id <> $2 OR project_id <> $3 OR mode <> $4`,
      [texts.filter((text) => UUID.test(text)), organizationId, projectId, mode],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Makes the rows of a place older than all others of their tables; those of an organization, a project or a mode. */
  async dateBack(tables: readonly string[], { organizationId, projectId, mode }: Viewer): Promise<void> {
    const updates = this.tables.flatMap(({ name, columns }) => {
      const needed = ['created_at', ...(projectId === null ? [] : ['project_id']), ...(mode === null ? [] : ['mode'])];
      if (!tables.includes(name) || !needed.every((column) => columns.includes(column))) return [];
      return `UPDATE "${name}" SET created_at = (SELECT min(created_at) FROM "${name}") - interval '1 minute'
        WHERE organization_id = '${organizationId}'${projectId === null ? '' : ` AND project_id = '${projectId}'`}
          ${mode === null ? '' : `AND mode = '${mode}'`}`;
    });
    if (updates.length === 0) return;
    // one transaction; rows of some tables are never changed
    await this.app.sql.query(['SET LOCAL session_replication_role = replica', ...updates].join(';'));
  }

  /** The rows of some organizations that the viewer must not see: what they contain, by table and id. */
  async contents(tables: readonly string[], organizationIds: readonly string[], viewer: Viewer): Promise<Map<string, string>> {
    const asked = JSON.stringify([tables, organizationIds, viewer]);
    const sums = await this.sumsOf(tables, organizationIds, viewer);
    const latest = this.latest.get(asked);
    if (latest?.sums === sums) return latest.contents;
    const contents = await this.contentsNow(tables, organizationIds, viewer);
    // with sums of before: what changed meanwhile is read the next time
    this.latest.set(asked, { sums, contents });
    return contents;
  }

  private async contentsNow(tables: readonly string[], organizationIds: readonly string[], viewer: Viewer): Promise<Map<string, string>> {
    const found = await this.hiddenRows(tables, organizationIds, viewer);
    const isRead = ({ row, version }: Row) => this.contentsRead.get(row)?.version === version;
    const unread = found.filter((one) => !isRead(one)).map(({ row }) => row.split(' ')[1]);
    const rest = unread.length === 0 ? [] : await this.hiddenRows(tables, organizationIds, viewer, unread);
    for (const { row, version, content } of rest) this.contentsRead.set(row, { version, content });
    return new Map(found.flatMap(({ row }) => (this.contentsRead.has(row) ? [[row, this.contentsRead.get(row)!.content]] : [])));
  }

  /** Differs after each write of one of the rows. Most writes change none, and to read them all takes several times as long. */
  private async sumsOf(tables: readonly string[], organizationIds: readonly string[], viewer: Viewer): Promise<string> {
    const select = ({ name }: Table, hidden: string) =>
      `SELECT '${name}' AS name, count(*) AS rows, sum(hashtextextended(r.id::text, r.xmin::text::bigint))::text AS sum
       FROM "${name}" r WHERE ${hidden}`;
    return JSON.stringify(await this.ofHidden(tables, organizationIds, viewer, select, `'', 0, ''`));
  }

  /** Only the rows with `ids` with their content, which takes several times as long as their version. */
  private hiddenRows(
    tables: readonly string[],
    organizationIds: readonly string[],
    viewer: Viewer,
    ids?: readonly string[],
  ): Promise<Row[]> {
    const select = (table: Table, hidden: string) => {
      const content = ids ? `md5(${rowOf(table, (column) => `md5(${column})`)}::text)` : `''`;
      return `SELECT '${table.name} ' || r.id AS row, r.xmin::text AS version, ${content} AS content FROM "${table.name}" r
        WHERE ${hidden}${ids ? ' AND r.id = ANY($5)' : ''}`;
    };
    return this.ofHidden(tables, organizationIds, viewer, select, `'', '', ''`, ids);
  }

  /** What `select` reads of each table, by the condition for the rows that the viewer must not see; `none` are values of its columns. */
  private async ofHidden<R extends object>(
    tables: readonly string[],
    organizationIds: readonly string[],
    { organizationId, projectId, mode }: Viewer,
    select: (table: Table, hidden: string) => string,
    none: string,
    ids?: readonly string[],
  ): Promise<R[]> {
    const selects = this.tables
      .filter(({ name, hasId }) => hasId && tables.includes(name))
      .map((table) => {
        const ofProject = table.columns.includes('project_id') ? ' OR r.project_id <> $3' : '';
        const ofMode = table.columns.includes('mode') ? ' OR r.mode <> $4' : '';
        return select(table, `r.organization_id = ANY($1) AND (r.organization_id <> $2${ofProject}${ofMode})`);
      });
    if (selects.length === 0) return [];
    // a parameter that no table needs has no type otherwise
    const typed = `SELECT ${none} WHERE $3::uuid IS NULL AND $4::text IS NULL AND FALSE`;
    const values = [organizationIds, organizationId, projectId, mode, ...(ids ? [ids] : [])];
    return this.read<R>([...selects, typed].join(' UNION ALL '), values);
  }

  /** Prepares the statement, because planning one of all tables takes longer than running it. */
  private async read<R extends object>(text: string, values: unknown[]): Promise<R[]> {
    return (await this.app.sql.query<R>({ name: hash('md5', text), text, values })).rows;
  }

  /** By table: how many rows of the organization it has. */
  async counts(tables: readonly string[], organizationId: string): Promise<Map<string, number>> {
    const selects = this.tables
      .filter(({ name }) => tables.includes(name))
      .map(({ name }) => `SELECT '${name}' AS name, count(*)::int AS n FROM "${name}" WHERE organization_id = $1`);
    if (selects.length === 0) return new Map();
    const { rows } = await this.app.sql.query<{ name: string; n: number }>(selects.join(' UNION ALL '), [organizationId]);
    return new Map(rows.map(({ name, n }) => [name, n]));
  }

  /** Of each type, the organization's first event whose row is of another project than the event, or of one where the event names none. */
  async eventsPastProject(organizationId: string): Promise<{ type: string; project: string; named: string | null }[]> {
    const selects = this.tables
      .filter(({ columns, hasId }) => hasId && columns.includes('project_id'))
      .map(({ name }) => `SELECT id, project_id FROM "${name}" WHERE organization_id = $1`);
    // the body tells the project at the time, also of a row that is deleted
    const { rows } = await this.app.sql.query<{
      type: string;
      project: string;
      named: string | null;
    }>(
      // materialized, or each pair of an event and a row reads the body again
      `WITH events AS MATERIALIZED (
         SELECT sequence, type, project_id AS named, object ->> 'id' AS id, (object ->> 'project_id')::uuid AS project
         FROM (
           SELECT sequence, type, project_id, body::jsonb #> '{data,object}' AS object FROM outbox_events WHERE organization_id = $1
         ) bodies
       ), places AS MATERIALIZED (SELECT id::text, project_id FROM (${selects.join(' UNION ALL ')}) ids)
       SELECT DISTINCT ON (type) type, project, named FROM (
         SELECT sequence, type, named, COALESCE(project, project_id) AS project FROM events LEFT JOIN places USING (id)
       ) found WHERE project IS NOT NULL AND project IS DISTINCT FROM named ORDER BY type, sequence`,
      [organizationId],
    );
    return rows;
  }

  /** The viewer's rows, as texts, of the tables whose rows have the organization, project or mode that hides those of the location. */
  async textsHiddenFrom(tables: readonly string[], location: Elsewhere, { organizationId, projectId, mode }: Viewer): Promise<Found[]> {
    const needed = location === 'another project' ? 'project_id' : location === 'the other mode' ? 'mode' : 'organization_id';
    const selects = this.tables.flatMap((table) => {
      const { name, columns } = table;
      if (!tables.includes(name) || !columns.includes(needed)) return [];
      const ofProject = projectId === null ? '' : ` AND r.project_id = '${projectId}'`;
      const ofMode = mode === null || !columns.includes('mode') ? '' : ` AND r.mode = '${mode}'`;
      const text = `${rowOf(table)}::text AS text`;
      return `SELECT '${name}' AS "table", ${text} FROM "${name}" r WHERE r.organization_id = $1${ofProject}${ofMode}`;
    });
    if (selects.length === 0) return [];
    return (await this.app.sql.query<Found>(selects.join(' UNION ALL '), [organizationId])).rows;
  }

  /** How many jobs of the organizations wait to run now, or run. */
  async dueJobs(organizationIds: readonly string[]): Promise<number> {
    const { rows } = await this.app.sql.query<{ due: number }>(
      `SELECT count(*)::int AS due FROM jobs WHERE organization_id = ANY($1) AND status = 'due' AND attempts <= 1 AND due_at <= now()`,
      [organizationIds],
    );
    return rows[0].due;
  }

  /** The tables in which rows of the viewer contain one of the ids. */
  async containing(ids: ReadonlySet<string>, tables: readonly string[], { organizationId, projectId, mode }: Viewer): Promise<Found[]> {
    const selects = this.tables.flatMap((table) => {
      const { name, columns } = table;
      if (!tables.includes(name) || (projectId !== null && !columns.includes('project_id'))) return [];
      const ofProject = columns.includes('project_id') ? ' AND ($2::uuid IS NULL OR r.project_id = $2)' : '';
      const ofMode = columns.includes('mode') ? ' AND ($3::text IS NULL OR r.mode = $3)' : '';
      const text = `${rowOf(table)}::text AS text`;
      return `SELECT '${name}' AS "table", ${text} FROM "${name}" r WHERE r.organization_id = $1${ofProject}${ofMode}`;
    });
    if (selects.length === 0) return [];
    // a parameter that no table needs has no type otherwise
    const typed = `SELECT '', '' WHERE $2::uuid IS NULL AND $3::text IS NULL`;
    const rows = await this.read<Found>([...selects, typed].join(' UNION ALL '), [organizationId, projectId, mode]);
    const found = new Map<string, Found>();
    for (const { table, text } of rows)
      for (const id of text.match(UUIDS) ?? []) if (ids.has(id)) found.set(`${table} ${id}`, { table, text: id });
    return [...found.values()];
  }
}

interface Table {
  name: string;
  columns: string[];
  /** Those of type bytea. */
  binary: string[];
  hasId: boolean;
}

/** The row `r` of a table. PostgreSQL writes bytes as digits, which contain no id and no text, so those of a file only cost time. */
function rowOf({ columns, binary }: Table, ofBytes?: (column: string) => string): string {
  if (binary.length === 0) return 'r';
  const others = columns.filter((column) => !binary.includes(column)).map((column) => `r."${column}"`);
  return `ROW(${[...others, ...(ofBytes ? binary.map((column) => ofBytes(`r."${column}"`)) : [])].join()})`;
}

interface Row {
  /** Table and id. */
  row: string;
  /** Differs after each write of the row. */
  version: string;
  content: string;
}

interface Found {
  table: string;
  text: string;
}
