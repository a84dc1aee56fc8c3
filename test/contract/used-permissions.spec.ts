import { describe, expect, test } from '@jest/globals';
import { manifestOf } from '../../src/kit/internal.js';
import { MODULES } from '../../src/modules.js';
import { PLATFORM_DECLARATIONS } from '../../src/platform/platform-declarations.js';
import { PermissionRegistry } from '../../src/platform/registry/permission-registry.js';
import { productFiles, textOf } from './source-files.js';
import { usedPermissions } from './used-permissions.js';

const declared = new PermissionRegistry([
  { name: 'platform', title: 'Platform', permissions: PLATFORM_DECLARATIONS.permissions },
  ...MODULES.map(manifestOf),
]);

/** A key's page of a route requires what manifests declare for their keys. */
const STANDS_FOR_OTHERS = /^keys:\w+$/;

test('the permissions that code requires or finds members by are declared, also those that no route names', () => {
  const used = productFiles().flatMap((path) => usedPermissions(path, textOf));
  const problems = used
    .filter(({ name }) => !STANDS_FOR_OTHERS.test(name) && !declared.has(name))
    .map(({ name, at }) => `${at}: ${declared.undeclared(name)}`);
  expect(problems).toEqual([]);
  expect(new Set(used.map(({ name }) => name)).size).toBeGreaterThan(35);
});

describe('a misspelt permission is found', () => {
  const constant = `export const DECIDE = 'lamps.lamp.dimm';`;
  const found = (text: string) =>
    usedPermissions('src/modules/lamps/planted.ts', (path) => (path.endsWith('/constant.ts') ? constant : text)).map(({ name }) => name);

  test.each([
    `if (ctx.permissions.has('lamps.lamp.dimm')) return;`,
    `const may = ({ permissions }: Ctx) => permissions.has(isOwn ? 'lamps.lamp.dimm' : 'lamps.lamp.dimm');`,
    `const { permissions: held } = ctx;\nconst may = held.has('lamps.lamp.dimm');`,
    `const held = ctx.permissions;\nconst DECIDE = 'lamps.lamp.dimm';\nconst may = held.has(DECIDE);`,
    `const may = ({ permissions: held }: Ctx) => [...held].includes('lamps.lamp.dimm');`,
    `const may = ctx['permissions'].has('lamps.lamp.dimm');`,
    `const DECIDE = 'lamps.lamp.dimm' as const;\nconst may = ctx.permissions.has(DECIDE);`,
    `import { DECIDE as MAY } from './constant.js';\nconst may = ctx.permissions.has(MAY);`,
    `const approvers = await this.members.withPermission(ctx, 'lamps.lamp.dimm');`,
    `const rows = sql\`SELECT 1 WHERE \${memberMay('r', 'approver_id', 'lamps.lamp.dimm')}\`;`,
    `await this.mails.queue(tx, { to, subject, text, permission: 'lamps.lamp.dimm' });`,
    `const ACCESS = { scope: 'lamps:lamp:write', permission: 'lamps.lamp.dimm' };`,
    `const shown = visit.can(['lamps.lamp.dimm']);`,
  ])('in: %s', (text) => expect([...new Set(found(text))]).toEqual(['lamps.lamp.dimm']));
});
