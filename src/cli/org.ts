import { randomBytes } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { pickOf } from '../kit/index.js';
import { validateBody } from '../platform/http/validation/validate-body.js';
import { CreateOrgMemberDto } from '../platform/people/model/member.dto.js';
import { MembersService } from '../platform/people/members/members.service.js';
import { OrganizationsService } from '../platform/people/organizations/organizations.service.js';
import { systemContext } from '../platform/persistence/transactions/call-context.js';
import { withApplication, withServices } from './cli-context.js';
import { runCommand, UsageError, type Commands, type Given } from './command-line.js';
import { findMember, findOrganization } from './lookups.js';
import { deleteOrganization, list, reopen } from './org-closures.js';
import { exportOrganization, requireWritable } from './org-export.js';

const USAGE = `Organizations, for operators.

  work-suite org create --name "Acme" --owner-email ada@example.com --owner-name "Ada Lovelace"
  work-suite org reset-password ada@example.com
  work-suite org reset-second-factor ada@example.com
  work-suite org list
  work-suite org export <id> --out acme.tar.gz
  work-suite org delete <id> --confirm "Acme"
  work-suite org reopen <id>

create
  --name <text>           name of the organization
  --owner-email <e-mail>  the first owner, who signs in with it
  --owner-name <text>     their name
  --password <text>       their password; made and shown once when left out
reset-password <e-mail>
  --organization <name or id>  needed when there are several
  --password <text>       the new password; made and shown once when left out
reset-second-factor <e-mail>
  --organization <name or id>  needed when there are several

export <name or id>
  --out <file>  a tar.gz archive of all its rows and files, without secrets; an interrupted export is continued
delete <name or id>
  --confirm <name>  the name of the organization
  --days <number>   after which its data is erased; default: ORGANIZATION_GRACE_DAYS
  Its keys, sessions, links, webhooks, mails and jobs stop at once. Refused while a legal hold lies on anything.
reopen <name or id>
  Cancels the deletion, until the data is being erased. Members sign in again; keys and webhooks work as before.

Every command takes --json. Both resets end all sessions of the member.`;

const text = { type: 'string' } as const;

class PasswordDto extends pickOf(CreateOrgMemberDto, ['password']) {}

class OwnerDto extends pickOf(CreateOrgMemberDto, ['email', 'name', 'password']) {}

const COMMANDS = {
  create: {
    options: { name: text, 'owner-email': text, 'owner-name': text, password: text, json: { type: 'boolean' } },
    run: (given) => withServices((services) => create(services, given)),
  },
  'reset-password': {
    options: { organization: text, password: text, json: { type: 'boolean' } },
    words: ['e-mail address'],
    run: (given) => withServices((services) => resetPassword(services, given)),
  },
  'reset-second-factor': {
    options: { organization: text, json: { type: 'boolean' } },
    words: ['e-mail address'],
    run: (given) => withServices((services) => resetSecondFactor(services, given)),
  },
  list: {
    options: { json: { type: 'boolean' } },
    run: (given) => withServices((services) => list(services, given)),
  },
  export: {
    options: { out: text },
    words: ['organization'],
    run: async (given) => {
      requireWritable(given.required('out'));
      await withApplication((app) => exportOrganization(app, given));
    },
  },
  delete: {
    options: { confirm: text, days: text, json: { type: 'boolean' } },
    words: ['organization'],
    run: (given) => withServices((services) => deleteOrganization(services, given)),
  },
  reopen: {
    options: { json: { type: 'boolean' } },
    words: ['organization'],
    run: (given) => withServices((services) => reopen(services, given)),
  },
} satisfies Commands;

/** Runs the command that the arguments name. */
export function run(args: readonly string[]): Promise<void> {
  return runCommand(COMMANDS, USAGE, args);
}

async function create(services: INestApplicationContext, given: Given): Promise<void> {
  const name = given.required('name').trim();
  if (name.length === 0 || name.length > 255) throw new UsageError('--name must be 1 to 255 characters long.');
  const password = given.text('password') ?? newPassword();
  const { value: owner } = validateBody(OwnerDto, { email: given.required('owner-email'), name: given.required('owner-name'), password });
  const made = await services.get(OrganizationsService).create({ name, owner });

  const generated = given.text('password') === undefined ? password : null;
  if (given.flag('json')) {
    console.log(
      JSON.stringify(
        { organization: { id: made.organization.id, name }, owner: { id: made.owner.id, email: made.owner.email, password: generated } },
        null,
        2,
      ),
    );
    return;
  }
  console.log(`Created ${made.organization.id} (${name}) with the owner ${made.owner.email}.`);
  if (generated) console.log(`Their password is shown only now:\n${generated}`);
}

async function resetPassword(services: INestApplicationContext, given: Given): Promise<void> {
  const { value } = validateBody(PasswordDto, { password: given.text('password') ?? newPassword() });
  const { ctx, memberId } = await memberOf(services, given);
  const member = await services.get(MembersService).update(ctx, memberId, value);
  const generated = given.text('password') === undefined ? value.password : null;
  if (given.flag('json'))
    return console.log(JSON.stringify({ member: { id: member.id, email: member.email, password: generated } }, null, 2));
  console.log(`${member.email} has a new password; all their sessions were ended.`);
  if (generated) console.log(`It is shown only now:\n${generated}`);
}

async function resetSecondFactor(services: INestApplicationContext, given: Given): Promise<void> {
  const { ctx, memberId } = await memberOf(services, given);
  const { id, email } = await services.get(MembersService).resetSecondFactor(ctx, memberId);
  if (given.flag('json')) return console.log(JSON.stringify({ member: { id, email } }, null, 2));
  console.log(`${email} signs in without a second factor again; all their sessions were ended.`);
}

async function memberOf(services: INestApplicationContext, given: Given) {
  const dataSource = services.get(DataSource);
  const { id: organizationId } = await findOrganization(dataSource, given.text('organization'));
  const memberId = await findMember(dataSource, organizationId, given.required('e-mail address'));
  return { ctx: systemContext(organizationId, 'live'), memberId };
}

function newPassword(): string {
  return randomBytes(15).toString('base64url');
}
