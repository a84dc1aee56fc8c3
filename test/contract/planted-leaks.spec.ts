import { beforeAll, expect, it } from '@jest/globals';
import { ownLeakyApp } from '../harness/fixtures/fixture-apps.js';
import { copyFaults } from './module/module-copies.js';
import { listed } from './module/module-isolation.js';
import { deletionFaults } from './module/module-deletions.js';
import { dryRunFaults } from './module/module-dry-runs.js';
import { gapFaults } from './module/module-gaps.js';
import { eventFaults, eventProjectFaults } from './module/module-events.js';
import { foreignValueFaults } from './module/module-values.js';
import { memberFaults, openRoutes, readerWrites } from './module/module-members.js';
import { ModuleContext } from './module/module-context.js';
import { SampleFile } from './module/module-samples.js';
import { memberCallFaults } from './module/module-member-calls.js';
import { createdElsewhere, expectProject } from './module/module-projects.js';
import { nextPageFaults } from './module/module-validation.js';
import { writeFaults } from './module/module-writes.js';
import { visibilityFaults } from './module/module-visibility.js';

// Proves that describeModule finds what leaky.fixture.ts does wrong.

const app = await ownLeakyApp();
const module = await app.inside<typeof import('./module/read-module.js')>('test/contract/module/read-module.ts').readModule('vans');
let world: ModuleContext;

const create = () =>
  ModuleContext.create(app, module, {
    changedByJobs: ['van_labels_fixture'],
    samples: {
      create_van: ({ project, unique }) => ({ project_id: project.id, plate: unique() }),
      register_van: ({ project, unique }) => ({ project_id: project.id, plate: unique() }),
      tow_van: async ({ client, project, unique }) => {
        const van = await client.post('/api/v1/ext/vans/vans', { project_id: project.id, plate: `To tow ${unique()}` });
        return { van_id: van.body.id as string };
      },
      create_van_label: ({ project, unique }) => ({ project_id: project.id, code: unique(), badge: unique() }),
      create_van_trip: async ({ client, project, unique }) => {
        const van = await client.post('/api/v1/ext/vans/vans', { project_id: project.id, plate: unique() });
        return { project_id: project.id, code: unique(), van_id: van.body.id as string, van_ids: [van.body.id as string] };
      },
      update_van_trip: ({ unique }) => ({ code: unique() }),
      import_van_trips: ({ project, unique }) => ({ project_id: project.id, body: new SampleFile('text/csv', `code\n${unique()}\n`) }),
      import_vans: async ({ client, project, unique }) => {
        const van = await client.post('/api/v1/ext/vans/vans', { project_id: project.id, plate: unique() });
        return { body: new SampleFile('text/csv', `van_id,code\n${van.body.id},A1\n`) };
      },
    },
    resources: {
      '/live-vans/{id}': {
        make: async ({ client, project, unique }) => {
          const van = await client.post('/api/v1/ext/vans/vans', { project_id: project.id, plate: unique() });
          return van.body.id as string;
        },
      },
    },
  });

beforeAll(async () => void (world = await create()));

it('finds reads that show rows of others, or keep those of one caller for another', async () => {
  const faults = (await visibilityFaults(module, world)).map((fault) => fault.split(': ')[0].replace(/[\da-f-]{36}/, 'ID'));
  const others = ['another project', 'another organization', 'the other mode'] as const;
  const shownTo = (operation: string, who: string, places: readonly string[]) =>
    places.map((place) => `${operation} shows ${who} something of ${place}`);
  const toBoth = (operation: string) => [
    ...shownTo(operation, 'a pinned key', others),
    ...shownTo(operation, 'an organization-wide key', others.slice(1)),
    ...shownTo(operation, 'a key of test mode', ['the live mode']),
  ];
  expect(faults.sort()).toEqual(
    [
      ...toBoth('get_van_headers'),
      ...toBoth('report_all_vans'),
      ...shownTo('report_org_all_vans', 'a member', others.slice(1)),
      ...shownTo('report_vans_of_modes', 'a pinned key', ['the other mode']),
      ...shownTo('report_vans_of_modes', 'an organization-wide key', ['the other mode']),
      ...shownTo('report_vans_of_modes', 'a key of test mode', ['the live mode']),
      ...shownTo('report_vans_past_pin', 'a pinned key', ['another project']),
      'list_remembered_vans keeps what it showed a pinned key for another organization',
      'list_remembered_vans keeps what it showed an organization-wide key for another organization',
      ...['a pinned key', 'an organization-wide key'].map(
        (who) => `tally_van_trips shows ${who} the same as another organization, whatever rows they have`,
      ),
      'sum_van_trips shows an organization-wide key the same after rows of every POST were made',
      'sum_fresh_van_trips shows a pinned key something of another project',
      ...['count_archived_van_trips', 'count_closed_van_trips'].flatMap((operation) => [
        ...shownTo(operation, 'a pinned key', others),
        ...shownTo(operation, 'an organization-wide key', others.slice(1)),
      ]),
      ...shownTo('find_vans with project_id=ID', 'a pinned key', ['others']),
      ...shownTo('find_vans with project_id=ID', 'an organization-wide key', ['others']),
      ...shownTo('count_vans with include=all', 'a pinned key', ['others']),
      ...shownTo('count_vans with include=all', 'an organization-wide key', ['others']),
      ...shownTo('find_vans with project_id=ID', 'a key of test mode', ['the live mode']),
      ...shownTo('count_vans with include=all', 'a key of test mode', ['the live mode']),
      ...shownTo('count_vans with everywhere=true', 'a pinned key', ['others']),
      ...shownTo('count_vans with with_locked=true', 'a pinned key', ['others']),
      ...shownTo('count_live_vans', 'a key of test mode', ['the live mode']),
      'describeModule needs samples.get_live_van for a valid call of it by a key of test mode, who gets',
      ...toBoth('get_first_van'),
      ...shownTo('preview_vans with preview=live', 'a key of test mode', ['the live mode']),
      ...shownTo('show_vans with include=everyone', 'a pinned key', ['others']),
      ...shownTo('list_org_van_yards', 'a member', ['another organization']),
      'describeModule needs samples.create_org_van_gate for a valid call of it',
    ].sort(),
  );
});

it('finds answers to writes that show rows of others, if only with an optional field', async () => {
  expect((await writeFaults(module, world)).map((fault) => fault.split(': ')[0])).toEqual([
    'search_vans with include "all" depends on rows elsewhere',
    'greet_van shows a row elsewhere',
    'update_van_trip of a row in another state shows a row elsewhere',
    'create_van shows another organization with the same plate a row of this one',
  ]);
});

it('finds routes for members only that reach another organization', async () => {
  expect((await memberCallFaults(module, world)).map((fault) => fault.split(': ')[0].replace(/[\da-f-]{36}/, 'ID'))).toEqual([
    'describeModule needs samples.create_org_van_gate for a valid call of it',
    'search_org_van_yards shows a row of another organization',
    'get_org_van_yard treats {id} of another organization unlike an absent one',
    'park_org_van treats project_id of another organization unlike an absent one',
    'van_labels_fixture keeps the id of a row of another organization',
    'van_yards_fixture keeps the id of a row of another organization',
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

it('finds writes that a scope or a permission to read allows', () => {
  const reasons = Object.fromEntries(
    ['park_org_van', 'choose_org_van', 'create_org_van_yard', 'create_org_van_gate'].map((operation) => [operation, 'It is a fixture.']),
  );
  const faults = (listed: Record<string, string>) => readerWrites(module, listed).map((fault) => fault.split(';')[0]);
  expect(faults(reasons)).toEqual(['search_vans: vans:van:read allows a POST', 'search_org_van_yards: vans.van.view allows a POST']);
  const searches = { search_vans: 'It changes nothing.', search_org_van_yards: 'It changes nothing.' };
  expect(faults({ ...reasons, ...searches })).toEqual([]);
  expect(faults({ ...reasons, ...searches, create_van: 'Why not?' })).toEqual([
    'create_van is in readersMay, but no scope or permission to read allows it, it is a GET, or does not exist',
  ]);
});

it('finds events that have values of others', async () => {
  const faults = (await eventFaults(module, world)).map((fault) => fault.split(':')[0]);
  expect(faults.sort()).toEqual(
    [
      ...['another organization', 'another project', 'the other mode'].map((location) => `van.labelled has a value of ${location}`),
      'van.compared has a value of another project',
      'van.noted has the id of a row elsewhere',
      'van.towed has a value of another organization',
    ].sort(),
  );
  expect(await eventProjectFaults(world)).toEqual([
    `van.registered carries projectId null, but its row is of the project ${world.workspace.eng.id}`,
    `van_trip.changed carries projectId ${world.workspace.eng.id}, but its row is of the project ${world.workspace.ops.id}`,
  ]);
});

it('finds jobs that copy texts of others', async () => {
  expect(await copyFaults(module, world)).toEqual(
    ['another project', 'another organization', 'the other mode'].map(
      (location) => `van_labels_fixture keeps a text of a row of ${location}`,
    ),
  );
});

it('finds dry runs that write', async () => {
  const imports = module.routes.find(({ endpoint }) => endpoint.operation === 'import_vans')!;
  expect(await dryRunFaults(module, world.subject(imports))).toEqual([
    'import_vans with dry_run=true changes the number of rows of van_labels_fixture',
  ]);
});

it('finds queries, bodies and files that reach the rows of others by a value of theirs', async () => {
  const told = await foreignValueFaults(module, world);
  expect(told.join('\n')).toMatch(/van_trips_fixture keeps .* van_ids\.1 of create_van_trip/);
  const faults = told.map((fault) => fault.split(':')[0]);
  const treated = ['find_vans treats plate', 'find_vans treats q', 'import_vans treats body.0', 'plan_van_stops treats stops.0.van_id'];
  const everywhere = [...treated, 'register_van treats plate', 'tow_van treats van_id'];
  expect(new Set(faults)).toEqual(
    new Set([
      ...['another organization', 'another project', 'the other mode'].flatMap((location) => [
        ...everywhere.map((what) => `${what} of ${location} unlike an unknown one`),
        `van_labels_fixture keeps the id of a row of ${location}`,
        `van_trips_fixture keeps the id of a row of ${location}`,
        `list_van_trips treats van_id of ${location} unlike an unknown one`,
      ]),
      // by an event of another project, see above
      'outbox_events keeps the id of a row of another project',
      'import_van_trips changes rows elsewhere, of van_trips_fixture',
      'find_vans treats project_id of another organization unlike an unknown one',
      'create_van_label treats code of the other mode unlike an unknown one',
      'create_van_label treats badge of another project unlike an unknown one',
      // by a route for members, see above
      'van_yards_fixture keeps the id of a row of another organization',
    ]),
  );
});

it('finds a read that shows a row after its DELETE', async () => {
  const deletion = world.subject(module.routes.find(({ endpoint }) => endpoint.operation === 'delete_van_trip')!);
  const call = await world.call(deletion.route);
  const client = await world.keys.good();
  const faults = await deletionFaults(deletion, call, async () => expect((await deletion.send(client, call)).status).toBe(204));
  expect(faults.map((fault) => fault.split(':')[0])).toEqual(['get_van_trip shows a row after delete_van_trip removed it']);
});

it('finds pages, and projects of new rows, that are past the key', async () => {
  const [list, creation] = ['list_van_trips', 'create_van_trip'].map((operation) =>
    world.subject(module.routes.find(({ endpoint }) => endpoint.operation === operation)!),
  );
  const client = await world.keys.good();
  const page = async (query: string) => list.send(client, list.with(await world.sameCall(list.route), { query }));
  const first = await page('limit=1');
  expect(await nextPageFaults(list, first.text)).toEqual([]);
  const next = await page(`limit=1&cursor=${encodeURIComponent(first.body.next_cursor as string)}`);
  expect(await nextPageFaults(list, next.text)).not.toEqual([]);
  const created = await createdElsewhere(creation);
  expect(() => expectProject(created, world.workspace.ops.id)).toThrow(world.workspace.eng.id);
});

it('finds what no sample reaches', async () => {
  expect(gapFaults(module, world)).toEqual([]);
  // its routes are those of a module that nobody has called
  const uncalled = await app.inside<typeof import('./module/read-module.js')>('test/contract/module/read-module.ts').readModule('vans');
  const gaps = gapFaults(uncalled, world).map((fault) => fault.split(':')[0]);
  expect(gaps).toEqual(expect.arrayContaining(['list_vans', 'find_vans plate', 'create_van_trip van_id', 'plan_van_stops stops.van_id']));
});

it('tells the status, the code and the cause of an answer that stops a part of a check, and what the other parts find', async () => {
  const stopped = await create();
  const list = module.routes.find(({ endpoint }) => endpoint.operation === 'list_vans')!;
  const call = await stopped.sameCall(list);
  await app.sql.query('ALTER TABLE vans_fixture RENAME COLUMN plate TO lost');
  try {
    const cause = /\b500\b.*internal_error.*column .*plate.* does not exist/;
    await expect(listed(stopped.subject(list), await stopped.keys.good(), call)).rejects.toThrow(cause);
    const told = (await visibilityFaults(module, stopped)).join('\n');
    expect(told).toMatch(cause);
    expect(told).toMatch('list_org_van_yards shows a member something of another organization');
    for (const faultsOf of [eventFaults, foreignValueFaults, writeFaults])
      expect((await faultsOf(module, stopped)).join('\n')).toMatch(cause);
    expect((await memberFaults(module, stopped)).join('\n')).toMatch(cause);
  } finally {
    await app.sql.query('ALTER TABLE vans_fixture RENAME COLUMN lost TO plate');
  }
});
