import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { createTestApp, type TestApp } from '../../../test/harness/app.js';
import { eventually } from '../../../test/harness/eventually.js';
import type { Workspace } from '../../../test/harness/workspace.js';
import {
  defineEvents,
  DomainModule,
  event,
  EventCatalog,
  Field,
  Job,
  sql,
  Store,
  type Ctx,
  type InternalEvent,
  type JobHandler,
} from '../../kit/index.js';
import { addSubscribedJobs } from './listener-jobs.js';

class OrderLineDto {
  @Field.string({
    description: 'What.',
    example: 'Bolt',
  })
  title: string;
}

class OrderDto {
  @Field.string({
    description: 'Number.',
    example: 'A-1',
  })
  number: string;
  @Field.object(() => OrderLineDto, {
    description: 'Lines.',
    example: undefined,
    list: { maxItems: 9 },
  })
  lines: OrderLineDto[];
}

const OrderEvents = defineEvents({
  placed: event({ name: 'order.placed', description: 'An order came in.', permission: null, payload: OrderDto, internal: true }),
  changed: event({ name: 'order.changed', description: 'An order changed.', permission: null, payload: OrderDto }),
  moved: event({ name: 'order.moved', description: 'An order moved.', permission: null, payload: OrderDto }),
});

const received: { by: string; ctx: Ctx; event: InternalEvent }[] = [];

@Injectable()
@Job({ name: 'first.hear_event' })
class FirstListener implements JobHandler<InternalEvent> {
  run(ctx: Ctx, payload: InternalEvent): Promise<void> {
    received.push({ by: 'first', ctx, event: payload });
    return Promise.resolve();
  }
}

@Injectable()
@Job({ name: 'second.hear_event' })
class SecondListener extends FirstListener {
  override run(ctx: Ctx, payload: InternalEvent): Promise<void> {
    received.push({ by: 'second', ctx, event: payload });
    return Promise.resolve();
  }
}

const manifest = { guide: 'For the test of internal events.', scopes: {}, entities: [], controllers: [], providers: [] };

@DomainModule({
  ...manifest,
  name: 'first',
  title: 'First',
  events: OrderEvents,
  onInternalEvent: FirstListener,
})
class FirstModule {}

@DomainModule({
  ...manifest,
  name: 'second',
  title: 'Second',
  onInternalEvent: SecondListener,
})
class SecondModule {}

@Injectable()
@Job({ name: 'third.hear_event' })
class ThirdListener extends FirstListener {
  override run(ctx: Ctx, payload: InternalEvent): Promise<void> {
    received.push({ by: 'third', ctx, event: payload });
    return Promise.resolve();
  }
}

@DomainModule({
  ...manifest,
  name: 'third',
  title: 'Third',
  onInternalEvent: ThirdListener,
  internalEvents: [OrderEvents.moved.name],
})
class ThirdModule {}

let app: TestApp;
let space: Workspace;
beforeAll(async () => {
  // only the notification after the commit is soon enough for these tests
  app = await createTestApp({ modules: [FirstModule, SecondModule, ThirdModule], env: { QUEUE_RECONCILE_MS: '10000' } });
  space = await app.workspace();
});
afterAll(() => app.close());

const order = (number: string) => ({ object: { number, lines: [] }, projectId: space.eng.id });
const receivedOf = (number: string) => received.filter(({ event: { data } }) => (data as OrderDto).number === number);
const jobsOf = async (number: string) =>
  (await app.sql.query(`SELECT name FROM jobs WHERE payload->'data'->>'number' = $1`, [number])).rows;

test('a public event reaches the listener that names its type, in either mode', async () => {
  for (const mode of ['test', 'live'] as const) {
    const number = `E-${mode}`;
    await app.app.get(Store).write(space.ctx(mode), async (tx) => tx.emit(OrderEvents.moved, order(number)));
    const [{ by, ctx, event: got }] = await eventually(
      async () => receivedOf(number),
      ({ length }) => length > 0,
    );
    expect([by, ctx.mode, got.type, got.data]).toEqual(['third', mode, 'order.moved', { number, lines: [] }]);
  }
});

describe('an internal event', () => {
  test('reaches every listener after the commit, unchanged, on behalf of its caller', async () => {
    const given = order('A-1');
    await app.app.get(Store).write(space.ctx('test'), async (tx) => {
      tx.emit(OrderEvents.placed, given);
      given.object.number = 'changed later';
      await tx.sql(sql`SELECT 1`);
      expect(await jobsOf('A-1')).toEqual([]);
    });
    const all = await eventually(
      async () => receivedOf('A-1'),
      ({ length }) => length === 2,
    );
    expect(all.map(({ by }) => by).sort()).toEqual(['first', 'second']);
    const { rows } = await app.sql.query<{ id: string }>(`SELECT id FROM outbox_events WHERE type = 'order.placed'`);
    for (const { ctx, event: got } of all) {
      expect(got).toEqual({ id: rows[0].id, type: 'order.placed', project_id: space.eng.id, data: { number: 'A-1', lines: [] } });
      expect(ctx).toMatchObject({ organizationId: space.organizationId, mode: 'test', actor: { type: 'system' } });
    }
  });

  test('among several reaches its listener each time, and the others do not', async () => {
    await app.app.get(Store).write(space.ctx(), async (tx) => {
      tx.emit(OrderEvents.placed, order('B-1'));
      tx.emit(OrderEvents.changed, order('B-2'));
      tx.emit(OrderEvents.placed, order('B-1'));
      await tx
        .attempt(async () => {
          tx.emit(OrderEvents.placed, order('B-3'));
          throw new Error('undone');
        })
        .catch(() => undefined);
    });
    expect(
      await eventually(
        async () => receivedOf('B-1'),
        ({ length }) => length === 4,
      ),
    ).toHaveLength(4);
    expect([await jobsOf('B-2'), await jobsOf('B-3')]).toEqual([[], []]);
  });

  test('has the mode and caller at its emission, although the transaction continued with others', async () => {
    // as the demo's seed does, whose one transaction holds what many did
    const ctx = Object.assign(space.ctx('test'), {
      actor: { type: 'user', id: space.owner.id, email: space.owner.email },
      memberId: space.owner.id,
    }) as Ctx;
    await app.app.get(Store).write(ctx, async (tx) => {
      tx.emit(OrderEvents.placed, order('D-1'));
      Object.assign(ctx, { mode: 'live', actor: { type: 'system', id: null, email: null }, memberId: null });
      tx.emit(OrderEvents.placed, order('D-2'));
      await tx.sql(sql`SELECT 1`);
    });
    await eventually(
      async () => receivedOf('D-1').concat(receivedOf('D-2')),
      ({ length }) => length === 4,
    );
    for (const { ctx: heardIn } of receivedOf('D-1'))
      expect(heardIn).toMatchObject({ mode: 'test', actor: { type: 'user', id: space.owner.id }, memberId: space.owner.id });
    for (const { ctx: heardIn } of receivedOf('D-2'))
      expect(heardIn).toMatchObject({ mode: 'live', actor: { type: 'system' }, memberId: null });
  });

  test('of a change that was rolled back is not delivered', async () => {
    const undone = app.app.get(Store).write(space.ctx(), async (tx) => {
      tx.emit(OrderEvents.placed, order('C-1'));
      await tx.sql(sql`SELECT 1`);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await jobsOf('C-1')).toEqual([]);
  });

  test('can be looked up like every other event, with an example and the scope to state it', () => {
    const catalog = app.app.get(EventCatalog);
    expect(catalog.find('order.placed')).toEqual({
      type: 'order.placed',
      description: 'An order came in.',
      payload: OrderDto,
      example: { number: 'A-1', lines: [{ title: 'Bolt' }] },
      scope: null,
    });
    expect(catalog.list().map(({ type }) => type)).toEqual(expect.arrayContaining(['order.changed', 'order.placed']));
  });
});

test('a condition with OR adds no job for events of another organization or type', async () => {
  const [id, organization_id] = [randomUUID(), space.organizationId];
  const rest = '"actor":{"type":"system"},"data":{"object":{}}}';
  const order = { id, organization_id, project_id: null, mode: 'live', type: 'order.placed', rest, internal: false };
  const subscription = (organizationId: string, type: string) => ({
    job: 'first.hear_event',
    table: `(SELECT '${organizationId}'::uuid AS organization_id, '${type}' AS event_type, false AS active)`,
    where: 's.active OR true',
  });
  const added = (...of: Parameters<typeof subscription>) => addSubscribedJobs(app.sql, [order as never], [subscription(...of)]);
  expect(await added(randomUUID(), 'order.placed')).toBe(0);
  expect(await added(organization_id, 'order.lost')).toBe(0);
  expect(await added(organization_id, 'order.placed')).toBe(1);
  const named = { ...subscription(organization_id, 'order.placed'), named: ['order.placed'] };
  expect(await addSubscribedJobs(app.sql, [order as never], [named])).toBe(0);
});
