import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Test, type TestingModule } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { Settings } from '../../src/kit/index.js';
import { NOTES_TABLE, NotesModule, NotesService } from '../harness/fixtures/notes.fixture.js';
import { SuiteTestingModule, TestOrganizations, type TestOrganization } from '../harness/testing-module.js';

let suite: TestingModule;
let organization: TestOrganization;
beforeAll(async () => {
  suite = await Test.createTestingModule({ imports: [SuiteTestingModule.forTest(NotesModule), NotesModule] })
    .overrideProvider(Settings)
    .useValue({ environment: 'production' })
    .compile();
  await suite.get(DataSource).query(NOTES_TABLE);
  organization = await suite.get(TestOrganizations).create();
});
afterAll(() => suite.close());

test("a module's service works on the database, in the project, mode and organization of its caller", async () => {
  const notes = suite.get(NotesService, { strict: false });
  const { ctx, eng, ops } = organization;
  const note = await notes.create(ctx({ project: eng }), { title: 'Milk' });
  expect(note).toMatchObject({ title: 'Milk', project_id: eng.id, mode: 'live', organization_id: organization.organizationId });
  expect(await notes.update(ctx(), note.id, { title: 'Bread' })).toMatchObject({ title: 'Bread', version: 2 });
  const other = await suite.get(TestOrganizations).create();
  for (const stranger of [ctx({ project: ops }), ctx({ mode: 'test' }), other.ctx()])
    await expect(notes.update(stranger, note.id, { title: 'Theft' })).rejects.toMatchObject({ spec: { code: 'not_found' } });
});

test('events are written with the change, and providers can be replaced', async () => {
  const events = await suite
    .get(DataSource)
    .query<{ type: string }[]>('SELECT type FROM outbox_events WHERE organization_id = $1', [organization.organizationId]);
  expect(events.map(({ type }) => type)).toContain('note.created');
  expect(suite.get(Settings, { strict: false }).environment).toBe('production');
});
