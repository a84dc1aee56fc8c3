import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { Check, Column, DataSource, Entity, Index, PrimaryColumn } from 'typeorm';
import { createTestDatabase } from '../../../../test/harness/test-database.js';
import { TimeColumn } from '../../../kit/index.js';
import { dataSourceOptions } from '../persistence.module.js';
import { migrationDraft, migrationText, type MigrationDraft } from './migration-draft.js';

@Entity('drafted_books')
@Index('drafted_books_due_idx', ['due_at'], { where: 'NOT lent' })
@Check('drafted_books_title_check', 'length(title) > 0')
class Book {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  title: string;

  @Column('bigint', { default: 1 })
  copies: string;

  @Column('boolean', { default: false })
  lent: boolean;

  @Column('text', {
    default: 'a `quoted` one',
    nullable: true,
  })
  shelf: string | null;

  @TimeColumn({ nullable: true })
  due_at: Date | null;
}

@Entity('drafted_shelves')
@Check('drafted_shelves_room_check', `room IN ('one, two', 'three')`)
class Shelf {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  room: string;
}

const EXISTING = `
  CREATE TABLE drafted_books (
    id uuid PRIMARY KEY,
    title text NOT NULL,
    copies text NOT NULL DEFAULT '7',
    lent boolean NOT NULL DEFAULT false,
    due_at timestamptz(3),
    CONSTRAINT drafted_books_title_key UNIQUE (title),
    CONSTRAINT drafted_books_span_excl EXCLUDE USING gist (tstzrange(due_at, due_at, '[]') WITH &&)
  );
  CREATE INDEX drafted_books_lower_idx ON drafted_books (lower(title)) WHERE lent;
  CREATE INDEX drafted_books_lent_idx ON drafted_books (title) WHERE lent;
  CREATE FUNCTION drafted_trim() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.title := trim(NEW.title); RETURN NEW; END $$;
  CREATE TRIGGER drafted_books_trim BEFORE INSERT ON drafted_books FOR EACH ROW EXECUTE FUNCTION drafted_trim();
  INSERT INTO drafted_books (id, title) VALUES (gen_random_uuid(), ' Emma ')`;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let client: Client;
let dataSource: DataSource;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(EXISTING);
  dataSource = await new DataSource(dataSourceOptions({ url: database.url, poolSize: 1 }, [Book, Shelf])).initialize();
});
afterAll(async () => {
  await dataSource.destroy();
  await client.end();
  await database.drop();
});

const draft = (...tables: string[]) => migrationDraft(dataSource, new Set(tables));

/** Everything that PostgreSQL has on the table. */
async function shape(): Promise<unknown[]> {
  const { rows } = await client.query(`
    SELECT pg_get_constraintdef(oid) AS has FROM pg_constraint WHERE conrelid = 'drafted_books'::regclass
    UNION ALL SELECT indexdef FROM pg_indexes WHERE tablename = 'drafted_books'
    UNION ALL SELECT tgname FROM pg_trigger WHERE tgrelid = 'drafted_books'::regclass
    UNION ALL SELECT format('%s %s %s', attname, atttypid::regtype, attnotnull) FROM pg_attribute
      WHERE attrelid = 'drafted_books'::regclass AND attnum > 0 AND NOT attisdropped
    ORDER BY 1`);
  return rows.map(({ has }) => has as unknown);
}

test('a draft changes what the entities say, keeps what they do not know and the values of columns, and leads back', async () => {
  const before = await shape();
  const drafted = await draft('drafted_books');
  for (const statement of drafted.up) await client.query(statement);
  const after = await shape();
  // constraints, partial indexes and a trigger that no entity declares
  expect(after).toEqual(expect.arrayContaining(before.filter((has) => !/^copies/.test(String(has)))));
  expect(after).toEqual(expect.arrayContaining(['copies bigint t', 'shelf text f', 'CHECK ((length(title) > 0))']));
  expect((await client.query('SELECT title, copies, shelf FROM drafted_books')).rows).toEqual([
    { title: 'Emma', copies: 7, shelf: 'a `quoted` one' },
  ]);
  expect(drafted.kept.map((statement) => /"(drafted_books_\w+)"$/.exec(statement)?.[1]).sort()).toEqual([
    'drafted_books_lent_idx',
    'drafted_books_span_excl',
    'drafted_books_title_key',
  ]);
  expect((await draft('drafted_books')).up).toEqual([]);
  for (const statement of drafted.down) await client.query(statement);
  expect(await shape()).toEqual(before);
});

test('a draft has the tables of one module only; its text is a migration', async () => {
  const drafted = await draft('drafted_shelves');
  const text = migrationText('LibraryShelves1', drafted);
  expect(text).toContain(`
    await queryRunner.query(\`
      CREATE TABLE "drafted_shelves" (
        "id" uuid NOT NULL,
        "room" text NOT NULL,
        CONSTRAINT "drafted_shelves_room_check" CHECK (room IN ('one, two', 'three')),
        PRIMARY KEY ("id")
      )\`);
`);
  expect(text).toContain('DROP TABLE "drafted_shelves"');
  expect(text).not.toContain('drafted_books');
  const quoting: MigrationDraft = { up: ["COMMENT ON TABLE a IS '`b` \\'"], down: [], kept: [] };
  expect(migrationText('A1', quoting)).toContain("query(`COMMENT ON TABLE a IS '\\`b\\` \\\\'`)");
});
