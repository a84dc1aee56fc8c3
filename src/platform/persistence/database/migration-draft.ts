import type { DataSource } from 'typeorm';

/** The statements of a migration that brings tables to what the entities say. */
export interface MigrationDraft {
  readonly up: readonly string[];
  /** The way back, in the order in which it runs. */
  readonly down: readonly string[];
  /** What TypeORM would drop because no entity declares it, and the draft keeps. */
  readonly kept: readonly string[];
}

interface NamedStatement {
  readonly name: string;
  readonly statement: string;
}

/**
 * The difference between the entities of a data source and its database, for some of the tables. TypeORM draws it up; but it would also
 * drop each constraint and index that no entity declares, and it would replace a column whose type changes, with its data.
 */
export async function migrationDraft(dataSource: DataSource, tables: ReadonlySet<string>): Promise<MigrationDraft> {
  const { upQueries, downQueries } = await dataSource.driver.createSchemaBuilder().log();
  const indexes = await tablesOfIndexes(dataSource);
  const own = ({ query }: { query: string }) => tables.has(tableOf(query, indexes) ?? '');
  const up = upQueries.filter(own).map(({ query }) => tidy(query));
  const down = downQueries
    .filter(own)
    .map(({ query }) => tidy(query))
    .toReversed();
  const created = new Set(up.flatMap((statement) => createdBy(statement)?.name ?? []));
  const kept = up.flatMap((statement) => droppedBy(statement) ?? []).filter(({ name }) => !created.has(name));
  const names = new Set(kept.map(({ name }) => name));
  const concernsKept = (statement: string) => names.has((droppedBy(statement) ?? createdBy(statement))?.name ?? '');
  return {
    up: retyped(up.filter((statement) => !concernsKept(statement))),
    down: retyped(down.filter((statement) => !concernsKept(statement))),
    kept: kept.map(({ statement }) => statement),
  };
}

async function tablesOfIndexes(dataSource: DataSource): Promise<Map<string, string>> {
  const rows = await dataSource.query<{ indexname: string; tablename: string }[]>(
    `SELECT indexname, tablename FROM pg_indexes WHERE schemaname = 'public'`,
  );
  const existing = rows.map(({ indexname, tablename }) => [indexname, tablename] as const);
  const declared = dataSource.entityMetadatas.flatMap(({ ownIndices, tableName }) =>
    ownIndices.map(({ name }) => [name, tableName] as const),
  );
  return new Map([...existing, ...declared]);
}

const TABLE = /^(?:CREATE|ALTER|DROP) TABLE "(\w+)"|^CREATE (?:UNIQUE )?INDEX "\w+" ON "(\w+)"|^COMMENT ON (?:TABLE|COLUMN) "(\w+)"/;

function tableOf(query: string, indexes: ReadonlyMap<string, string>): string | undefined {
  const [, ...found] = TABLE.exec(query) ?? [];
  const [, index] = /^DROP INDEX "public"\."(\w+)"/.exec(query) ?? [];
  return found.find(Boolean) ?? (index === undefined ? undefined : indexes.get(index));
}

function droppedBy(statement: string): NamedStatement | undefined {
  const [, index, constraint] = /^DROP INDEX "public"\."(\w+)"|^ALTER TABLE "\w+" DROP CONSTRAINT "(\w+)"/.exec(statement) ?? [];
  const name = index ?? constraint;
  return name === undefined ? undefined : { name, statement };
}

function createdBy(statement: string): NamedStatement | undefined {
  const [, index, constraint] = /^CREATE (?:UNIQUE )?INDEX "(\w+)"|^ALTER TABLE "\w+" ADD CONSTRAINT "(\w+)"/.exec(statement) ?? [];
  const name = index ?? constraint;
  return name === undefined ? undefined : { name, statement };
}

/** What PostgreSQL does by itself is left out, and so are names that TypeORM makes of hashes. */
function tidy(query: string): string {
  return query
    .replace(/ ON DELETE NO ACTION(?= |$)/, '')
    .replace(/ ON UPDATE NO ACTION(?= |$)/, '')
    .replace(/CONSTRAINT "PK_[0-9a-f]+" (?=PRIMARY KEY)/, '')
    .replace(/(?<=ON "\w+")  (?=\()/, ' ')
    .trimEnd();
}

/** A column that is dropped and added with another type is changed instead: its values are converted, and what refers to it stays. */
function retyped(statements: readonly string[]): string[] {
  const result = [...statements];
  for (const dropped of statements) {
    const [, table, column] = /^ALTER TABLE "(\w+)" DROP COLUMN "(\w+)"$/.exec(dropped) ?? [];
    if (table === undefined || column === undefined) continue;
    const head = `ALTER TABLE "${table}" ADD "${column}" `;
    const added = statements.find((statement) => statement.startsWith(head));
    if (added === undefined) continue;
    const { type = '', rest = '' } = /^(?<type>.+?)(?<rest>(?: NOT NULL| DEFAULT .+)*)$/.exec(added.slice(head.length))?.groups ?? {};
    const value = /DEFAULT (.+)$/.exec(rest)?.[1];
    const alter = `ALTER TABLE "${table}" ALTER COLUMN "${column}"`;
    result.splice(result.indexOf(dropped), 1);
    result.splice(
      result.indexOf(added),
      1,
      `${alter} DROP DEFAULT`,
      `${alter} TYPE ${type} USING "${column}"::${type}`,
      ...(value === undefined ? [] : [`${alter} SET DEFAULT ${value}`]),
      `${alter} ${rest.includes('NOT NULL') ? 'SET' : 'DROP'} NOT NULL`,
    );
  }
  return result;
}

/** The text of the migration's file. */
export function migrationText(className: string, { up, down, kept }: MigrationDraft): string {
  const notes = kept.map((statement) => `    // kept, as no entity declares it; to drop it: ${statement}\n`).join('');
  return `import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ${className} implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
${up.map(runs).join('')}${notes}  }

  async down(queryRunner: QueryRunner): Promise<void> {
${down.map(runs).join('')}  }
}
`;
}

const LONGEST_LINE = 90;

function runs(statement: string): string {
  const text = statement.length > LONGEST_LINE ? inLines(statement) : statement;
  return `    await queryRunner.query(\`${text.replace(/[`\\]|\$\{/g, '\\$&')}\`);\n`;
}

/** Breaks at the outermost list: the columns of a table, the columns of a key. */
function inLines(statement: string): string {
  const [, head, list, tail] = /^(CREATE TABLE "\w+") \(([^]*)\)(.*)$/.exec(statement) ?? [];
  if (head !== undefined && list !== undefined) {
    const parts = outerParts(list).map((part) => `        ${part.trim()}`);
    return `\n      ${head} (\n${parts.join(',\n')}\n      )${tail}`;
  }
  return `\n      ${statement.replace(/ (?=ADD CONSTRAINT |REFERENCES |ON "\w+" \()/g, '\n        ')}`;
}

function outerParts(list: string): string[] {
  const parts = [''];
  let depth = 0;
  let isQuoted = false;
  for (const char of list) {
    if (char === `'`) isQuoted = !isQuoted;
    if (!isQuoted && char === '(') depth++;
    if (!isQuoted && char === ')') depth--;
    if (char === ',' && depth === 0 && !isQuoted) parts.push('');
    else parts[parts.length - 1] += char;
  }
  return parts;
}
