import type { FrozenEvent } from '../persistence/transactions/frozen-event.js';
import { OutboxWriter } from '../persistence/transactions/outbox-writer.js';
import type { Queryable } from '../persistence/rows/queryable.js';
import { run } from '../persistence/rows/reader.js';
import { bodiesIn, columnsOf } from './event-columns.js';
import type { EventColumns, EventDeliveries } from './event-deliveries.js';
import { addListenerJobs, addSubscribedJobs } from './listener-jobs.js';
import type { OutboxSignal } from './outbox-signal.js';

const COLUMNS = 'id, organization_id, project_id, mode, type, internal, created_at, request_id, traceparent';
const INSERT = `INSERT INTO outbox_events (sequence, ${COLUMNS}, body)`;
/** Nearly every change emits one event; unnesting arrays would cost PostgreSQL more than the insert itself. */
const WRITE_ONE = `
  WITH written AS (
    ${INSERT}
    SELECT n, $1::uuid, $2::uuid, $3::uuid, $4, $5, $6::boolean, $7::timestamptz, $9, $10,
      '{"sequence":' || n || ',' || $8
    FROM nextval('outbox_events_sequence') AS n
  )`;
const ONE: EventColumns = {
  id: '$1::uuid',
  organization_id: '$2::uuid',
  project_id: '$3::uuid',
  mode: '$4',
  type: '$5',
  internal: '$6::boolean',
  body: `'{' || $8`,
};
/** The arrays are in subqueries, or PostgreSQL would plan each execution by their lengths, which takes longer than the execution. */
const WRITE_MANY = `
  WITH numbered AS (
    SELECT nextval('outbox_events_sequence') AS n, e.*
    FROM unnest((SELECT $1::uuid[]), (SELECT $2::uuid[]), (SELECT $3::uuid[]), (SELECT $4::text[]), (SELECT $5::text[]),
      (SELECT $6::boolean[]), (SELECT $7::timestamptz[]), (SELECT $9::text[]), (SELECT $10::text[]),
      ${bodiesIn('$8')}
    ) AS e(${COLUMNS}, rest)
  ), written AS (
    ${INSERT} SELECT n, ${COLUMNS}, '{"sequence":' || n || ',' || rest FROM numbered
  )`;
const MANY: EventColumns = {
  id: 'e.id',
  organization_id: 'e.organization_id',
  project_id: 'e.project_id',
  mode: 'e.mode',
  type: 'e.type',
  internal: 'e.internal',
  body: `'{' || e.rest`,
};

/** The index of the body in the values. */
const BODY = 7;

/** A transaction with more events changes rows in bulk, such as a chunk of an import. */
const MOST_SINGLE_EVENTS = 20;

/**
 * Writes events with frozen bodies: every delivery attempt sends what is stored here. Their deliveries are written in the same
 * statement, the jobs of listeners to internal events in another one of the transaction.
 */
export class Outbox extends OutboxWriter {
  private readonly insertOne: string;
  private readonly insertMany: string;
  private readonly insertInBulk: string;
  private readonly insertForOne: string;

  constructor(
    deliveries: EventDeliveries,
    private readonly signal: OutboxSignal,
  ) {
    super();
    this.insertOne = WRITE_ONE + deliveries.toSubscribers(ONE);
    this.insertMany = WRITE_MANY + deliveries.toSubscribers(MANY, 'numbered e');
    this.insertInBulk = WRITE_MANY + deliveries.toSubscribers(MANY, 'numbered e', true);
    this.insertForOne = WRITE_ONE + deliveries.toOne(ONE, '$11::uuid');
  }

  override async write(client: Queryable, changes: readonly (readonly FrozenEvent[])[]): Promise<() => void> {
    const events = changes.flat();
    const [deliveries, internal, subscribed] = await Promise.all([
      this.insert(client, changes),
      addListenerJobs(client, events, this.signal.listeners),
      addSubscribedJobs(client, events, this.signal.subscriptions),
    ]);
    return () => this.signal.announce({ events: events.length, deliveries, jobs: internal + subscribed });
  }

  /** Writes an event with a delivery to one recipient only, whatever it subscribes to. */
  async writeFor(client: Queryable, event: FrozenEvent, recipient: string): Promise<void> {
    await run(client, { text: this.insertForOne, values: [...valuesOf(event), recipient] });
  }

  /** Resolves to the number of deliveries that were written with the events. */
  private async insert(client: Queryable, changes: readonly (readonly FrozenEvent[])[]): Promise<number> {
    const inBulk = changes.filter(({ length }) => length > MOST_SINGLE_EVENTS);
    const single = changes.filter(({ length }) => length <= MOST_SINGLE_EVENTS).flat();
    const written = inBulk.map((events) => run(client, { text: this.insertInBulk, values: columnsOf(events.map(valuesOf), BODY) }));
    if (single.length === 1) written.push(run(client, { text: this.insertOne, values: valuesOf(single[0]) }));
    else if (single.length > 1) written.push(run(client, { text: this.insertMany, values: columnsOf(single.map(valuesOf), BODY) }));
    return (await Promise.all(written)).reduce((sum, { rowCount }) => sum + (rowCount ?? 0), 0);
  }
}

function valuesOf(event: FrozenEvent): unknown[] {
  const { id, organization_id, project_id, mode, type, internal, created_at, rest, request_id, traceparent } = event;
  return [id, organization_id, project_id, mode, type, internal, created_at, rest, request_id, traceparent];
}
