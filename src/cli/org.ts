import { randomBytes } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { pickOf } from '../kit/index.js';
import { validateBody } from '../platform/http/validation/validate-body.js';
import { CreateOrgMemberDto } from '../platform/people/members/members.dto.js';
import { OrganizationsService } from '../platform/people/organizations/organizations.service.js';
import { withServices } from './cli-context.js';
import { runCommand, UsageError, type Given } from './command-line.js';

const USAGE = `Organizations, for operators.

  npm run org -- create --name "Acme" --owner-email ada@example.com --owner-name "Ada Lovelace"

create
  --name <text>           name of the organization
  --owner-email <e-mail>  the first owner, who signs in with it
  --owner-name <text>     their name
  --password <text>       their password; made and shown once when left out
  --json                  prints JSON`;

const text = { type: 'string' } as const;

class OwnerDto extends pickOf(CreateOrgMemberDto, ['email', 'name', 'password']) {}

await runCommand(
  {
    create: {
      options: { name: text, 'owner-email': text, 'owner-name': text, password: text, json: { type: 'boolean' } },
      run: (given) => withServices((services) => create(services, given)),
    },
  },
  USAGE,
  process.argv.slice(2),
);

async function create(services: INestApplicationContext, given: Given): Promise<void> {
  const name = given.required('name').trim();
  if (name.length === 0 || name.length > 255) throw new UsageError('--name must be 1 to 255 characters long.');
  const password = given.text('password') ?? randomBytes(15).toString('base64url');
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
