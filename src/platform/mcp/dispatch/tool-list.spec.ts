import { expect, it } from '@jest/globals';
import { FIXTURE_SCOPES, fixtureDocument } from '../../../../test/mcp/fixture-openapi.js';
import { buildCatalog } from '../catalog/tool-catalog.js';
import { NO_FILTER } from '../catalog/tool-filter.js';
import { Results } from './results.js';
import { ToolList } from './tool-list.js';

it('finds the tools by search if a caller sees more than 40 of several modules and does not choose otherwise', () => {
  const document = structuredClone(fixtureDocument);
  const paths = document.paths as Record<string, { get: { operationId: string } }>;
  for (let n = 0; n < 41; n++) {
    const { get } = structuredClone(paths['/api/v1/ext/notes']);
    paths[`/api/v1/ext/notes/list-${n}`] = { get: { ...get, operationId: `list_notes_${n}` } };
  }
  const list = new ToolList(buildCatalog(document), new Results({ name: 'fixture', version: '1' }));
  const auth = (scopes: readonly string[]) => ({ scopes: new Set(scopes), cacheKey: scopes.join(' ') });
  const modeOf = (scopes: readonly string[], filter = NO_FILTER) => list.withMode(auth(scopes), filter).searchMode;
  expect(modeOf(FIXTURE_SCOPES)).toBe(true);
  expect(modeOf(FIXTURE_SCOPES, { ...NO_FILTER, key: 'full', hasMode: true })).toBe(false);
  expect(modeOf(FIXTURE_SCOPES.filter((scope) => scope.startsWith('notes:')))).toBe(false);
});
