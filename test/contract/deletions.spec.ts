import { expect, test } from '@jest/globals';
import { sharedApp } from '../harness/hosted-app.js';
import { contractsOf } from './module-contract.js';

const app = await sharedApp();
const { modules, routes } = await app.inside<typeof import('./declarations.js')>('test/contract/declarations.ts').declarations();

/** The platform's own deletions of configuration and access, and of what is deleted for good on purpose. */
const OF_PLATFORM = [
  'delete_api_key',
  'delete_developer_endpoint',
  'delete_role',
  'delete_session',
  'delete_webhook_endpoint',
  'end_session',
  'erase_org_deleted_record',
  'remove_second_factor',
  'reset_member_second_factor',
  'withdraw_invitation',
];
const TAKEN_BACK = /^`(\w+)`(?: makes a new one|(?: with `\w+`)?, for 30 days)$/;

test('the guide says of each deletion what takes it back, or nothing if it is declared so', async () => {
  const guide = await (await fetch(`${app.url}/docs/guides/undo.md`)).text();
  const rows = [...guide.matchAll(/^\| [^|]+ \| [^|]+: `(\w+)` \| ([^|]+) \|$/gm)].map(([, deletion, back]) => ({ deletion, back }));
  const isListed = new Set(rows.map(({ deletion }) => deletion));
  // a deletion of both keys and members is listed once
  const isMissing = ({ operation }: { operation: string | null }) =>
    !isListed.has(operation!) && !isListed.has(operation!.replace('_org_', '_'));
  const deletions = routes.filter(({ plane, method, operation }) => plane !== 'public' && method === 'DELETE' && operation !== null);
  expect(deletions.filter(isMissing)).toEqual([]);

  const final = rows.filter(({ back }) => back === 'nothing').map(({ deletion }) => deletion);
  const declared = [...(await contractsOf(modules)).values()].flatMap(({ withoutUndo = [] }) => withoutUndo);
  expect(final.sort()).toEqual([...OF_PLATFORM, ...declared].sort());

  const operations = new Set(routes.map(({ operation }) => operation));
  const wrong = rows.filter(({ back }) => back !== 'nothing' && !operations.has(TAKEN_BACK.exec(back)?.[1] ?? ''));
  expect(wrong).toEqual([]);
});
