import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Column, Entity } from 'typeorm';
import {
  BusinessEntity,
  ConfigurationEntity,
  Contexts,
  DomainModule,
  own,
  sql,
  Store,
  table,
  type Ctx,
  type Sql,
} from '../../../src/kit/index.js';
import { platformSql } from '../../../src/kit/internal.js';
import { createTestApp, type TestApp } from '../../harness/app.js';
import type { Workspace } from '../../harness/workspace.js';
import { PgStore } from '../../../src/platform/persistence/transactions/pg-store.js';
import { forbidForeignRows } from './gate.js';

@Entity('gate_orders')
class Order extends BusinessEntity {
  @Column('text') number: string;
}

@Entity('gate_lines')
class Line extends BusinessEntity {
  @Column('uuid') order_id: string;
  @Column('uuid', { nullable: true }) gift_id: string | null;
  @Column('integer') quantity: number;
}

@Entity('gate_states')
class State extends ConfigurationEntity {
  @Column('text') name: string;
}

@DomainModule({
  name: 'gate',
  title: 'Gate',
  guide: 'Nothing.',
  scopes: {},
  entities: [Order, Line, State],
  controllers: [],
  providers: [],
})
class GateModule {}

const COLUMNS = `id uuid PRIMARY KEY, organization_id uuid NOT NULL, version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now()`;
/** A line has the key of its order, and perhaps that of a gift, which is not enforced where `gift_project_id` is null. */
const TABLES = `
  CREATE TABLE gate_orders (${COLUMNS}, project_id uuid NOT NULL, mode text NOT NULL, number text NOT NULL,
    UNIQUE (organization_id, project_id, mode, id), UNIQUE (number), UNIQUE (organization_id, project_id, mode, number));
  CREATE TABLE gate_lines (${COLUMNS}, project_id uuid NOT NULL, mode text NOT NULL, order_id uuid NOT NULL,
    gift_id uuid, gift_project_id uuid, quantity integer NOT NULL DEFAULT 1,
    FOREIGN KEY (organization_id, project_id, mode, order_id) REFERENCES gate_orders (organization_id, project_id, mode, id),
    FOREIGN KEY (organization_id, gift_project_id, mode, gift_id) REFERENCES gate_orders (organization_id, project_id, mode, id));
  CREATE TABLE gate_states (${COLUMNS}, project_id uuid, name text NOT NULL);
  CREATE VIEW gate_totals AS SELECT count(*) AS n FROM gate_orders;
  CREATE SEQUENCE gate_numbers;
  CREATE FUNCTION gate_count(organization uuid, mode text) RETURNS integer LANGUAGE sql AS 'SELECT count(*)::int FROM gate_orders';
  CREATE FUNCTION gate_count_all(day date) RETURNS integer LANGUAGE sql AS 'SELECT count(*)::int FROM gate_orders';`;

let app: TestApp;
let one: Workspace;
let other: Workspace;
let store: Store;

beforeAll(async () => {
  app = await createTestApp({ modules: [GateModule] });
  await app.sql.query(TABLES);
  await forbidForeignRows(app.app, true);
  [one, other] = [await app.workspace(), await app.workspace()];
  store = app.app.get(Store);
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterAll(async () => {
  jest.restoreAllMocks();
  await app.close();
});

const organization = () => one.organizationId;
const pinned = () => app.app.get(Contexts).system({ organizationId: one.organizationId, projectId: one.eng.id, mode: 'live' });
const run = (statement: Sql, ctx: Ctx = one.ctx()) => store.write(ctx, (tx) => tx.sql(statement));
const [orders, lines, states] = [table(Order), table(Line), table(State)];
const newRow = sql`gen_random_uuid(), ${own.organization}, ${own.mode}`;

it('the text of a statement is told once', async () => {
  // eslint-disable-next-line no-console -- the gate tells statements there
  const told = jest.mocked(console.error);
  told.mockClear();
  const errors: string[] = [];
  for (const ctx of [one.ctx(), one.ctx(), pinned()])
    await run(sql`SELECT id AS told_once FROM ${orders}`, ctx).catch(({ message }: Error) => errors.push(message));
  expect(errors.map((message) => message.includes('told_once'))).toEqual([true, false, false]);
  expect(errors[1]).toMatch(/gate_orders.*Write \$\{own\('alias'\)\} for each table\.$/);
  expect(told).toHaveBeenCalledTimes(1);
});

describe('a statement fails', () => {
  it.each<[string, () => Sql, string]>([
    [
      'of the platform that names a table of a module',
      () => platformSql('SELECT count(*) FROM organizations o WHERE o.id IN (SELECT organization_id FROM gate_orders)'),
      'the table gate_orders of a module',
    ],
    ['without the organization', () => sql`SELECT id FROM ${orders} o WHERE o.mode = 'live'`, 'organization'],
    ['without the mode', () => sql`SELECT id FROM ${orders} WHERE organization_id = ${organization()}`, 'mode'],
    ['with the other mode', () => sql`SELECT id FROM ${orders} WHERE organization_id = ${organization()} AND mode = 'test'`, 'mode'],
    [
      'with the id of another organization',
      () => sql`SELECT id FROM ${orders} o WHERE o.organization_id = ${other.organizationId} AND o.mode = 'live'`,
      'organization',
    ],
    [
      'with the restriction in one arm of OR',
      () => sql`SELECT id FROM ${orders} o WHERE ${own('o')} OR o.number = 'A1'`,
      'organization and mode',
    ],
    ['with the restriction negated', () => sql`SELECT id FROM ${orders} o WHERE NOT ${own('o')}`, 'organization and mode'],
    [
      'with a subquery that is not restricted',
      () => sql`SELECT id, (SELECT count(*) FROM ${lines} l WHERE l.quantity > o.version) FROM ${orders} o WHERE ${own('o')}`,
      'gate_lines l',
    ],
    [
      'with EXISTS that is not restricted',
      () => sql`SELECT id FROM ${orders} o WHERE ${own('o')} AND EXISTS (SELECT FROM ${lines} l WHERE l.quantity = 1)`,
      'gate_lines l',
    ],
    [
      'with rows named by ids that only another query has restricted',
      () => sql`SELECT id FROM ${lines} l WHERE l.order_id IN (SELECT o.id FROM ${orders} o WHERE ${own('o')})`,
      'gate_lines l',
    ],
    [
      'with a CTE that is not restricted',
      () => sql`WITH totals AS (SELECT organization_id, count(*) AS n FROM ${lines} GROUP BY 1)
        SELECT o.id, t.n FROM ${orders} o JOIN totals t ON t.organization_id = o.organization_id WHERE ${own('o')}`,
      'gate_lines',
    ],
    [
      'with a recursion that leaves the tenant',
      () => sql`WITH RECURSIVE chain AS (
          SELECT l.id, l.gift_id FROM ${lines} l WHERE ${own('l')}
          UNION ALL SELECT n.id, n.gift_id FROM ${lines} n JOIN chain c ON n.id = c.gift_id)
        SELECT id FROM chain`,
      'gate_lines n',
    ],
    [
      'that joins without the key',
      () => sql`SELECT l.id FROM ${orders} o JOIN ${lines} l ON l.quantity = o.version WHERE ${own('o')}`,
      'gate_lines l',
    ],
    [
      'that joins by a key that is not enforced',
      () => sql`SELECT g.id FROM ${lines} l JOIN ${orders} g ON g.id = l.gift_id WHERE ${own('l')}`,
      'gate_orders g',
    ],
    ['with a table beside the others', () => sql`SELECT l.id FROM ${orders} o, ${lines} l WHERE ${own('o')}`, 'gate_lines l'],
    ['with CROSS JOIN', () => sql`SELECT l.id FROM ${orders} o CROSS JOIN ${lines} l WHERE ${own('o')}`, 'gate_lines l'],
    [
      'with the restriction in the condition of an outer join',
      () => sql`SELECT o.number FROM ${orders} o LEFT JOIN ${lines} l ON l.order_id = o.id AND ${own('o')}`,
      'gate_orders o',
    ],
    ['with an arm of UNION', () => sql`SELECT id FROM ${orders} o WHERE ${own('o')} UNION ALL SELECT id FROM ${lines}`, 'gate_lines'],
    [
      'with LATERAL',
      () => sql`SELECT o.id, n.q FROM ${orders} o, LATERAL (SELECT sum(l.quantity) AS q FROM ${lines} l WHERE l.version = o.version) n
        WHERE ${own('o')}`,
      'gate_lines l',
    ],
    [
      'with UPDATE FROM',
      () => sql`UPDATE ${lines} l SET quantity = 2 FROM ${orders} o WHERE o.version = l.version AND ${own('o')}`,
      'gate_lines l',
    ],
    ['with UPDATE that moves rows', () => sql`UPDATE ${orders} o SET mode = 'test' WHERE ${own('o')}`, 'moves rows'],
    ['with DELETE USING', () => sql`DELETE FROM ${orders} o USING ${lines} l WHERE l.version = o.version AND ${own('o')}`, 'gate_lines l'],
    [
      'with INSERT of another organization',
      () => sql`INSERT INTO ${orders} (id, organization_id, mode, project_id, number)
        VALUES (gen_random_uuid(), ${other.organizationId}, 'live', ${one.eng.id}, 'A2')`,
      'organization_id',
    ],
    [
      'with INSERT of rows that are not restricted',
      () => sql`INSERT INTO ${lines} (id, organization_id, mode, project_id, order_id)
        SELECT gen_random_uuid(), o.organization_id, o.mode, o.project_id, o.id FROM ${orders} o`,
      'gate_orders o',
    ],
    [
      'with ON CONFLICT on a key without the tenant',
      () => sql`INSERT INTO ${orders} (id, organization_id, mode, project_id, number) VALUES (${newRow}, ${one.eng.id}, 'A3')
        ON CONFLICT (number) DO UPDATE SET version = 2`,
      'ON CONFLICT',
    ],
    ['that reads the catalog', () => sql`SELECT relname, reltuples FROM pg_class`, 'pg_class is no table of the suite'],
    ['that reads statistics', () => sql`SELECT n_live_tup FROM pg_catalog.pg_stat_user_tables`, 'pg_catalog.pg_stat_user_tables is no'],
    [
      'that reads the catalog in a subquery',
      () => sql`SELECT (SELECT count(*) FROM information_schema.tables) FROM ${orders} o WHERE ${own('o')}`,
      'information_schema.tables is no',
    ],
    ['that reads a view, which restricts nothing', () => sql`SELECT n FROM gate_totals`, 'gate_totals is no table of the suite'],
    ['that asks for the size of a table', () => sql`SELECT pg_relation_size('gate_orders')`, 'The function pg_relation_size'],
    ['that calls a statistic', () => sql`SELECT pg_stat_get_live_tuples('gate_orders'::regclass)`, 'pg_stat_get_live_tuples'],
    [
      'that runs a query in a text',
      () => sql`SELECT query_to_xml('SELECT number FROM gate_orders', true, false, '')`,
      'The function query_to_xml',
    ],
    ['that runs a query in FROM', () => sql`SELECT word FROM ts_stat('SELECT to_tsvector(number) FROM gate_orders')`, 'ts_stat'],
    ['that counts by a sequence', () => sql`SELECT nextval('gate_numbers')`, 'The function nextval'],
    ['that calls a function for all', () => sql`SELECT gate_count_all(now()::date)`, 'gate_count_all'],
    ['that calls a function for another organization', () => sql`SELECT gate_count(${other.organizationId}, 'live')`, 'gate_count'],
  ])('%s', async (_, statement, named) => {
    await expect(run(statement())).rejects.toThrow(named);
  });

  it.each<[string, () => Sql]>([
    ['without the project', () => sql`SELECT id FROM ${orders} WHERE organization_id = ${organization()} AND mode = 'live'`],
    [
      'with another project',
      () =>
        sql`SELECT id FROM ${orders} o WHERE o.organization_id = ${organization()} AND o.mode = 'live' AND o.project_id = ${one.ops.id}`,
    ],
    [
      'for any project',
      () => sql`SELECT id FROM ${orders} o WHERE o.organization_id = ${organization()} AND o.mode = 'live'
        AND (o.project_id = ${one.eng.id} OR o.project_id IS NULL)`,
    ],
    ['with configuration of any project', () => sql`SELECT id FROM ${states} s WHERE s.organization_id = ${organization()}`],
  ])('of a pinned caller %s', async (_, statement) => {
    await expect(run(statement(), pinned())).rejects.toThrow("caller's project");
  });

  it('of an entity manager', async () => {
    const find = (where: object) => store.write(one.ctx(), async (tx) => (await tx.advanced.entityManager()).find(Order, { where }));
    await expect(find({ number: 'A1' })).rejects.toThrow('organization and mode');
    await expect(find({ number: 'A1', organization_id: organization(), mode: 'live' })).resolves.toEqual([]);
    // the reason of one caller is not that of the next
    const after = store.write(one.ctx(), async (tx) => {
      await (await tx.advanced.entityManager('of the test')).find(Order, { where: { number: 'A1' } });
      return (await tx.advanced.entityManager()).find(Order, { where: { number: 'A1' } });
    });
    await expect(after).rejects.toThrow('organization and mode');
  });

  it('in the conditions of a list', async () => {
    const list = (condition: Sql) => store.list(one.ctx(), Order, {}, sql`EXISTS (SELECT FROM ${lines} l WHERE ${condition})`);
    await expect(list(sql`l.quantity > 1`)).rejects.toThrow('gate_lines l');
    await expect(list(sql`l.order_id = t.id`)).resolves.toEqual([]);
  });
});

describe('a statement passes', () => {
  const right: [string, () => Sql][] = [
    ['that is restricted', () => sql`SELECT id FROM ${orders} o WHERE ${own('o')} AND (o.number = 'A1' OR o.version > 1)`],
    ['without an alias', () => sql`SELECT id FROM ${orders} WHERE ${own('gate_orders')}`],
    ['that joins by the key', () => sql`SELECT l.id FROM ${orders} o JOIN ${lines} l ON l.order_id = o.id WHERE ${own('o')}`],
    ['that joins from the other side', () => sql`SELECT o.id FROM ${lines} l LEFT JOIN ${orders} o ON o.id = l.order_id WHERE ${own('l')}`],
    [
      'that joins by equal columns',
      () => sql`SELECT l.id FROM ${orders} o JOIN ${lines} l USING (organization_id, mode, project_id) WHERE ${own('o')}`,
    ],
    ['with configuration', () => sql`SELECT s.name FROM ${states} s WHERE ${own('s')}`],
    [
      'with subqueries by the key',
      () => sql`SELECT o.id, (SELECT count(*) FROM ${lines} l WHERE l.order_id = o.id) FROM ${orders} o
        WHERE ${own('o')} AND EXISTS (SELECT FROM ${lines} l WHERE l.order_id = o.id AND l.quantity = ANY(${[1, 2]}))`,
    ],
    [
      'with a CTE and a recursion',
      () => sql`WITH RECURSIVE found AS (SELECT o.* FROM ${orders} o WHERE ${own('o')}), chain AS (
          SELECT l.id, l.gift_id FROM ${lines} l JOIN found f ON l.order_id = f.id
          UNION ALL SELECT n.id, n.gift_id FROM ${lines} n JOIN chain c ON n.id = c.gift_id WHERE ${own('n')})
        SELECT c.id, o.number FROM chain c CROSS JOIN found f JOIN ${orders} o ON o.id = f.id`,
    ],
    [
      'with LATERAL',
      () => sql`SELECT o.id, n.q FROM ${orders} o
        LEFT JOIN LATERAL (SELECT sum(l.quantity) AS q FROM ${lines} l WHERE l.order_id = o.id) n ON true WHERE ${own('o')}`,
    ],
    [
      'that groups by a fragment',
      () => {
        const month = sql`date_trunc(${'month'}, o.created_at)`;
        return sql`SELECT ${month}, count(*) FROM ${orders} o WHERE ${own('o')} GROUP BY ${month}`;
      },
    ],
    ['that updates', () => sql`UPDATE ${lines} l SET quantity = 2 FROM ${orders} o WHERE o.id = l.order_id AND ${own('l')}`],
    ['that deletes', () => sql`DELETE FROM ${lines} l USING ${orders} o WHERE o.id = l.order_id AND ${own('o')} RETURNING l.id`],
    [
      'that inserts',
      () => sql`INSERT INTO ${orders} (id, organization_id, mode, project_id, number) VALUES (${newRow}, ${one.eng.id}, 'A4')
        ON CONFLICT (organization_id, project_id, mode, number) DO UPDATE SET version = 2`,
    ],
    [
      'that inserts what it selects',
      () => sql`INSERT INTO ${lines} (id, organization_id, mode, project_id, order_id)
        SELECT gen_random_uuid(), o.organization_id, o.mode, o.project_id, o.id FROM ${orders} o WHERE ${own('o')}`,
    ],
    ['that locks', () => sql`SELECT pg_advisory_xact_lock(hashtextextended(${'gate'}, 0)), pg_typeof(1)`],
    ['that calls a function for the caller', () => sql`SELECT gate_count(${own.organization}, ${own.mode})`],
  ];

  it.each(right)('%s', async (_, statement) => {
    await run(statement());
    await run(statement(), pinned());
  });

  it('beyond the mode and the pin of the caller, but not beyond the organization', async () => {
    await run(sql.inOrganization('of the test')`SELECT o.id FROM ${orders} o WHERE o.organization_id = ${own.organization}`, pinned());
    const foreign = sql.inOrganization('of the test')`SELECT o.id FROM ${orders} o WHERE o.number = 'A1'`;
    await expect(run(foreign, pinned())).rejects.toThrow('gate_orders o');
    const part = sql.inBothModes('of the test')`SELECT o.id FROM ${orders} o WHERE ${own('o')}`;
    await run(sql.inOrganization('of the test')`SELECT FROM (${part}) p`);
    await expect(run(sql.inAllProjects('of the test')`SELECT FROM (${part}) p`)).rejects.toThrow('only a whole statement');
  });

  it('with a reason', async () => {
    await expect(run(sql.unscoped('of the test')`SELECT id FROM ${states}`)).resolves.toEqual([]);
  });
});

describe('a template', () => {
  it.each<[string, () => Sql, string]>([
    ['names an alias that no table has', () => sql`SELECT FROM ${orders} o WHERE ${own('i')}`, "own('i') names no table"],
    [
      'has a part with placeholders of its own',
      () => sql.unscoped('of the test')`SELECT ${1}::int WHERE 1 = (${platformSql('SELECT $1::int', [1])})`,
      'cannot be a part',
    ],
    ['has a name with a quote', () => sql`SELECT ${sql.column('id" FROM gate_orders --')}`, 'is not the name'],
    ['has an unscoped part', () => sql`SELECT (${sql.unscoped('no reason')`SELECT count(*) FROM ${orders}`})`, 'only a whole statement'],
  ])('that %s fails', async (_, statement, message) => {
    await expect((async () => run(statement()))()).rejects.toThrow(message);
  });

  it('with placeholders of its own is no condition', async () => {
    const list = store.list(one.ctx(), Order, {}, platformSql('t.number = $1', ['A1']));
    await expect(list).rejects.toThrow('cannot be a part');
  });

  it('has the same text whenever it has the same shape, with one parameter for what occurs twice', async () => {
    const texts = new Set<string>();
    const reader = app.app.get(PgStore)['rows'];
    for (const number of ['A1', 'A2']) {
      const mine = sql`${own('o')}`;
      const isNumber = sql`o.number = ${number}`;
      const given = sql`SELECT FROM ${orders} o WHERE ${own('o')} AND ${isNumber} AND ${sql.join([mine, mine], ' AND ')} AND ${isNumber}`;
      texts.add(reader.statement(one.ctx(), given).text);
    }
    const restricted = '(o.organization_id = $1 AND o.mode = $2)';
    expect([...texts]).toEqual([
      `SELECT FROM "gate_orders" o WHERE ${restricted} AND o.number = $3 AND ${restricted} AND ${restricted} AND o.number = $3`,
    ]);
  });
});
