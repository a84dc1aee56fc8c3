import { expect, it } from '@jest/globals';
import { buildCatalog } from '../catalog/tool-catalog.js';
import { fixtureDocument } from '../../../../test/mcp/fixture-openapi.js';
import type { Json } from '../protocol/protocol.js';
import { withHints } from './error-hints.js';

const [tool] = buildCatalog(fixtureDocument).tools.filter(({ name }) => name === 'update_note');
const NOT_FOUND = { code: 'not_found', message: 'There is no such resource.' };
const idsFrom = new Map([
  ['note_id', ['list_notes', 'search_notes']],
  ['lines.item_id', ['list_items']],
]);
const NUMBER = '^(?:(?:TEST|test)-)?N-[0-9]+$';
const SKU = '^[A-Z0-9-]+$';
const hinted = (error: Json, { tools = ['list_notes', 'list_items'], args = {} as Json, mode = 'live', pattern = NUMBER } = {}) => {
  const definition = {
    ...tool!.definition,
    inputSchema: { type: 'object' as const, properties: { note_id: { type: 'string', pattern } } },
  };
  const refused = { tool: { ...tool!, definition, idsFrom }, args, unknownKeys: [], visible: () => new Set(tools), mode };
  return (JSON.parse(withHints(JSON.stringify({ error }), refused)) as { error: Json }).error;
};

it('a record that is not there is told by its argument and the tools of the caller that find its ids', () => {
  expect(hinted(NOT_FOUND)).toMatchObject({ param: 'note_id', message: `${NOT_FOUND.message} Take note_id from list_notes.` });
  expect(hinted(NOT_FOUND, { tools: [] })).toMatchObject({ param: 'note_id', message: `${NOT_FOUND.message} Check note_id.` });
  const other = { ...NOT_FOUND, message: 'The document has no such page.' };
  expect(hinted(other)).toEqual(other);
});

it.each([
  ['live', 'TEST-N-1', true],
  ['live', 'N-1', false],
  ['test', 'N-1', true],
  ['test', 'TEST-N-1', false],
  ['test', '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60', false],
  ['test', 'TSHIRT-01', false, SKU],
] as [string, string, boolean, string?][])('in %s mode, %s says the mode: %j', (mode, note_id, isSaid, pattern = NUMBER) => {
  expect(String(hinted(NOT_FOUND, { mode, args: { note_id }, pattern })['message']).endsWith(`This key is in ${mode} mode.`)).toBe(isSaid);
});

it('a key of no project is told as such, whatever the words of the error', () => {
  const ofProject = (message: string, project_id: unknown, unknownKeys: string[], param = 'project_id') => {
    const refused = { tool: { ...tool!, idsFrom: new Map([['project_id', ['list_projects']]]), projectIds: ['project_id'] }, unknownKeys };
    const envelope = JSON.stringify({ error: { code: 'validation_failed', param, message } });
    const rest = { args: { project_id }, visible: () => new Set(['list_projects']), mode: 'live' };
    return (JSON.parse(withHints(envelope, { ...refused, ...rest })) as { error: Json }).error['message'];
  };
  const unknown = 'project_id has Ops2, which is the key of no project that you can use; take ids or keys from list_projects';
  expect(ofProject('project_id must be a UUID', 'Ops2', ['OPS2'])).toBe(unknown);
  expect(ofProject('project_id must contain only items that are a UUID', ['ENG', 'Ops2'], ['OPS2'])).toBe(unknown);
  expect(ofProject('project_id.1 is wrong', ['ENG', 'Ops2'], ['OPS2'], 'project_id.1')).toBe(unknown.replace('_id', '_id.1'));
  expect(ofProject('project_id must be active', 'ENG', [])).toBe('project_id must be active; take ids or keys from list_projects');
});

it('an id that is refused is told by the tools that list such ids, also inside of lists', () => {
  const message = 'lines.0.item_id must be a UUID';
  const details = [
    { param: 'lines.0.item_id', message },
    { param: 'text', message: 'text is required' },
  ];
  const told = `${message}; take ids from list_items`;
  expect(hinted({ code: 'validation_failed', param: 'lines.0.item_id', message, details })).toMatchObject({
    message: told,
    details: [{ message: told }, { message: 'text is required' }],
  });
  const several = { param: 'note_id', message: '2 records have N-1: 0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60 (ENG), ...' };
  expect(hinted(several)).toEqual(several);
});
