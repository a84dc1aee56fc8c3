import type { INestApplicationContext } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Mode } from '../kit/index.js';
import { validateBody } from '../platform/http/validation/validate-body.js';
import { ApiKeyDto, ApiKeysQuery, CreateApiKeyDto, RollApiKeyDto } from '../platform/keys/api-keys.dto.js';
import { ApiKeysService, type KeyWithSecret } from '../platform/keys/api-keys.service.js';
import { systemContext } from '../platform/persistence/transactions/call-context.js';
import { withServices } from './cli-context.js';
import { runCommand, UsageError, type Commands, type Given } from './command-line.js';
import { findMember, findOrganization, findProject, organizationOfKey } from './lookups.js';

const USAGE = `API keys, for operators.

  work-suite keys create --module tasks --scopes tasks:task:read,tasks:task:write --name "Nightly import"
  work-suite keys list
  work-suite keys roll <id> --overlap-hours 24
  work-suite keys revoke <id>

Every command takes --json. create and list take --organization <name or id>, needed when there are several.

create
  --module <name>         the module whose routes the key may call
  --scopes <a,b>          what it may do there
  --name <text>           what it is for
  --mode live|test        default: test
  --project <key or id>   binds it to a project
  --actor <e-mail>        the member it acts for in workflow actions
  --ips <cidr,cidr>       addresses it may be used from
  --expires <date>        2027-01-01, or a time with offset
  --rate-limit <number>   requests per minute
  --requires-plan         it asks before it deletes or reaches people
list
  --module <name>  --mode live|test  --status active|inactive|revoked|expired
roll
  --overlap-hours <0-24>  for how long the old secret still works; default: 0`;

const text = { type: 'string' } as const;
const shared = { json: { type: 'boolean' } } as const;

const COMMANDS = {
  create: {
    options: {
      ...shared,
      organization: text,
      module: text,
      scopes: text,
      name: text,
      mode: text,
      project: text,
      actor: text,
      ips: text,
      expires: text,
      'rate-limit': text,
      'requires-plan': { type: 'boolean' },
    },
    run: (given) => withServices((services) => create(services, given)),
  },
  list: {
    options: { ...shared, organization: text, module: text, mode: text, status: text },
    run: (given) => withServices((services) => list(services, given)),
  },
  roll: {
    options: { ...shared, 'overlap-hours': text },
    words: ['id'],
    run: (given) => withServices((services) => roll(services, given)),
  },
  revoke: { options: shared, words: ['id'], run: (given) => withServices((services) => revoke(services, given)) },
} satisfies Commands;

/** Runs the command that the arguments name. */
export function run(args: readonly string[]): Promise<void> {
  return runCommand(COMMANDS, USAGE, args);
}

async function create(services: INestApplicationContext, given: Given): Promise<void> {
  const dataSource = services.get(DataSource);
  const mode = given.text('mode') ?? 'test';
  const asked = {
    name: given.required('name'),
    module: given.required('module'),
    scopes: given.list('scopes'),
    expires_at: expiry(given.text('expires')),
    rate_limit_per_minute: given.number('rate-limit'),
    requires_plan: given.flag('requires-plan'),
  };
  const { id: organizationId } = await findOrganization(dataSource, given.text('organization'));
  const [project, actor] = [given.text('project'), given.text('actor')];
  const { value } = validateBody(CreateApiKeyDto, {
    ...asked,
    mode,
    allowed_ips: given.list('ips'),
    project_id: project === undefined ? undefined : await findProject(dataSource, organizationId, project),
    actor_user_id: actor === undefined ? undefined : await findMember(dataSource, organizationId, actor),
  });
  const made = await services.get(ApiKeysService).create(systemContext(organizationId, mode as Mode), value, 'cli');
  printSecret(made, given, 'Created');
}

async function list(services: INestApplicationContext, given: Given): Promise<void> {
  const { id } = await findOrganization(services.get(DataSource), given.text('organization'));
  const query = Object.assign(new ApiKeysQuery(), {
    limit: 100,
    module: given.list('module'),
    mode: given.list('mode'),
    status: given.list('status'),
  });
  const keys: ApiKeyDto[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await services.get(ApiKeysService).page(systemContext(id, 'live'), Object.assign(query, { cursor: cursor ?? undefined }));
    keys.push(...page.data.map(ApiKeyDto.from));
    cursor = page.next_cursor;
  }
  if (given.flag('json')) return print(keys);
  if (keys.length === 0) return console.log('There are no such keys.');
  for (const key of keys) {
    console.log(`${key.id}  ${key.prefix}...${key.last_four}  ${key.status.padEnd(8)}  ${key.module}  ${key.name}`);
    console.log(
      `  scopes ${key.scopes.join(', ')}; ${key.last_used_at ? `last used ${key.last_used_at}` : 'never used'}` +
        (key.expires_at ? `; ends ${key.expires_at}` : ''),
    );
  }
}

async function roll(services: INestApplicationContext, given: Given): Promise<void> {
  const id = given.required('id');
  const { value } = validateBody(RollApiKeyDto, { overlap_hours: given.number('overlap-hours') });
  const organizationId = await organizationOfKey(services.get(DataSource), id);
  const rolled = await services.get(ApiKeysService).roll(systemContext(organizationId, 'live'), id, value.overlap_hours ?? 0);
  printSecret(rolled, given, 'Rolled');
}

async function revoke(services: INestApplicationContext, given: Given): Promise<void> {
  const id = given.required('id');
  const organizationId = await organizationOfKey(services.get(DataSource), id);
  const key = await services.get(ApiKeysService).revoke(systemContext(organizationId, 'live'), id);
  if (given.flag('json')) return print(ApiKeyDto.from(key));
  console.log(`Revoked ${key.id} (${key.name}); the next call with it is rejected.`);
}

function expiry(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const time = new Date(given);
  if (Number.isNaN(time.getTime())) throw new UsageError(`--expires must be a date such as 2027-01-01, but it is "${given}".`);
  return time.toISOString();
}

function printSecret({ key, secret }: KeyWithSecret, given: Given, done: string): void {
  if (given.flag('json')) return print({ ...ApiKeyDto.from(key), secret });
  console.log(`${done} ${key.id} (${key.name}). The secret is shown only now:\n${secret}`);
}

function print(value: unknown): void {
  console.log(JSON.stringify(value, null, 2));
}
