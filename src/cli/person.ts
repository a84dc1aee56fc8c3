import type { INestApplicationContext } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PersonErasures, type PersonReport } from '../platform/organization-data/people/person-erasures.js';
import { systemContext } from '../platform/persistence/transactions/call-context.js';
import { withApplication } from './cli-context.js';
import { runCommand, type Commands, type Given } from './command-line.js';
import { findOrganization } from './lookups.js';

const USAGE = `People, for operators.

  work-suite person erase guest@example.com --dry-run
  work-suite person erase guest@example.com

erase <e-mail>
  --organization <name or id>  needed when there are several
  --dry-run                    reports what would be erased, and changes nothing
  --json

Erases what all modules store about the person, and reports what must stay and why, and where the address or name is still found.`;

const COMMANDS = {
  erase: {
    options: { organization: { type: 'string' }, 'dry-run': { type: 'boolean' }, json: { type: 'boolean' } },
    words: ['e-mail address'],
    run: (given) => withApplication((services) => erase(services, given)),
  },
} satisfies Commands;

/** Runs the command that the arguments name. */
export function run(args: readonly string[]): Promise<void> {
  return runCommand(COMMANDS, USAGE, args);
}

async function erase(services: INestApplicationContext, given: Given): Promise<void> {
  const { id } = await findOrganization(services.get(DataSource), given.text('organization'));
  const erasures = services.get(PersonErasures, { strict: false });
  const report = await erasures.erase(systemContext(id, 'live'), given.required('e-mail address'), given.flag('dry-run'));
  console.log(given.flag('json') ? JSON.stringify(report, null, 2) : textOf(report));
}

function textOf({ dry_run, rows, mentions }: PersonReport): string {
  const lines = rows.flatMap(({ module, title, erased, kept, why }) => [
    ...(erased > 0 ? [`${module ?? 'platform'}: ${erased} ${title} ${dry_run ? 'would be erased' : 'erased'}`] : []),
    ...(kept > 0 ? [`${module ?? 'platform'}: ${kept} ${title} kept. ${why ?? ''}`] : []),
  ]);
  const left = mentions.map(({ table, rows: found, ids, why }) => {
    const more = found > ids.length ? [`and ${found - ids.length} more`] : [];
    const named = ids.length > 0 ? ` ${[...ids, ...more].join(', ')}` : '';
    return `still found in ${found} rows of ${table}. ${why ?? 'Look at them.'}${named}`;
  });
  return lines.length + left.length === 0 ? 'Nothing is stored about this person.' : [...lines, ...left].join('\n');
}
