import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { Entity } from 'typeorm';
import { DomainModule } from '../kit/index.js';
import { manifestOf } from '../kit/internal.js';
import { MODULES } from '../modules.js';
import { PROJECT_ROOT } from '../platform/config/project-root.js';
import { migrationFiles } from '../platform/persistence/database/migration-files.js';
import { requireOwnEntities, requireOwnTables } from './own-tables.js';

const folder = mkdtempSync(join(tmpdir(), 'own-tables-'));
afterAll(() => rmSync(folder, { recursive: true }));

let projects = 0;

/** Checks migrations of a project, by their names with their statements, beside those of the suite. */
function check(migrations: Record<string, string>): void {
  const project = join(folder, String(projects++));
  mkdirSync(project);
  for (const [name, text] of Object.entries(migrations)) writeFileSync(join(project, `${name}.js`), text);
  const all = migrationFiles([project, join(PROJECT_ROOT, 'migrations')].map((path) => ({ path, module: null })));
  requireOwnTables(
    all,
    all.filter(({ path }) => path.startsWith(project)),
  );
}

const NOTES = {
  '1999000000001-notes-tables': `
    // unlike FROM deals, this is allowed
    await runner.query(\`CREATE TABLE notes (id uuid, FOREIGN KEY (o, p) REFERENCES projects (organization_id, id))\`);
    await runner.query(\`CREATE INDEX notes_idx ON notes (id)\`);
    await runner.query(\`INSERT INTO notes SELECT id FROM projects -- not FROM deals\`);
    await runner.query(\`WITH deals AS (SELECT id FROM notes) UPDATE notes n SET id = n.id FROM deals WHERE deals.id = n.id\`);`,
  '1999000000002-notes-colour': 'ALTER TABLE notes ADD COLUMN colour text; UPDATE notes SET colour = 1',
};

test('the migrations of the suite and those of a module that keep to their own tables pass', () => {
  const all = migrationFiles([{ path: join(PROJECT_ROOT, 'migrations'), module: null }]);
  expect(all).toHaveLength(readdirSync(join(PROJECT_ROOT, 'migrations')).length);
  requireOwnTables(all, all);
  check(NOTES);
});

test.each([
  ['ALTER TABLE deals ADD COLUMN colour text', 'deals, which 1763710000001-crm-leads-contacts-deals creates'],
  ['ALTER TABLE IF EXISTS ONLY public."deals" DROP COLUMN x', 'deals,'],
  ['CREATE TABLE shelves (deal uuid REFERENCES deals)', 'deals,'],
  ['CREATE TRIGGER t BEFORE UPDATE OF title ON deals', 'deals,'],
  ['INSERT INTO shelves SELECT id FROM deals', 'deals,'],
  ['await runner.dropColumn("deals", "title")', 'deals,'],
  ['UPDATE projects SET name = key', 'projects, which 1763690000001-people-tables creates'],
  ['DROP TABLE notes', 'notes, which 1999000000001-notes-tables creates'],
])('one sentence for %s', (statement, expected) => {
  expect(() => check({ ...NOTES, '1999000000003-shelves-tables': statement })).toThrow(
    expect.objectContaining({
      name: 'ConfigError',
      message: expect.stringMatching(new RegExp(`^The migration .*1999000000003-shelves-tables\\.js names the table ${expected}`)),
    }),
  );
});

test('a migration that is named like a module of the suite may not change its tables either', () => {
  expect(() => check({ '1999000000003-crm-colours': 'ALTER TABLE deals ADD COLUMN colour text' })).toThrow('names the table deals');
});

test('a migration may not create a table that another module has', () => {
  expect(() => check({ ...NOTES, '1999000000003-shelves-tables': 'CREATE TABLE deals (id uuid)' })).toThrow(
    /^The migration .*shelves-tables\.js creates the table deals, which 1763710000001-crm-leads-contacts-deals creates: choose/,
  );
});

test('an entity may not have a table of the platform', () => {
  @Entity('projects')
  class OwnProject {}
  @DomainModule({
    name: 'fleet',
    title: 'Fleet',
    guide: '',
    scopes: {},
    entities: [OwnProject],
    controllers: [],
    providers: [],
  })
  class FleetModule {}
  const all = migrationFiles([{ path: join(PROJECT_ROOT, 'migrations'), module: null }]);
  requireOwnEntities(all, MODULES.map(manifestOf));
  expect(() => requireOwnEntities(all, [manifestOf(FleetModule)])).toThrow(
    /^The entity OwnProject of the module fleet .*has the table projects, which 1763690000001-people-tables creates: choose/,
  );
});
