import { expect, test } from '@jest/globals';
import { manifestOf } from '../../src/kit/internal.js';
import { MODULES } from '../../src/modules.js';
import { PLATFORM_DECLARATIONS } from '../../src/platform/platform-declarations.js';
import { permissionFaults } from './module/module-sources.js';
import { productFiles, textOf } from './source-files.js';

const declared = [PLATFORM_DECLARATIONS, ...MODULES.map(manifestOf)].flatMap(({ permissions = {} }) => Object.keys(permissions));

test('the permissions that code requires or finds members by are declared, also those that no route names', () => {
  const files = productFiles().filter((path) => !path.startsWith('src/kit/'));
  expect(
    permissionFaults(
      files.map((path) => [path, textOf(path)] as const),
      declared,
    ),
  ).toEqual([]);
});

test.each([
  `if (ctx.permissions.has('lamps.lamp.dimm')) return;`,
  `const may = ({ permissions }: Ctx) => permissions.has(isOwn ? 'lamps.lamp.dimm' : 'lamps.lamp.view');`,
  `const DECIDE = "lamps.lamp.dimm";\nconst may = held.has(DECIDE);`,
  `const approvers = await this.members.withPermission(ctx, 'lamps.lamp.dimm');`,
  `const rows = sql\`SELECT 1 WHERE \${memberMay('r', 'approver_id', 'lamps.lamp.dimm')}\`;`,
  `await this.mails.queue(tx, { to, subject, text, permission: 'lamps.lamp.dimm' });`,
])('a misspelt permission is found in: %s', (text) => {
  expect(permissionFaults([['lamp.ts', text]], ['lamps.lamp.dim', 'lamps.lamp.view'])).toEqual([
    'lamp.ts: the permission lamps.lamp.dimm, which no manifest declares; did you mean lamps.lamp.dim?',
  ]);
});

test.each([
  [
    `const DECIDE = 'lanps.lamp.dim';`,
    ['lamp.ts: the permission lanps.lamp.dim, which no manifest declares; did you mean lamps.lamp.dim?'],
  ],
  [`ctx.permissions.has('stock.item.count')`, ['lamp.ts: the permission stock.item.count, which no manifest declares']],
  [`const FIELD = 'invoice.totals.tax_amount';`, []],
])('so is one of another area, but no other name: %s', (text, faults) => {
  expect(permissionFaults([['lamp.ts', text]], ['lamps.lamp.dim', 'lamps.lamp.view'])).toEqual(faults);
});
