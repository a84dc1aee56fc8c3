import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import type { MigrationClass } from './migration-files.js';

/**
 * The statements of migrations, without running them: those that change something are only noted. Those that read run in a transaction that
 * may only read; what a migration decides from rows that it would have written itself may differ.
 */
export async function planOf(dataSource: DataSource, migrations: readonly MigrationClass[]): Promise<string> {
  const runner = dataSource.createQueryRunner();
  const ask = runner.query.bind(runner) as QueryRunner['query'];
  await ask('BEGIN READ ONLY');
  try {
    const plans: string[] = [];
    for (const Migration of migrations) plans.push(`-- ${Migration.name}\n${await statementsOf(new Migration(), runner, ask)}`);
    return plans.join('\n');
  } finally {
    await ask('ROLLBACK');
    await runner.release();
  }
}

async function statementsOf(migration: MigrationInterface, runner: QueryRunner, ask: QueryRunner['query']): Promise<string> {
  // TypeORM's own methods, such as addColumn, note their statements
  runner.enableSqlMemory();
  const noted = runner.getMemorySql().upQueries;
  runner.query = (async (query: string, parameters?: unknown[]) => {
    const rows = /^\s*(SELECT|SHOW)\b/i.test(query) ? await answer(ask, query, parameters) : undefined;
    if (rows !== undefined) return rows;
    noted.push({ query, parameters } as (typeof noted)[number]);
    return [];
  }) as QueryRunner['query'];
  let rest = '';
  try {
    await migration.up(runner);
  } catch (error) {
    rest = `-- what follows depends on the statements above: ${(error as Error).message.split('\n')[0]}\n`;
  }
  const text = noted.map(
    ({ query, parameters }) => `${dedented(query)};${parameters?.length ? ` -- ${JSON.stringify(parameters)}` : ''}\n`,
  );
  runner.disableSqlMemory();
  return text.join('') + rest;
}

/** Undefined for a SELECT that writes, or reads tables that earlier migrations of the plan would create. */
async function answer(ask: QueryRunner['query'], query: string, parameters: unknown[] | undefined): Promise<unknown> {
  await ask('SAVEPOINT asked');
  try {
    return await ask(query, parameters);
  } catch {
    await ask('ROLLBACK TO asked');
    return undefined;
  }
}

function dedented(query: string): string {
  const lines = query
    .trim()
    .split('\n')
    .map((line) => line.trimEnd());
  const indent = Math.min(...lines.slice(1).flatMap((line) => (line === '' ? [] : line.search(/\S/))), 80);
  return [lines[0], ...lines.slice(1).map((line) => line.slice(indent))].join('\n');
}
