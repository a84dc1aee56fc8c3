import type { INestApplicationContext } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ClosuresService } from '../platform/organization-data/closures/closures.service.js';
import { poolOf } from '../platform/persistence/database/pool.js';
import { systemContext } from '../platform/persistence/transactions/call-context.js';
import { suiteCommand, UsageError, type Given } from './command-line.js';
import { findOrganization } from './lookups.js';

interface ClosureRow {
  id: string;
  name: string;
  created_at: Date;
  closed_at: Date | null;
  erase_at: Date | null;
  erased_at: Date | null;
}

/** Also those that were erased, of which only the id is known. */
const LIST = `
  SELECT o.id, o.name, o.created_at, o.closed_at, o.erase_at, NULL AS erased_at FROM organizations o
  UNION ALL SELECT id, NULL, NULL, closed_at, erase_at, erased_at FROM organization_erasures WHERE erased_at IS NOT NULL
  ORDER BY id`;

export async function list(services: INestApplicationContext, given: Given): Promise<void> {
  const { rows } = await poolOf(services.get(DataSource)).query<ClosureRow>(LIST);
  if (given.flag('json')) return console.log(JSON.stringify(rows, null, 2));
  for (const row of rows) console.log(`${row.id}  ${row.name ?? '(erased)'}${stateOf(row)}`);
}

export async function deleteOrganization(services: INestApplicationContext, given: Given): Promise<void> {
  const { id, name } = await findOrganization(services.get(DataSource), given.required('organization'));
  if (given.required('confirm') !== name) throw new UsageError(`--confirm must be the name of the organization, "${name}".`);
  const closure = await services.get(ClosuresService).close(systemContext(id, 'live'), name, given.number('days'));
  if (given.flag('json')) return console.log(JSON.stringify({ organization: { id, name }, ...closure }, null, 2));
  console.log(`${name} is closed. Its data is erased at ${closure.erase_at.toISOString()}; until then, this opens it again:`);
  console.log(`${suiteCommand('org')} reopen ${id}`);
}

export async function reopen(services: INestApplicationContext, given: Given): Promise<void> {
  const { id, name } = await findOrganization(services.get(DataSource), given.required('organization'));
  const before = await services.get(ClosuresService).reopen(systemContext(id, 'live'));
  if (given.flag('json')) return console.log(JSON.stringify({ organization: { id, name }, reopened: before !== null }, null, 2));
  console.log(before === null ? `${name} is not closed.` : `${name} is open again.`);
}

function stateOf({ erased_at, erase_at }: ClosureRow): string {
  if (erased_at !== null) return ` since ${erased_at.toISOString()}`;
  return erase_at === null ? '' : `  closed, erased at ${erase_at.toISOString()}`;
}
