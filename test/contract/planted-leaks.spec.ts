import { beforeAll, expect, it } from '@jest/globals';
import { ownLeakyApp } from '../harness/fixtures/fixture-apps.js';
import { foreignValueFaults } from './module/module-values.js';
import { memberFaults, openRoutes } from './module/module-members.js';
import { ModuleContext } from './module/module-context.js';
import { visibilityFaults } from './module/module-visibility.js';

// Proves that describeModule finds what leaky.fixture.ts does wrong.

const app = await ownLeakyApp();
const module = await app.inside<typeof import('./module/read-module.js')>('test/contract/module/read-module.ts').readModule('vans');
let world: ModuleContext;

beforeAll(async () => {
  world = await ModuleContext.create(app, module, {
    samples: {
      create_van: ({ project, unique }) => ({ project_id: project.id, plate: unique() }),
      register_van: ({ project, unique }) => ({ project_id: project.id, plate: unique() }),
      tow_van: async ({ client, project, unique }) => {
        const van = await client.post('/api/v1/ext/vans/vans', { project_id: project.id, plate: unique() });
        return { van_id: van.body.id as string };
      },
    },
  });
});

it('finds reports that show other organizations, the other mode, and projects besides the pin', async () => {
  const faults = (await visibilityFaults(module, world)).map((fault) => fault.split(':')[0]);
  expect(faults.sort()).toEqual([
    'get_van_headers shows a pinned key something of another organization',
    'get_van_headers shows a pinned key something of another project',
    'get_van_headers shows a pinned key something of the other mode',
    'get_van_headers shows an organization-wide key something of another organization',
    'get_van_headers shows an organization-wide key something of the other mode',
    'report_all_vans shows a pinned key something of another organization',
    'report_all_vans shows a pinned key something of another project',
    'report_all_vans shows a pinned key something of the other mode',
    'report_all_vans shows an organization-wide key something of another organization',
    'report_all_vans shows an organization-wide key something of the other mode',
    'report_org_all_vans shows a member something of another organization',
    'report_org_all_vans shows a member something of the other mode',
    'report_vans_of_modes shows a pinned key something of the other mode',
    'report_vans_of_modes shows an organization-wide key something of the other mode',
    'report_vans_past_pin shows a pinned key something of another project',
  ]);
});

it('finds routes for members without a permission', async () => {
  expect(openRoutes(module, {})).toEqual(['list_org_vans: declare a permission, or give the reason in anyMember of describeModule']);
  expect(openRoutes(module, { list_org_vans: 'They are parked outside.' })).toEqual([]);
  expect(openRoutes(module, { list_org_vans: 'They are parked outside.', report_org_all_vans: 'So are these.' })).toEqual([
    'report_org_all_vans is in anyMember, but it requires a permission, is a look-up, or does not exist',
  ]);
  expect(await memberFaults(module, world)).toEqual([]);
});

it('finds queries and bodies that reach the rows of others by a value of theirs', async () => {
  const faults = (await foreignValueFaults(module, world)).map((fault) => fault.split(':')[0]);
  expect(faults.sort()).toEqual([
    'find_vans treats plate of another organization unlike an unknown one',
    'find_vans treats plate of another project unlike an unknown one',
    'find_vans treats plate of the other mode unlike an unknown one',
    'find_vans treats project_id of another organization unlike an unknown one',
    'find_vans treats q of another organization unlike an unknown one',
    'find_vans treats q of another project unlike an unknown one',
    'find_vans treats q of the other mode unlike an unknown one',
    'register_van refuses plate of a row of another organization',
    'tow_van treats van_id of another organization unlike an unknown one',
  ]);
});
