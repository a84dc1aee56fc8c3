import { describe, expect, test } from '@jest/globals';
import { PermissionRegistry } from '../../platform/registry/permission-registry.js';
import type { PageDefinition } from './page-definition.js';
import { checkPages } from './page-table.js';

const permissions = new PermissionRegistry([
  { name: 'lamps', title: 'Lamps', permissions: { 'lamps.lamp.view': { title: 'See lamps', roles: [] } } },
]);
const page = (path: string, parts: Partial<PageDefinition> = {}): PageDefinition => ({
  path,
  title: path,
  permission: null,
  operations: [],
  show: () => ({ title: path, body: null as never }),
  ...parts,
});

describe('pages', () => {
  test('require permissions that a manifest declares, also in their forms', () => {
    expect(() => checkPages([page('/lamps', { permission: ['lamps.lamp.view'] })], permissions)).not.toThrow();
    expect(() => checkPages([page('/lamps', { permission: 'lamps.lamp.veiw' })], permissions)).toThrow(
      'the page /console/lamps requires the permission lamps.lamp.veiw, which no manifest declares; did you mean lamps.lamp.view?',
    );
    const actions = { dim: { permission: 'lamps.dim', operations: [], refusal: '', run: () => Promise.reject(new Error('never')) } };
    expect(() => checkPages([page('/lamps', { actions })], permissions)).toThrow('/console/lamps requires the permission lamps.dim');
  });

  test('have paths of their own, and are made with definePage', () => {
    expect(() => checkPages([page('/lamps'), page('/about'), page('/lamps')], permissions)).toThrow('two pages are at /console/lamps');
    const bare = { path: '/bare', title: 'Bare' } as PageDefinition;
    expect(() => checkPages([bare], permissions)).toThrow('/console/bare is not made with definePage');
  });
});
